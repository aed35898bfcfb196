import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { charge } from '../api/rates.ts';
import type { RequestContext } from '../api/request-context.ts';
import { opaqueId } from '../lib/text.ts';
import { agentRoutes } from '../rest/routes/agents.ts';
import { decisionEventRoutes } from '../rest/routes/decision-events.ts';
import { evidenceRoutes } from '../rest/routes/evidence.ts';
import { mandateRoutes } from '../rest/routes/mandates.ts';
import { prepareRow, type RawInput, runRow, validInput } from '../rest/run-row.ts';
import { validated } from '../rest/validate.ts';
import type { Engine } from '../schema/engine.ts';
import { EXPORT_COST, VERIFICATION_COST } from '../schema/request-cost.ts';
import { toolResult } from './results.ts';
import { type ObjectSchema, rowSchemas } from './schemas.ts';
import { TASKS_EXTENSION, type Tasks } from './tasks.ts';
import { advice, descriptions, type ToolName, titles } from './tool-descriptions.ts';
import { makeProofCheck, proofToCheck, verdictSchema, verifyInputSchema } from './verify-tool.ts';

type Arguments = Record<string, unknown>;

export interface ServedTool {
  definition: Tool;
  call(ctx: RequestContext, args: Arguments, supportsTasks: boolean): Promise<CallToolResult>;
}

const rows = [...agentRoutes, ...decisionEventRoutes, ...mandateRoutes, ...evidenceRoutes];

type Row = (typeof rows)[number];
type RowOf<Id> = Extract<Row, { operationId: Id }>;
/** The result of the row with this operationId. */
type Shown<Id> = z.input<NonNullable<RowOf<Id>['response']>>;

/** The Proof API row behind a tool, run in this process with the caller's context. */
function rowRunner<Id extends Row['operationId']>(engine: Engine, operationId: Id) {
  const row = rows.find((each) => each.operationId === operationId)!;
  const prepared = prepareRow(engine, row);
  return {
    schemas: rowSchemas(row),
    checkAccess: prepared.checkAccess,
    async run(ctx: RequestContext, input: Partial<RawInput>): Promise<Shown<Id>> {
      prepared.checkAccess(ctx);
      await charge(ctx, prepared.cost - 1);
      const raw = { params: {}, query: {}, body: {}, idempotencyKey: null, ...input };
      return (await runRow(prepared, ctx, validInput(prepared, raw))).shown as Shown<Id>;
    },
  };
}

const eventId = {
  type: 'string',
  description: 'The eventId that request_decision gave.',
  examples: ['evt_01k9zq2m0000000000000000e1'],
};
const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'The same for every try at one action: the same key with the same arguments finds the same decision. 1 to 255 visible ASCII characters; it belongs to your API key.',
};

/** The properties of an object, with some prepended. */
function extended(
  schema: ObjectSchema,
  properties: ObjectSchema['properties'],
  required: string[] = [],
): ObjectSchema {
  return {
    ...schema,
    properties: { ...properties, ...schema.properties },
    required: [...required, ...(schema.required ?? [])],
  };
}

const dataOf = (schema: ObjectSchema) => schema.properties['data'] as ObjectSchema;

