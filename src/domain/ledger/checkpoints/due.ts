import type { App } from '../../app.ts';
import { HistoryChanged } from './finding.ts';
import { makeCheckpoint } from './make.ts';

const PAGE = 500;
/** The timer ticks on the minute: a checkpoint a few seconds younger than its interval is due all the same. */
const SLACK_SECONDS = 30;

/**
 * Signs every chain that is not what its newest checkpoint says. One that has shrunk is among them: the signer will
 * refuse and say so. One chain in trouble does not keep the others from being signed.
 */
export async function makeDueCheckpoints(app: App): Promise<void> {
  for (let after = 0; ; ) {
    const chains = await dueChains(app, after);
    for (const chainId of chains) {
      await makeCheckpoint(app, chainId).catch((error: unknown) => {
        if (!(error instanceof HistoryChanged))
          app.log.error({ err: error, chainId }, 'could not make a checkpoint');
      });
    }
    if (chains.length < PAGE) return;
    after = chains.at(-1)!;
  }
}

async function dueChains(app: App, after: number): Promise<number[]> {
  const { rows } = await app.db.pool.query<{ id: number }>(
    `SELECT c.id FROM ledger_chain c
     LEFT JOIN LATERAL (
       SELECT k.size, k.created_at FROM checkpoint k WHERE k.chain_id = c.id ORDER BY k.size DESC LIMIT 1
     ) latest ON true
     WHERE c.id > $1 AND c.size <> coalesce(latest.size, 0)
       AND coalesce(latest.created_at, '-infinity') <= now() - make_interval(secs => $2)
     ORDER BY c.id LIMIT $3`,
    [after, app.config.checkpoints.everySeconds - SLACK_SECONDS, PAGE],
  );
  return rows.map(({ id }) => id);
}
