import { attendanceInput, type attendanceMethods, recordAttendance } from '../../domain/attendance/record.ts';
import { actorNamesOf } from '../../domain/audit/names.ts';
import { newestFirst } from '../../lib/paging.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { rowsById } from '../connections.ts';
import { enumType } from '../enum-types.ts';
import { columns } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const nameOf = makeLoader(actorNamesOf);
const access = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

const AttendanceMethod = enumType<(typeof attendanceMethods)[number]>(
  'AttendanceMethod',
  'How an attendance was confirmed: a scanned code, a workshop list, or by hand.',
  {
    qr: 'The attendee scanned a code.',
    workshop: 'The attendee is on the list of a workshop.',
    manual: 'Confirmed manually by the center.',
  },
);

const Attendance = builder.prismaObject('Attendance', {
  description: 'The confirmed presence of a person at a session, with its decision record.',
  fields: (t) => ({
    ...columns(t, {
      sessionRef: 'The attended session, as it is named on the learning host.',
      method: 'How the attendance was confirmed: qr, workshop or manual.',
      occurredAt: 'When the attendance took place, in UTC.',
      createdAt: 'When it was confirmed, in UTC.',
    }),
    id: t.exposeID('id', { description: 'The id of the attendance, `att_…`.' }),
    attendeeId: t.exposeID('attendeeId', { description: 'The id of the person who attended, a UUID.' }),
    attendeeName: t.string({
      nullable: true,
      description: 'The name of the attendee; null if the person is no longer a member of the center.',
      complexity: 2,
      resolve: async ({ attendeeId }, _, ctx) => (await nameOf(ctx, attendeeId)) ?? null,
    }),
    dpuId: t.exposeID('dpuId', { description: 'The id of the decision record that proves it, `dpu_…`.' }),
  }),
});

const RecordAttendanceInput = inputType('RecordAttendanceInput', attendanceInput, {
  description: 'Who attended which session, and how that was confirmed.',
  types: { method: AttendanceMethod },
});

builder.queryField('attendances', (t) =>
  t.connection({
    type: Attendance,
    description: 'Confirmed attendances of the center, newest first.',
    extensions: { fromReplica: true },
    authScopes: { access },
    resolve: (_, args, ctx, info) =>
      rowsById('att', { args, ctx, info }, (window, query) =>
        ctx.db.attendance.findMany({ ...query, ...newestFirst(window) }),
      ),
  }),
);

builder.mutationField('recordAttendance', (t) =>
  t.field({
    type: Attendance,
    description:
      'Confirms an attendance with a decision record and emits an event. Confirming it again has no effect.',
    authScopes: { access },
    args: inputArg(RecordAttendanceInput, 'The attendee and the method of confirmation.'),
    resolve: (_, { input }, ctx) => recordAttendance(ctx, input),
  }),
);
