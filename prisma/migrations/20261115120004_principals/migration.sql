-- Processes keep in memory who stands behind a token or a key. These triggers tell all of them when something that this
-- rests on has changed, whichever code or person changed it. The setting tells the same to the transaction itself, so
-- that the process that makes the change can forget what it knows before it answers.
CREATE FUNCTION tell_principals(tag text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('countersign', json_build_object('topic', 'principals', 'message', json_build_object('id', tag))::text);
  PERFORM set_config('countersign.principals_changed', 'yes', true);
END $$;

-- Arguments: the kind of thing, and the column that names it; without a column everybody may be concerned.
CREATE FUNCTION principals_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 1 THEN
    PERFORM tell_principals(TG_ARGV[0]);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND to_jsonb(OLD) ->> TG_ARGV[1] IS NOT NULL THEN
    PERFORM tell_principals(TG_ARGV[0] || ':' || (to_jsonb(OLD) ->> TG_ARGV[1]));
  END IF;
  IF TG_OP <> 'DELETE' AND to_jsonb(NEW) ->> TG_ARGV[1] IS NOT NULL
    AND (TG_OP = 'INSERT' OR to_jsonb(NEW) ->> TG_ARGV[1] IS DISTINCT FROM to_jsonb(OLD) ->> TG_ARGV[1]) THEN
    PERFORM tell_principals(TG_ARGV[0] || ':' || (to_jsonb(NEW) ->> TG_ARGV[1]));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER principals_session_changed AFTER UPDATE ON session FOR EACH ROW
  WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR NEW.expires_at < OLD.expires_at OR OLD.actor_id <> NEW.actor_id)
  EXECUTE FUNCTION principals_changed('session', 'id');
CREATE TRIGGER principals_session_gone AFTER DELETE ON session FOR EACH ROW
  EXECUTE FUNCTION principals_changed('session', 'id');

-- A new or changed address can tie anybody to anybody.
CREATE TRIGGER principals_actor_tied AFTER INSERT OR DELETE OR UPDATE OF email, phone ON actor FOR EACH ROW
  EXECUTE FUNCTION principals_changed('all');
CREATE TRIGGER principals_actor_changed AFTER UPDATE OF name, base_role, platform_admin ON actor FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'id');

CREATE TRIGGER principals_membership_changed
  AFTER INSERT OR DELETE OR UPDATE OF status, role, actor_id, center_id ON membership FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'actor_id');
CREATE TRIGGER principals_partner_membership_changed AFTER INSERT OR DELETE OR UPDATE ON partner_membership FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'actor_id');

CREATE TRIGGER principals_center_changed AFTER UPDATE OF status, center_domain ON center FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.center_domain <> NEW.center_domain)
  EXECUTE FUNCTION principals_changed('center', 'id');
CREATE TRIGGER principals_center_gone AFTER DELETE ON center FOR EACH ROW
  EXECUTE FUNCTION principals_changed('center', 'id');

CREATE TRIGGER principals_key_changed
  AFTER UPDATE OF revoked_at, expires_at, scopes, rate_per_minute, center_id, secret_hash, public_id ON api_key FOR EACH ROW
  EXECUTE FUNCTION principals_changed('key', 'id');
CREATE TRIGGER principals_key_gone AFTER DELETE ON api_key FOR EACH ROW
  EXECUTE FUNCTION principals_changed('key', 'id');
