import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { CardFields } from './card-facts.ts';

export const OneDecision = graphql(
  `
    query OneDecision($id: ID!) {
      decisionEvent(id: $id) {
        ...CardFields
        decisionId
        dpuId
        updatedAt
        evidence { id chainHash chainIndex }
        journal { index kind }
      }
    }
  `,
  [CardFields],
);

export type Decision = ResultOf<typeof OneDecision>['decisionEvent'];

/** The proof, and the keys that can have signed it. */
export const ExportOf = graphql(`
  query ExportOf($id: ID!) { evidenceExport(id: $id) signingKeys { vkey vouched until } }
`);
