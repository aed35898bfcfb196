import type { DpuStats as Stats } from '../../domain/dpus/counts.ts';
import type { SixW } from '../../domain/proof/six-w.ts';
import { builder } from '../builder.ts';

const CenterDpuStats = builder.objectRef<Stats['center']>('CenterDpuStats').implement({
  description: 'Counts of the current center.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'How many there are at all levels together.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'How many at each level.' }),
  }),
});

export const DpuStats = builder.objectRef<Stats>('DpuStats').implement({
  description: 'How many decision proof units there are.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'All of them, in every center.' }),
    byEvidenceLevel: t.expose('byEvidenceLevel', { type: 'JSON', description: 'How many at each level.' }),
    byVertical: t.expose('byVertical', { type: 'JSON', description: 'How many in each line of business.' }),
    center: t.expose('center', { type: CenterDpuStats, description: 'Those of the current center.' }),
  }),
});

export const Responsibility = builder.objectRef<SixW>('Responsibility').implement({
  description: 'Who answers for a decision, in six questions.',
  fields: (t) => ({
    who: t.expose('who', { type: 'JSON', description: 'Who decided, approved and reviewed.' }),
    what: t.expose('what', { type: 'JSON', description: 'What was decided, and about what.' }),
    when: t.expose('when', { type: 'JSON', description: 'When it happened, was recorded and sealed.' }),
    where: t.expose('where', {
      type: 'JSON',
      description: 'In which center, on which chain, at which place.',
    }),
    why: t.expose('why', { type: 'JSON', description: 'For which reasons, under which policy.' }),
    how: t.expose('how', { type: 'JSON', description: 'By which means, with which proof.' }),
  }),
});
