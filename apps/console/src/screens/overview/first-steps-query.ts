import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const FirstSteps = graphql(`
  query FirstSteps { firstSteps { steps { kind done } dismissedAt practiceEventId } }
`);

export type Steps = ResultOf<typeof FirstSteps>['firstSteps'];
