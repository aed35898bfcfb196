// Compares passkey rows and the keys of sealed signatures with the registrations on the audit chain.

import { disclosureDigest } from '@countersign/proof-kit/disclosure';
import { HASH_PREFIX } from '@countersign/proof-kit/record';
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql, typed } from '../../../../../db/sql.ts';
import { sha256Hex } from '../../../../../lib/crypto.ts';
import { ownerDisclosure, type PasskeySalts } from '../../../../audit/passkey-record.ts';
import type { ApprovalRow } from '../../../row.ts';
import type { Differences } from './difference.ts';

/** A change of a passkey on the platform's audit chain. */
interface PasskeyChange {
  change: unknown;
  fingerprint: unknown;
  /** Null if the entry does not name the person whose digest the record contains. */
  actorId: string | null;
  at: string;
  index: number;
}

/** The keys with their changes, in chain order. */
export type Registrations = ReadonlyMap<string, readonly PasskeyChange[]>;

const CHANGE_ROW = {
  actorId: 'text?',
  salts: typed<PasskeySalts | null>('jsonb'),
  content: 'text',
  at: 'text',
  index: 'int',
} as const;

const changesSql = (salted: string) => `
  SELECT e.actor_id AS "actorId", e.salts, r.content, r.timestamp AS at, r.index
  FROM audit_entry e
  JOIN ledger_chain c ON c.id = e.chain_id AND c.center_id IS NULL AND c.domain = 'audit'
  JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  WHERE e.detail->>'fingerprint' = ANY ($fingerprints) AND ${salted} ORDER BY r.index`;

const CHANGES = sql('changes_of_passkeys', CHANGE_ROW)`${changesSql('e.salts IS NOT NULL')}`;
/** Before passkey records had salts, their contents named the person in plain text. */
const OLD_CHANGES = sql('old_changes_of_passkeys', CHANGE_ROW)`${changesSql(
  `e.salts IS NULL AND e.center_id IS NULL AND e.type = 'api_key.changed'`,
)}`;

/** The registrations and removals of the given keys. */
export async function readRegistrations(
  db: Queryable,
  fingerprints: readonly string[],
): Promise<Registrations> {
  const wanted = [...new Set(fingerprints)];
  if (wanted.length === 0) return new Map();
  const rows = await CHANGES.rows(db, { fingerprints: wanted });
  const found = rows.map(changeIn);
  const known = new Set(found.map(({ fingerprint }) => fingerprint));
  const rest = wanted.filter((fingerprint) => !known.has(fingerprint));
  if (rest.length > 0) {
    const old = await OLD_CHANGES.rows(db, { fingerprints: rest });
    found.push(...old.map(changeIn));
  }
  return Map.groupBy(found, ({ fingerprint }) => String(fingerprint));
}

/** The record is authoritative. The row only identifies the person behind the digest. */
function changeIn({ content, salts, actorId, at, index }: RowOf<typeof CHANGE_ROW>): PasskeyChange {
  const sealed = JSON.parse(content) as { [name: string]: unknown };
  if (sealed['kind'] !== 'passkey') {
    const { change, fingerprint } = (sealed['detail'] ?? {}) as { [name: string]: unknown };
    return { change, fingerprint, actorId: sealed['actorId'] as string | null, at, index };
  }
  const { _sd: digests } = sealed['by'] as { _sd: string[] };
  const isOwner =
    salts !== null && actorId !== null && digests[0] === disclosureDigest(ownerDisclosure(salts, actorId));
  const fingerprint = String(sealed['fingerprint']).slice(HASH_PREFIX.length);
  return { change: sealed['change'], fingerprint, actorId: isOwner ? actorId : null, at, index };
}

export function fingerprintOf({ content: { signature } }: ApprovalRow): string | null {
  return signature === undefined ? null : sha256Hex(Buffer.from(signature.publicKey, 'base64url'));
}

/** When a key was registered, and where on the audit chain. */
export type Registration = Pick<PasskeyChange, 'at' | 'index'>;

/**
 * The registration of the key of a signed approval for its approver; null if it was not registered, or was removed before.
 * Undefined if the approval has no signature.
 */
export function registrationOf(
  registrations: Registrations,
  approval: ApprovalRow,
): Registration | null | undefined {
  const fingerprint = fingerprintOf(approval);
  if (fingerprint === null) return undefined;
  const { by, approvedAt } = approval.content;
  const last = registrations.get(fingerprint)?.findLast(({ at }) => at < approvedAt);
  if (last?.change !== 'registered') return null;
  const isErased = by.id === undefined && approval.erased?.['approvals.by.id'] !== undefined;
  return isErased || last.actorId === by.id ? last : null;
}

const PAGE = 500;

/** The passkeys of a center's members, or of all people. */
const ROWS = sql('compare_passkeys', {
  id: 'text',
  actorId: 'uuid',
  publicKey: 'bytea',
  fingerprint: 'text',
  isRemoved: 'boolean',
})`
  SELECT p.id, p.actor_id AS "actorId", p.public_key AS "publicKey", p.fingerprint, p.removed_at IS NOT NULL AS "isRemoved"
  FROM passkey p
  WHERE p.id > $after AND ($centerId::int IS NULL OR EXISTS (
    SELECT FROM membership m WHERE m.center_id = $centerId::int AND m.actor_id = p.actor_id))
  ORDER BY p.id LIMIT ${PAGE}`;

/** Passkey rows that do not match the audit chain: added, changed, or restored after their removal. */
export async function comparePasskeys(
  db: Queryable,
  centerId: number | null,
  found: Differences,
): Promise<void> {
  const chain = centerId === null ? 'audit' : '0/audit';
  for (let after = ''; !found.full; ) {
    const rows = await ROWS.rows(db, { centerId, after });
    const keys = rows.map(({ publicKey }) => sha256Hex(publicKey));
    const registrations = await readRegistrations(db, keys);
    for (const [i, row] of rows.entries()) {
      const last = registrations.get(keys[i]!)?.at(-1);
      const isRight =
        last?.actorId === row.actorId &&
        row.fingerprint === keys[i] &&
        last.change === (row.isRemoved ? 'removed' : 'registered');
      if (!isRight)
        found.add({ table: 'passkey', id: row.id, chain, index: last?.index ?? null, member: 'passkey' });
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
