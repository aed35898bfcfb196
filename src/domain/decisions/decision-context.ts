import type { Coalesce } from '../../lib/coalesce.ts';
import type { Context, Infrastructure } from '../context.ts';
import type { DpuServices } from '../dpus/dpu.ts';
import type { Sandbox } from '../expressions/sandbox/sandbox.ts';
import type { LedgerServices } from '../ledger/ledger-app.ts';
import type { Recorder } from './draft.ts';
import type { ListedRow } from './row.ts';

/** The services needed to record, approve and prove decisions. */
interface ProofServices extends LedgerServices, DpuServices {
  recorder: Recorder;
  coalesceEventPages: Coalesce<ListedRow[]>;
  sandbox: Sandbox;
}

export type ProofContext = Context<ProofServices>;
export type ProofApp = Infrastructure & ProofServices;
