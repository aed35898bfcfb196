-- Passkeys belong to people and are not visible to a center. The choice of a seat depends on who could sign.
CREATE FUNCTION actors_with_passkeys(p_actor_ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
DECLARE
  declared text := coalesce(current_setting('cs.centers', true), '');
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  RETURN QUERY SELECT DISTINCT p.actor_id FROM passkey p WHERE p.actor_id = ANY (p_actor_ids) AND p.removed_at IS NULL;
  PERFORM set_config('cs.centers', declared, true);
END $$;
