-- Records of passkeys name the person by a salted digest, so that exports can carry them.
ALTER TABLE "audit_entry" ADD COLUMN "salts" JSONB;

-- The records of a key, by its fingerprint.
CREATE INDEX audit_entry_passkey_idx ON audit_entry ((detail->>'fingerprint')) WHERE salts IS NOT NULL;
