import { attendanceInput, type attendanceMethods, recordAttendance } from '../../domain/attendance/record.ts';
import { builder } from '../builder.ts';
import { keyedBy } from '../cursors.ts';
import { worded } from '../enum-values.ts';

const access = { roles: ['ADMIN', 'INSTRUCTOR'] } as const;

const AttendanceMethod = builder.enumType('AttendanceMethod', {
  description: 'How an attendance was confirmed: a scanned code, a workshop list, or by hand.',
  values: worded<(typeof attendanceMethods)[number]>({
    qr: 'The attendee scanned a code.',
    workshop: 'The list of a workshop names the attendee.',
    manual: 'Somebody of the center confirmed it by hand.',
  }),
});

const Attendance = builder.prismaObject('Attendance', {
  description: 'A confirmed attendance, proven by a decision record.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the attendance.' }),
    attendeeId: t.exposeID('attendeeId', { description: 'The person who was there.' }),
    sessionRef: t.exposeString('sessionRef', {
      description: 'The session attended, as the learning host names it.',
    }),
    method: t.exposeString('method', { description: 'How it was confirmed.' }),
    dpuId: t.exposeID('dpuId', { description: 'The decision record that proves it.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it took place.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was confirmed.' }),
  }),
});

const RecordAttendanceInput = builder
  .inputType('RecordAttendanceInput', {
    description: 'An attendance to confirm: who, where, when, and how it is known.',
    fields: (t) => ({
      attendeeId: t.id({ required: true, description: 'Who was there: an active member of the center.' }),
      sessionRef: t.string({ required: true, description: 'The session, as the learning host names it.' }),
      method: t.field({ type: AttendanceMethod, required: true, description: 'How it was confirmed.' }),
      occurredAt: t.field({ type: 'DateTime', description: 'When it took place; now when not given.' }),
    }),
  })
  .validate(attendanceInput);

builder.queryField('attendances', (t) =>
  t.prismaConnection({
    type: Attendance,
    cursor: 'id',
    extensions: keyedBy('att'),
    description: 'Confirmed attendances of the center, newest first.',
    authScopes: { access },
    resolve: (query, _, __, ctx) => ctx.db.attendance.findMany({ ...query, orderBy: { id: 'desc' } }),
  }),
);

builder.mutationField('recordAttendance', (t) =>
  t.field({
    type: Attendance,
    description:
      'Confirms an attendance with a decision record and tells subscribers; confirming it again changes nothing.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: RecordAttendanceInput,
        required: true,
        description: 'Who was there, and how it is known.',
      }),
    },
    resolve: (_, { input }, ctx) => recordAttendance(ctx, input),
  }),
);
