import { z } from 'zod';
import { executeWorkflowInput } from '../../domain/workflows/manage-executions.ts';
import { doc, example } from '../../lib/doc.ts';
import { opaqueId } from '../../lib/text.ts';
import { graphql } from '../../schema/document.ts';
import { nodesOf, ok } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { evidenceLevel, ids, notNull, positive, success, timestamp, vertical } from '../schemas.ts';

const workflowShape = z
  .object({
    id: z.string().meta(ids.workflow),
    name: z.string().meta(example('Weekly report')),
    type: z.enum(['SCHEDULED', 'MANUAL', 'EVENT']).meta(example('SCHEDULED')),
    status: z.enum(['ACTIVE', 'PAUSED']).meta(example('ACTIVE')),
    vertical,
    lastRun: timestamp.nullable().describe('When its last execution began, in UTC; null before the first.'),
  })
  .meta({ id: 'Workflow' });

const executionStatus = z.enum(['RUNNING', 'AWAITING_REVIEW', 'COMPLETED', 'FAILED', 'CANCELLED']);

const executionShape = z
  .object({
    executionId: z.string().meta(doc('The id of the execution, `exe_…`.', 'exe_01k9zq2m0000000000000000x1')),
    status: executionStatus,
    startedAt: timestamp,
    completedAt: timestamp.nullable(),
    dpuId: z.string().nullable().meta(example('dpu_01k9zq2m0000000000000000d1')),
    evidenceLevel: evidenceLevel.nullable(),
  })
  .meta({ id: 'WorkflowExecution' });

const startedShape = executionShape
  .pick({ executionId: true, status: true, startedAt: true })
  .meta({ graphqlType: 'WorkflowExecution' });

const workflowParam = z.object({ workflowId: opaqueId.meta(ids.workflow) });

/** The page maximum; a center cannot have more workflows than that. */
const MOST = 100;

const limitQuery = z.object({
  limit: positive
    .transform((limit) => Math.min(limit, MOST))
    .optional()
    .meta(doc('How many items to return; more than 100 counts as 100. Default: 50.', 20)),
});

const toExecution = <T extends { id: string }>({ id, ...rest }: T) => ({ executionId: id, ...rest });

const route = routesOf({
  tag: 'Workflows',
  auth: 'token',
  errors: ['TOKEN_EXPIRED', 'NO_MEMBERSHIP', 'INSUFFICIENT_ROLE', 'FEATURE_DISABLED'],
});

export const workflowRoutes = [
  route({
    method: 'GET',
    path: '/workflows',
    operationId: 'listWorkflows',
    summary: "The current center's workflows",
    document: graphql(`
      query {
        workflows(first: ${MOST}) { edges { node { id name type status vertical lastRun } } }
      }`),
    project: ({ workflows }) => ok(nodesOf(workflows)),
    response: success(z.array(workflowShape)),
  }),
  route({
    method: 'POST',
    path: '/workflows/{workflowId}/execute',
    operationId: 'executeWorkflow',
    summary: 'Start a workflow manually',
    params: workflowParam,
    body: z.object({
      parameters: notNull(executeWorkflowInput.shape.parameters).meta(
        doc('The values that its steps read as `parameters`, an object. Default: none.', {}),
      ),
    }),
    bodyOptional: true,
    document: graphql(`
      mutation ($input: ExecuteWorkflowInput!) {
        executeWorkflow(input: $input) { id status startedAt }
      }`),
    variables: ({ params, body }) => ({
      input: { id: params.workflowId, parameters: body.parameters ?? {} },
    }),
    project: ({ executeWorkflow }) => ok(toExecution(executeWorkflow)),
    response: success(startedShape),
    errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'],
  }),
  route({
    method: 'GET',
    path: '/workflows/{workflowId}/executions',
    operationId: 'listWorkflowExecutions',
    summary: "A workflow's executions, newest first",
    params: workflowParam,
    query: limitQuery,
    document: graphql(`
      query ($id: ID!, $first: Int!) {
        workflowExecutions(workflowId: $id, first: $first) {
          edges { node { id status startedAt completedAt dpuId evidenceLevel } }
        }
      }`),
    variables: ({ params, query }) => ({ id: params.workflowId, first: query.limit ?? 50 }),
    project: ({ workflowExecutions }) => ok(nodesOf(workflowExecutions).map(toExecution)),
    response: success(z.array(executionShape)),
    errors: ['NOT_FOUND'],
  }),
];
