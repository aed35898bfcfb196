import type { State } from '../../text/labels.ts';
import { stateColumn } from '../../ui/state-pill.tsx';

/** Whether an account can sign in. */
export const accountState = ({ suspendedAt }: { suspendedAt: string | null }): State =>
  suspendedAt ? ['Suspended', 'bad'] : ['Active', 'good'];

export const accountStatus = stateColumn('Status', accountState);
