import { lazy, Suspense } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents, useDecisionChanges } from '../../session/live-center.tsx';
import { FirstSteps } from './first-steps-query.ts';

// Most centers have done them.
const StepList = lazy(() => import('./step-list.tsx'));

/** What an administrator of a new center does first, until all of it is done or dismissed. */
export function FirstStepsPanel() {
  const read = useRead(FirstSteps, {});
  useAuditEvents('any', read.reload);
  useDecisionChanges(read.reload);
  if (!read.data) return null;
  const { steps: listed, dismissedAt } = read.data.firstSteps;
  if (dismissedAt !== null || listed.every(({ done }) => done)) return null;
  return (
    <Suspense>
      <StepList of={read.data.firstSteps} reload={read.reload} />
    </Suspense>
  );
}
