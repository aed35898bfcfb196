-- When ENCRYPTION_KEY changes, the private half of a signing key is encrypted anew. Nothing else of its row may change.
CREATE FUNCTION guard_signing_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'private_key' = to_jsonb(OLD) - 'private_key' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER append_only_rows ON signing_key;
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON signing_key FOR EACH ROW EXECUTE FUNCTION guard_signing_key();
GRANT UPDATE (private_key) ON signing_key TO countersign_app;
