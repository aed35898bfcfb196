import { z } from 'zod';
import { routesOf } from '../../src/rest/route.ts';
import { graphql } from '../../src/schema/document.ts';

// Checked by tsc alone: each line marked with @ts-expect-error is a mistake that must not compile.

const route = routesOf({ tag: 'Example', auth: 'token' });

const row = {
  method: 'GET',
  path: '/example/{id}',
  operationId: 'example',
  summary: 'An example',
  params: z.object({ id: z.string() }),
  status: 200,
  errors: [],
} as const;
const document = graphql('query ($id: ID!) { dpu(id: $id) { id content } }');
const response = z.object({ data: z.object({ id: z.string(), content: z.string() }) });

export const rows = [
  route({
    ...row,
    errors: [],
    document,
    variables: ({ params }) => params,
    project: ({ dpu }) => ({ data: dpu }),
    response,
  }),
  route({
    ...row,
    errors: [],
    document,
    // @ts-expect-error the variable is missing
    variables: () => ({}),
    project: ({ dpu }) => ({ data: dpu }),
    response,
  }),
  route({
    ...row,
    errors: [],
    document,
    variables: ({ params }) => params,
    // @ts-expect-error the response shows a member that is not projected
    project: ({ dpu: { content: _, ...rest } }) => ({ data: rest }),
    response,
  }),
  route({
    ...row,
    errors: [],
    document,
    variables: ({ params }) => params,
    // @ts-expect-error the document does not select this member
    project: ({ dpu }) => ({ data: { ...dpu, content: dpu.domain } }),
    response,
  }),
  route({
    ...row,
    errors: [],
    document: graphql('query ($id: ID!) { dpu(id: $id) { id noSuchField } }'),
    variables: ({ params }) => params,
    // @ts-expect-error the document selects a field that the schema does not have
    project: ({ dpu }) => ({ data: { id: dpu.id, content: dpu.noSuchField } }),
    response,
  }),
];
