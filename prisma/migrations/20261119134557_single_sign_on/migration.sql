-- CreateEnum
CREATE TYPE "group_source" AS ENUM ('CONSOLE', 'SCIM');

-- CreateEnum
CREATE TYPE "sign_in_purpose" AS ENUM ('SIGN_IN', 'TEST', 'LINK', 'CONFIRM');

-- AlterTable
ALTER TABLE "approval_group" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "source" "group_source" NOT NULL DEFAULT 'CONSOLE',
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "membership" ADD COLUMN     "emergency_access" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "suspended_by_directory" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "actor" ADD COLUMN     "contact_email" TEXT,
ADD COLUMN     "home_center_id" INTEGER;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "client_id" TEXT,
ADD COLUMN     "identity_id" TEXT,
ADD COLUMN     "provider_sid" TEXT;

-- CreateTable
CREATE TABLE "identity_provider" (
    "center_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" TEXT NOT NULL,
    "scopes" TEXT[],
    "groups_claim" TEXT,
    "role_by_group" JSONB NOT NULL DEFAULT '[]',
    "default_role" "actor_role",
    "required_claims" JSONB NOT NULL DEFAULT '[]',
    "external_id_claim" TEXT NOT NULL DEFAULT 'sub',
    "create_on_sign_in" BOOLEAN NOT NULL DEFAULT true,
    "session_hours" INTEGER NOT NULL DEFAULT 12,
    "required" BOOLEAN NOT NULL DEFAULT false,
    "tested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_provider_pkey" PRIMARY KEY ("center_id")
);

-- CreateTable
CREATE TABLE "identity" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "email" TEXT,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "linked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sign_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "identity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_flow" (
    "state_hash" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "purpose" "sign_in_purpose" NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secrets" TEXT NOT NULL,
    "next" TEXT,
    "test_id" TEXT,
    "session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_flow_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "sign_in_ticket" (
    "token_hash" TEXT NOT NULL,
    "purpose" "sign_in_purpose" NOT NULL,
    "center_id" INTEGER NOT NULL,
    "session_id" TEXT NOT NULL,
    "test_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_ticket_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "waiting_identity" (
    "browser_hash" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "membership_id" TEXT NOT NULL,
    "claims" JSONB NOT NULL,
    "next" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_hash" TEXT,

    CONSTRAINT "waiting_identity_pkey" PRIMARY KEY ("browser_hash")
);

-- CreateTable
CREATE TABLE "provider_test" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "actor_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "settings" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_test_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_failure" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,

    CONSTRAINT "provider_failure_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "seen_code" (
    "code_hash" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seen_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "used_logout_token" (
    "token_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_logout_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "email_domain" (
    "center_id" INTEGER NOT NULL,
    "domain" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "misses" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "email_domain_pkey" PRIMARY KEY ("center_id","domain")
);

-- CreateTable
CREATE TABLE "scim_token" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_user" (
    "membership_id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "display_name" TEXT,
    "name" JSONB,
    "emails" JSONB NOT NULL DEFAULT '[]',
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_user_pkey" PRIMARY KEY ("membership_id")
);

-- CreateIndex
CREATE INDEX "identity_actor_id_idx" ON "identity"("actor_id");

