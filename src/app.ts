import type { NoteUse } from './domain/api-keys/authenticate.ts';
import type { CenterReader } from './domain/centers/read-centers.ts';
import type { Infrastructure } from './domain/context.ts';
import type { Recorder } from './domain/decisions/draft.ts';
import type { ListedRow } from './domain/decisions/row.ts';
import type { DpuFinder } from './domain/dpus/dpu.ts';
import type { Sandbox } from './domain/expressions/sandbox/sandbox.ts';
import type { NoteSessionUse } from './domain/identity/authenticate.ts';
import type { PrincipalCache } from './domain/identity/principal-cache.ts';
import type { TokenVerifier } from './domain/identity/tokens.ts';
import type { CheckpointFile } from './domain/ledger/notes/file.ts';
import type { Sealer } from './domain/ledger/sealer/sealer.ts';
import type { Coalesce } from './lib/coalesce.ts';

/** Everything that lives as long as the process. Domain functions see only the parts they declare. */
export interface App extends Infrastructure {
  /** Stores checkpoints outside the database. */
  checkpointFile: CheckpointFile;
  noteKeyUse: NoteUse;
  noteSessionUse: NoteSessionUse;
  verifyToken: TokenVerifier;
  /** The principals of recently seen tokens and keys. */
  principals: PrincipalCache;
  /** Appends to the hash chains in group commits. */
  sealer: Sealer;
  /** Writes decision events with their journal entries in batches. */
  recorder: Recorder;
  /** Reads a page of decision events once for equal requests made at the same time. */
  coalesceEventPages: Coalesce<ListedRow[]>;
  /** Reads centers as their members see them, in batches. */
  readCenter: CenterReader;
  /** Reads decision proof units in batches. */
  findDpu: DpuFinder;
  /** Evaluates the expressions that tenants write. */
  sandbox: Sandbox;
  close(): Promise<void>;
}
