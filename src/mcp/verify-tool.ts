import { parseVerifierKey } from '@countersign/proof-kit';
import { z } from 'zod';
import type { RequestContext } from '../api/request-context.ts';
import { graphql } from '../schema/document.ts';
import type { Engine } from '../schema/engine.ts';
import type { ObjectSchema } from './schemas.ts';
import { verifyOffThread } from './verify-off-thread.ts';

export const verifyInputSchema: ObjectSchema = {
  type: 'object',
  properties: {
    evidenceId: {
      type: 'string',
      description: 'The evidence.id of a sealed decision of your organization. Give this or document.',
      examples: ['evd_01k9zq2m0000000000000000v1'],
    },
    document: {
      anyOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }],
      description:
        'The whole exported proof (a JSON object, or its exact text as a string). Give this or evidenceId.',
    },
  },
  additionalProperties: false,
};

export const verdictSchema: ObjectSchema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['proven', 'consistent', 'partial', 'refuted', 'unreadable'] },
    reasons: { type: 'array', items: { type: 'string' }, description: 'Why, the most important first.' },
  },
  required: ['verdict', 'reasons'],
};

export const proofToCheck = z
  .strictObject({
    evidenceId: z.string().min(1).max(256).optional(),
    document: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  })
  .refine(({ evidenceId, document }) => (evidenceId === undefined) !== (document === undefined), {
    message: 'give either evidenceId or document',
  });

const KEYS = graphql('query { signingKeys { name vkey vouched } }');

/** Verifies a document with the keys of this service, off the event loop. */
export function makeProofCheck(engine: Engine) {
  const keysOf = engine.prepare(KEYS);
  return async (ctx: RequestContext, text: string) => {
    const { signingKeys } = await keysOf({}, ctx);
    const keys = signingKeys.map(({ vkey, vouched }) => ({
      ...parseVerifierKey(vkey),
      isUnvouched: !vouched,
    }));
    // Tools are called with API keys, each of which belongs to a center.
    const center = ctx.principal.kind === 'apiKey' ? ctx.principal.centerId : 0;
    const { verdict, reason, steps } = await verifyOffThread(center, { text, keys });
    const open = steps.filter((step) => step.verdict !== 'pass').map(({ explanation }) => explanation);
    return { verdict, reasons: [...new Set([sentence(reason), ...open])] };
  };
}

const sentence = (clause: string) =>
  `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${clause.endsWith('.') ? '' : '.'}`;
