import { graphql } from '../../schema/document.ts';
import { exportDocument } from '../export-document.ts';
import { route } from '../route.ts';
import { dpuIdParam } from '../schemas.ts';

export const dpuExportRoutes = [
  route({
    method: 'GET',
    path: '/dpu/{id}/export',
    operationId: 'exportDpu',
    summary: 'The decision proof as a JSON-LD document that can be checked offline',
    tag: 'Decision proof units',
    auth: 'token',
    params: dpuIdParam,
    document: graphql(`query ($id: ID!) { dpuExport(id: $id) }`),
    variables: ({ params: { id } }) => ({ id }),
    project: ({ dpuExport }) => dpuExport,
    response: exportDocument,
    status: 200,
    contentType: 'application/ld+json',
    errors: [
      'TOKEN_EXPIRED',
      'NO_MEMBERSHIP',
      'MEMBERSHIP_SUSPENDED',
      'MEMBERSHIP_ENDED',
      'CENTER_SUSPENDED',
      'INSUFFICIENT_ROLE',
      'DPU_NOT_FOUND',
      'CHAIN_BROKEN',
    ],
  }),
];
