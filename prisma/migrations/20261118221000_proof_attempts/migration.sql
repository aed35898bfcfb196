-- Attempts to confirm a session with a password or a passkey since the last successful one.
ALTER TABLE "session" ADD COLUMN "proof_attempts" INTEGER NOT NULL DEFAULT 0;
