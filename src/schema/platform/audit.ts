import { auditFilter } from '../../domain/audit/list-entries.ts';
import { sliceOfPlatformAudit } from '../../domain/platform/audit.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { PartnerAuditEntry } from '../partners/audit.ts';

builder.queryField('platformAudit', (t) =>
  t.connection({
    type: PartnerAuditEntry,
    description: 'The audit log of the whole installation, newest first. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    args: {
      types: t.arg.stringList({
        description: 'Only entries of these types; all types if omitted.',
        validate: auditFilter.shape.types,
      }),
      centerId: t.arg.int({ description: 'Only entries of the center with this id.' }),
      from: t.arg({ type: 'DateTime', description: 'Only entries from this time on.' }),
      to: t.arg({ type: 'DateTime', description: 'Only entries before this time.' }),
    },
    resolve: (_, { types, centerId, from, to, ...args }, ctx) =>
      connectionById('aud', args, (window) =>
        sliceOfPlatformAudit(
          ctx,
          { types: types as Parameters<typeof sliceOfPlatformAudit>[1]['types'], centerId, from, to },
          window,
        ),
      ),
  }),
);
