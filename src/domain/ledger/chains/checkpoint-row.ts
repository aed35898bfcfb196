import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import type { RowOf } from '../../../db/sql.ts';

export const CHECKPOINT_COLUMNS = `id, chain_id AS "chainId", size, root_hash AS "rootHash", head_hash AS "headHash", note,
                 key_id AS "keyId", log, log_index AS "logIndex", created_at AS "createdAt"`;

/** Newest first. A chain that stands still is signed again when its signer retires, so one size can have two checkpoints. */
export const NEWEST_FIRST = 'size DESC, log DESC, log_index DESC';

export const CHECKPOINT_ROW = {
  id: 'text',
  chainId: 'int',
  size: 'int',
  rootHash: 'text',
  headHash: 'text',
  note: 'text',
  keyId: 'text',
  log: 'int',
  logIndex: 'bigint',
  createdAt: 'timestamptz',
} as const;

export const checkpointOf = (row: RowOf<typeof CHECKPOINT_ROW>): Checkpoint => ({
  ...row,
  logIndex: BigInt(row.logIndex),
});