-- CreateIndex
CREATE INDEX "identity_center_id_email_idx" ON "identity"("center_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "identity_center_id_issuer_subject_key" ON "identity"("center_id", "issuer", "subject");

-- CreateIndex
CREATE INDEX "sign_in_flow_expires_at_idx" ON "sign_in_flow"("expires_at");

-- CreateIndex
CREATE INDEX "sign_in_ticket_expires_at_idx" ON "sign_in_ticket"("expires_at");

-- CreateIndex
CREATE INDEX "waiting_identity_expires_at_idx" ON "waiting_identity"("expires_at");

-- CreateIndex
CREATE INDEX "provider_test_center_id_idx" ON "provider_test"("center_id");

-- CreateIndex
CREATE INDEX "provider_test_expires_at_idx" ON "provider_test"("expires_at");

-- CreateIndex
CREATE INDEX "provider_failure_center_id_id_idx" ON "provider_failure"("center_id", "id" DESC);

-- CreateIndex
CREATE INDEX "seen_code_expires_at_idx" ON "seen_code"("expires_at");

-- CreateIndex
CREATE INDEX "used_logout_token_expires_at_idx" ON "used_logout_token"("expires_at");

-- CreateIndex
CREATE INDEX "email_domain_domain_idx" ON "email_domain"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "scim_token_public_id_key" ON "scim_token"("public_id");

-- CreateIndex
CREATE INDEX "scim_token_center_id_id_idx" ON "scim_token"("center_id", "id");

-- CreateIndex
CREATE INDEX "scim_user_center_id_user_name_key_idx" ON "scim_user"("center_id", "user_name_key");

-- CreateIndex
CREATE INDEX "scim_user_center_id_external_id_idx" ON "scim_user"("center_id", "external_id");

-- CreateIndex
CREATE INDEX "scim_user_center_id_email_idx" ON "scim_user"("center_id", "email");

-- CreateIndex
CREATE INDEX "actor_home_center_id_contact_email_idx" ON "actor"("home_center_id", "contact_email");

-- CreateIndex
CREATE INDEX "session_identity_id_idx" ON "session"("identity_id");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identity"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity_provider" ADD CONSTRAINT "identity_provider_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_domain" ADD CONSTRAINT "email_domain_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_token" ADD CONSTRAINT "scim_token_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_user" ADD CONSTRAINT "scim_user_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "membership"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Rules that Prisma cannot express ------------------------------------------------------------------------------------

-- Families, sign-in, password resets, invitations and platform administrators go by address. A person of a center has none.
ALTER TABLE "actor" ADD CONSTRAINT actor_of_a_center
  CHECK (home_center_id IS NULL OR (email IS NULL AND phone IS NULL AND password_hash IS NULL AND NOT platform_admin));
ALTER TABLE "actor" ADD CONSTRAINT "actor_home_center_id_fkey"
  FOREIGN KEY ("home_center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "identity" ADD CONSTRAINT "identity_center_id_fkey"
  FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A person of a center is bound to that center, whatever code writes the row.
CREATE FUNCTION refuse_foreign_home() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home int;
  declared text := current_setting('cs.centers', true);
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  SELECT home_center_id INTO home FROM actor WHERE id = NEW.actor_id;
  PERFORM set_config('cs.centers', coalesce(declared, ''), true);
  IF home IS NOT NULL AND home IS DISTINCT FROM (to_jsonb(NEW) ->> 'center_id')::int THEN
    RAISE EXCEPTION 'actor % exists only in center %', NEW.actor_id, home USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_foreign_home BEFORE INSERT OR UPDATE OF actor_id, center_id ON membership
  FOR EACH ROW WHEN (NEW.actor_id IS NOT NULL) EXECUTE FUNCTION refuse_foreign_home();
CREATE TRIGGER refuse_foreign_home BEFORE INSERT OR UPDATE OF actor_id, center_id ON identity
  FOR EACH ROW EXECUTE FUNCTION refuse_foreign_home();
CREATE TRIGGER refuse_foreign_home BEFORE INSERT OR UPDATE OF actor_id ON partner_membership
  FOR EACH ROW EXECUTE FUNCTION refuse_foreign_home();

-- A domain belongs to one center.
CREATE UNIQUE INDEX email_domain_verified_key ON email_domain (domain) WHERE verified_at IS NOT NULL;
-- Names of users who have not left are unique in a center, in any case. So are the directory's own ids.
CREATE UNIQUE INDEX scim_user_name_key ON scim_user (center_id, user_name_key) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX scim_user_external_id_key ON scim_user (center_id, external_id) WHERE ended_at IS NULL;

-- A user of the directory ends with the membership, whoever ends it.
CREATE FUNCTION end_scim_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE scim_user SET ended_at = coalesce(NEW.ended_at, now()) WHERE membership_id = NEW.id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_scim_user AFTER UPDATE OF status ON membership FOR EACH ROW
  WHEN (NEW.status IN ('ENDED', 'REJECTED') AND OLD.status <> NEW.status) EXECUTE FUNCTION end_scim_user();

-- Rights and row-level security -----------------------------------------------------------------------------------------

GRANT SELECT, INSERT, UPDATE, DELETE ON identity_provider, identity, sign_in_flow, sign_in_ticket, waiting_identity, provider_test,
  provider_failure, seen_code, used_logout_token, email_domain, scim_token, scim_user TO countersign_app;

DO $$
DECLARE
  secured text;
BEGIN
  FOREACH secured IN ARRAY ARRAY['identity_provider', 'identity', 'sign_in_flow', 'sign_in_ticket', 'waiting_identity', 'provider_test',
    'provider_failure', 'email_domain', 'scim_token', 'scim_user'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY declared ON %I USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]))', secured);
  END LOOP;
