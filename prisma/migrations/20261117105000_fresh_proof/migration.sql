-- When a session was last proven with a password or a passkey. Sessions from before were proven when they were opened.
ALTER TABLE session ADD COLUMN proven_at timestamptz(3);
SET LOCAL cs.centers = '*';
UPDATE session SET proven_at = created_at;
