// Indexes a file of checkpoints as the service does at start, and reports how many chains it found.
import { openCheckpointFile } from '../../src/domain/ledger/notes/file.ts';

const file = openCheckpointFile(process.env['CHECKPOINT_FILE']!);
await file.refresh();
// Keeps running until stopped, so that its memory can be measured.
setInterval(() => {}, 60_000);
process.send!({ port: [...file.origins()].length });
