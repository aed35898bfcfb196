-- Passkeys belong to people and are not seen from a center. Sealing needs to know since when, and whether, one counts, and that
-- this does not change before the seal is committed. Rows that somebody else has locked are left out unless it waits.
CREATE FUNCTION lock_passkeys(p_credential_ids text[], p_wait boolean)
RETURNS TABLE (credential_id text, created_at timestamptz, removed_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  declared text := coalesce(current_setting('cs.centers', true), '');
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  IF p_wait THEN
    RETURN QUERY SELECT p.credential_id, p.created_at, p.removed_at FROM passkey p
      WHERE p.credential_id = ANY (p_credential_ids) ORDER BY p.id FOR NO KEY UPDATE;
  ELSE
    RETURN QUERY SELECT p.credential_id, p.created_at, p.removed_at FROM passkey p
      WHERE p.credential_id = ANY (p_credential_ids) ORDER BY p.id FOR NO KEY UPDATE SKIP LOCKED;
  END IF;
  PERFORM set_config('cs.centers', declared, true);
END $$;

-- Notes when passkeys approved: a removal is not dated before it.
CREATE FUNCTION touch_passkeys(p_credential_ids text[], p_times timestamptz[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  declared text := coalesce(current_setting('cs.centers', true), '');
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  UPDATE passkey p SET last_used_at = greatest(p.last_used_at, t.at)
  FROM (SELECT u.id, max(u.at) AS at FROM unnest(p_credential_ids, p_times) AS u(id, at) GROUP BY u.id) t
  WHERE p.credential_id = t.id;
  PERFORM set_config('cs.centers', declared, true);
END $$;
