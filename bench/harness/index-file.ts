// Indexes a file of checkpoints as the service does when it starts, and tells how many chains it found.
import { openCheckpointFile } from '../../src/domain/ledger/checkpoints/file.ts';

const file = openCheckpointFile(process.env['CHECKPOINT_FILE']!);
await file.refresh();
// Stays to be looked at until it is ended.
setInterval(() => {}, 60_000);
process.send!({ port: [...file.origins()].length });