export function makeTools(engine: Engine, tasks: Tasks): Map<ToolName, ServedTool> {
  const decide = rowRunner(engine, 'decideAsAgent');
  const read = rowRunner(engine, 'getDecisionEvent');
  const report = rowRunner(engine, 'reportOutcome');
  const list = rowRunner(engine, 'listDecisionEvents');
  const requestMandate = rowRunner(engine, 'requestMandate');
  const mandates = rowRunner(engine, 'listMandates');
  const exported = rowRunner(engine, 'exportEvidence');
  const checkProof = makeProofCheck(engine);
  const onlyEventId = z.strictObject({ eventId: opaqueId });

  const tools: Record<ToolName, Omit<ServedTool, 'definition'> & { definition: Partial<Tool> }> = {
    request_decision: {
      definition: {
        inputSchema: extended(decide.schemas.body, { idempotencyKey }),
        outputSchema: decidedSchema(dataOf(decide.schemas.response)),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async call(ctx, { idempotencyKey: key, ...body }, supportsTasks) {
        const given = z.object({ key: z.string().optional() });
        const { key: known = null } = validated(given, { key }, 'proof');
        const { data } = await decide.run(ctx, { body, idempotencyKey: known });
        if (data.outcome === 'completed') {
          return toolResult(data, adviceOn(data));
        }
        // A repeated call may find the decision already made.
        const { task, result } = await tasks.get(ctx, data.eventId);
        if (result) return result;
        const statusMessage = adviceOnWaiting(data);
        if (supportsTasks) return { resultType: 'task', ...task, statusMessage } as unknown as CallToolResult;
        return toolResult(data, statusMessage);
      },
    },
    get_decision: {
      definition: {
        inputSchema: {
          type: 'object',
          properties: { eventId },
          required: ['eventId'],
          additionalProperties: false,
        },
        outputSchema: dataOf(read.schemas.response),
        annotations: { readOnlyHint: true },
      },
      async call(ctx, args) {
        const { eventId: id } = validated(onlyEventId, args, 'proof');
        return toolResult((await read.run(ctx, { params: { id } })).data);
      },
    },
    report_outcome: {
      definition: {
        inputSchema: extended(report.schemas.body, { eventId }, ['eventId']),
        outputSchema: dataOf(report.schemas.response),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async call(ctx, { eventId: id, ...body }) {
        const { eventId: known } = validated(onlyEventId, { eventId: id }, 'proof');
        return toolResult((await report.run(ctx, { params: { id: known }, body })).data);
      },
    },
    list_decisions: {
      definition: {
        inputSchema: list.schemas.query,
        outputSchema: list.schemas.response,
        annotations: { readOnlyHint: true },
      },
      call: async (ctx, args) => toolResult(await list.run(ctx, { query: asQuery(args) })),
    },
    request_mandate: {
      definition: {
        inputSchema: requestMandate.schemas.body,
        outputSchema: dataOf(requestMandate.schemas.response),
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      },
      async call(ctx, body) {
        const { data } = await requestMandate.run(ctx, { body });
        return toolResult(data, advice.mandateRequested);
      },
    },
    list_mandates: {
      definition: {
        inputSchema: mandates.schemas.query,
        outputSchema: mandates.schemas.response,
        annotations: { readOnlyHint: true },
      },
      call: async (ctx, args) => toolResult(await mandates.run(ctx, { query: asQuery(args) })),
    },
    verify_proof: {
      definition: {
        inputSchema: verifyInputSchema,
        outputSchema: verdictSchema,
        annotations: { readOnlyHint: true },
      },
      async call(ctx, args) {
        exported.checkAccess(ctx);
        const { evidenceId, document } = validated(proofToCheck, args, 'proof');
        // The request itself and the export count their own share.
        await charge(ctx, VERIFICATION_COST - (evidenceId === undefined ? 1 : EXPORT_COST));
        const proof =
          evidenceId === undefined ? document : await exported.run(ctx, { params: { id: evidenceId } });
        return toolResult(await checkProof(ctx, typeof proof === 'string' ? proof : JSON.stringify(proof)));
      },
    },
  };
  return new Map(
    (Object.keys(titles) as ToolName[]).map((name) => {
      const { definition, call } = tools[name];
      const described = { name, title: titles[name], description: descriptions[name], ...definition } as Tool;
      return [name, { call, definition: described }];
    }),
  );
}

/** What to do with a decision that is completed. */
function adviceOn({ dpu, claimedAt, reported }: Shown<'decideAsAgent'>['data']): string {
  if (reported) return advice.reported;
  if (claimedAt !== undefined) return advice.claimed;
  return dpu.status === 'sealed' ? advice.sealed : advice.notSealedYet;
}

/** A model can change its call, or request another mandate, if it knows why this one was not used. */
function adviceOnWaiting({ mandate }: Shown<'decideAsAgent'>['data']): string {
  if (!mandate || !('notUsed' in mandate)) return advice.waits;
  return `${advice.waits} The mandate ${mandate.id} was not used. ${mandate.notUsed}`;
}

/** REST query parameters are text; a model correctly sends numbers. */
const asQuery = (args: Arguments) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );

/** The REST response, and how a pending decision can have ended. */
function decidedSchema(schema: ObjectSchema): ObjectSchema {
  const properties: ObjectSchema['properties'] = {
    ...schema.properties,
    outcome: {
      type: 'string',
      enum: ['completed', 'awaiting_approval', 'rejected', 'expired'],
      description: 'Act only when it is completed.',
    },
    status: {
      type: 'string',
      description: 'The status of the event, once a decision that waited has ended.',
    },
    reason: { type: 'string', description: 'Why it was rejected.' },
    approvals: {
      type: 'array',
      items: { type: 'object' },
      description: 'Who approved or rejected it, and why, once a decision that waited has ended.',
    },
  };
  return { ...schema, properties };
}

/** Whether the caller of this request can follow a task. */
export function supportsTasks(envelope: unknown): boolean {
  const capabilities = (envelope as Record<string, { extensions?: Record<string, unknown> }> | undefined)?.[
    'io.modelcontextprotocol/clientCapabilities'
  ];
  const declared = capabilities?.extensions?.[TASKS_EXTENSION];
  return typeof declared === 'object' && declared !== null;
}