END $$;
ALTER TABLE used_logout_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE used_logout_token FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON used_logout_token USING ((SELECT declared_everywhere()));
ALTER TABLE seen_code ENABLE ROW LEVEL SECURITY;
ALTER TABLE seen_code FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON seen_code USING ((SELECT declared_everywhere()));

-- Cached principals -----------------------------------------------------------------------------------------------------

-- Only an actor with an address can belong to a family, so an import of people of a center leaves the caches alone.
DROP TRIGGER principals_actor_tied ON actor;
CREATE TRIGGER principals_actor_added AFTER INSERT ON actor FOR EACH ROW
  WHEN (NEW.email IS NOT NULL OR NEW.phone IS NOT NULL) EXECUTE FUNCTION principals_changed('all');
CREATE TRIGGER principals_actor_gone AFTER DELETE ON actor FOR EACH ROW
  WHEN (OLD.email IS NOT NULL OR OLD.phone IS NOT NULL) EXECUTE FUNCTION principals_changed('all');
CREATE TRIGGER principals_actor_tied AFTER UPDATE OF email, phone, suspended_at ON actor FOR EACH ROW
  WHEN (OLD.email IS NOT NULL OR OLD.phone IS NOT NULL OR NEW.email IS NOT NULL OR NEW.phone IS NOT NULL)
  EXECUTE FUNCTION principals_changed('all');
DROP TRIGGER principals_actor_changed ON actor;
CREATE TRIGGER principals_actor_changed AFTER UPDATE OF name, base_role, platform_admin, contact_email, suspended_at ON actor FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'id');

DROP TRIGGER principals_membership_changed ON membership;
CREATE TRIGGER principals_membership_changed
  AFTER DELETE OR UPDATE OF status, role, actor_id, center_id, emergency_access ON membership FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'actor_id');
-- No principal depends on a person of a center who has never signed in: an import of thousands leaves the caches alone.
CREATE FUNCTION principals_member_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unknown boolean;
  declared text := current_setting('cs.centers', true);
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  unknown := EXISTS (SELECT FROM actor WHERE id = NEW.actor_id AND home_center_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM session WHERE actor_id = NEW.actor_id);
  PERFORM set_config('cs.centers', coalesce(declared, ''), true);
  IF NOT unknown THEN
    PERFORM tell_principals('actor:' || NEW.actor_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER principals_membership_added AFTER INSERT ON membership FOR EACH ROW
  WHEN (NEW.actor_id IS NOT NULL) EXECUTE FUNCTION principals_member_added();
-- The provider of a center decides which sessions may enter it.
CREATE TRIGGER principals_provider_changed AFTER INSERT OR DELETE OR UPDATE OF name, issuer, client_id, required ON identity_provider FOR EACH ROW
  EXECUTE FUNCTION principals_changed('center', 'center_id');
CREATE TRIGGER principals_identity_changed AFTER DELETE OR UPDATE OF actor_id ON identity FOR EACH ROW
  EXECUTE FUNCTION principals_changed('actor', 'actor_id');

-- People are found by the address that is shown ----------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION note_shown() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unanswered boolean := NEW.status IN ('INVITED', 'REJECTED');
  declared text := current_setting('cs.centers', true);
BEGIN
  NEW.shown := concat_ws(E'\n', NEW.invited_email, CASE WHEN unanswered THEN NEW.invited_name END);
  IF NEW.accepted_at IS NOT NULL OR NOT unanswered THEN
    PERFORM set_config('cs.centers', '*', true);
    NEW.shown := concat_ws(E'\n', NEW.shown,
      (SELECT concat_ws(E'\n', name, coalesce(contact_email, email)) FROM actor WHERE id = NEW.actor_id));
    PERFORM set_config('cs.centers', coalesce(declared, ''), true);
  END IF;
  NEW.shown := lower(NEW.shown);
  RETURN NEW;
END $$;
DROP TRIGGER note_shown_everywhere ON actor;
CREATE TRIGGER note_shown_everywhere AFTER UPDATE OF name, email, contact_email ON actor
  FOR EACH ROW WHEN ((OLD.name, OLD.email, OLD.contact_email) IS DISTINCT FROM (NEW.name, NEW.email, NEW.contact_email))
  EXECUTE FUNCTION note_shown_everywhere();
