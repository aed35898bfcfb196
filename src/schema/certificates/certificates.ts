import { certificateInput, issueCertificate } from '../../domain/certificates/issue.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';

const access = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

const Certificate = builder.prismaObject('Certificate', {
  description: 'A digital certificate, proven by a sealed decision record.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the certificate.' }),
    learnerId: t.exposeID('learnerId', { description: 'The person who holds it.' }),
    title: t.exposeString('title', { description: 'What it certifies.' }),
    courseRef: t.exposeString('courseRef', { description: 'The course, as the learning host names it.' }),
    dpuId: t.exposeID('dpuId', { description: 'The decision record that proves it.' }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'When the center issued it.' }),
  }),
});

const IssueCertificateInput = builder
  .inputType('IssueCertificateInput', {
    description: 'A certificate to issue to a member of the center.',
    fields: (t) => ({
      learnerId: t.id({ required: true, description: 'Who gets it: an active member of the center.' }),
      title: t.string({ required: true, description: 'What it certifies.' }),
      courseRef: t.string({ required: true, description: 'The course, as the learning host names it.' }),
    }),
  })
  .validate(certificateInput);

builder.queryField('certificates', (t) =>
  t.prismaConnection({
    type: Certificate,
    cursor: 'id',
    extensions: keyedBy('crt'),
    description: 'Certificates issued by the center, newest first.',
    authScopes: { access },
    resolve: (query, _, __, ctx) => ctx.db.certificate.findMany({ ...query, orderBy: { id: 'desc' } }),
  }),
);

builder.mutationField('issueCertificate', (t) =>
  t.field({
    type: Certificate,
    description: 'Issues a certificate with a sealed decision record and tells subscribers.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: IssueCertificateInput,
        required: true,
        description: 'Who gets it, and for what.',
      }),
    },
    resolve: (_, { input }, ctx) => issueCertificate(ctx, input),
  }),
);
