import { everyRole } from '../../domain/access.ts';
import { certificateInput, issueCertificate, learnerNames } from '../../domain/certificates/issue.ts';
import { visibleCertificates } from '../../domain/certificates/visible-certificates.ts';
import { newestFirst } from '../../lib/paging.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { columns } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const access = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;
const readers = { roles: everyRole };

const learnerName = makeLoader(learnerNames);

const Certificate = builder.prismaObject('Certificate', {
  description: 'A certificate that the center issued to a learner, with its sealed decision record.',
  fields: (t) => ({
    ...columns(t, {
      title: 'What the certificate is for, as printed on it.',
      courseRef: 'The course, as it is named on the learning host.',
      issuedAt: 'When the center issued it, in UTC.',
    }),
    id: t.exposeID('id', { description: 'The id of the certificate, `crt_…`.' }),
    learnerId: t.exposeID('learnerId', { description: 'The id of the holder, a UUID.' }),
    learnerName: t.string({
      description: 'The name of the holder; empty once it is erased.',
      resolve: async ({ learnerId }, _, ctx) => (await learnerName(ctx, learnerId)) ?? '',
    }),
    dpuId: t.exposeID('dpuId', { description: 'The id of the decision record that proves it, `dpu_…`.' }),
  }),
});

const IssueCertificateInput = inputType('IssueCertificateInput', certificateInput, {
  description: 'A certificate to issue to a member of the center.',
});

builder.queryField('certificate', (t) =>
  t.prismaField({
    type: Certificate,
    nullable: true,
    description:
      'A certificate of the center. A PARENT reads those of the linked children and their own, a CHILD their own.',
    authScopes: { access: readers },
    args: { id: t.arg.id({ required: true, description: 'The id of the certificate, `crt_…`.' }) },
    resolve: async (query, _, { id }, ctx) =>
      ctx.db.certificate.findFirst({
        ...query,
        where: { AND: [{ id: String(id) }, await visibleCertificates(ctx)] },
      }),
  }),
);

builder.queryField('certificates', (t) =>
  t.connection({
    type: Certificate,
    description:
      'Certificates issued by the center, newest first. A PARENT reads those of the linked children and their own, a CHILD their own.',
    extensions: { fromReplica: true },
    authScopes: { access: readers },
    resolve: (_, args, ctx, info) =>
      rowsById('crt', { args, ctx, info }, async (window, query) =>
        ctx.db.certificate.findMany({ ...query, ...newestFirst(window, await visibleCertificates(ctx)) }),
      ),
  }),
);

builder.mutationField('issueCertificate', (t) =>
  t.field({
    type: Certificate,
    description: 'Issues a certificate with a sealed decision record and emits an event.',
    authScopes: { access },
    args: inputArg(IssueCertificateInput, 'The holder, the title and the course.'),
    resolve: (_, { input }, ctx) => issueCertificate(ctx, input),
  }),
);
