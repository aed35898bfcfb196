-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "vertical" AS ENUM ('rehabilitation', 'welfare', 'education', 'pharmacy', 'commerce', 'mentoring', 'interior');

-- CreateEnum
CREATE TYPE "tenant_type" AS ENUM ('CENTER', 'WORKSPACE', 'PROGRAM', 'WHITE_LABEL');

-- CreateEnum
CREATE TYPE "center_status" AS ENUM ('ACTIVE', 'SUSPENDED', 'INACTIVE');

-- CreateEnum
CREATE TYPE "membership_status" AS ENUM ('INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED');

-- CreateEnum
CREATE TYPE "booking_status" AS ENUM ('BOOKED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "actor_role" AS ENUM ('ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD');

-- CreateEnum
CREATE TYPE "target_app" AS ENUM ('lms', 'cms', 'erp');

-- CreateEnum
CREATE TYPE "link_purpose" AS ENUM ('INVITATION', 'PASSWORD');

-- CreateEnum
CREATE TYPE "mail_status" AS ENUM ('WAITING', 'SENT', 'FAILED', 'DROPPED');

-- CreateEnum
CREATE TYPE "evidence_level" AS ENUM ('DRAFT', 'DOCUMENTED', 'AUDIT_READY');

-- CreateEnum
CREATE TYPE "chain_domain" AS ENUM ('platform', 'proof', 'audit', 'journal');

-- CreateEnum
CREATE TYPE "policy_scope" AS ENUM ('GLOBAL', 'COUNTRY', 'REGION', 'CENTER');

-- CreateEnum
CREATE TYPE "partner_role" AS ENUM ('PARTNER_ADMIN', 'PARTNER_OPERATOR');

-- CreateEnum
CREATE TYPE "plan_kind" AS ENUM ('CENTER', 'LMS');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED');

-- CreateEnum
CREATE TYPE "billing_cycle" AS ENUM ('MONTHLY', 'YEARLY');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('COMPLETED', 'FAILED');

-- CreateEnum
CREATE TYPE "decision_event_type" AS ENUM ('agent_execution', 'workflow_step', 'human_approval', 'ai_recommendation', 'automated_action', 'policy_decision', 'escalation', 'custom');

-- CreateEnum
CREATE TYPE "event_actor_type" AS ENUM ('human', 'ai_agent', 'system', 'service');

-- CreateEnum
CREATE TYPE "approver_type" AS ENUM ('human', 'system');

-- CreateEnum
CREATE TYPE "approval_result" AS ENUM ('approved', 'rejected');

-- CreateEnum
CREATE TYPE "decision_event_status" AS ENUM ('recorded', 'sealed', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "approved_by_kind" AS ENUM ('api_key', 'session', 'passkey', 'system');

-- CreateEnum
CREATE TYPE "outcome_status" AS ENUM ('executed', 'failed');

-- CreateEnum
CREATE TYPE "decision_source" AS ENUM ('EVENT', 'AGENT', 'WORKFLOW');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'success', 'failed');

-- CreateEnum
CREATE TYPE "workflow_type" AS ENUM ('SCHEDULED', 'MANUAL', 'EVENT');

-- CreateEnum
CREATE TYPE "workflow_status" AS ENUM ('ACTIVE', 'PAUSED');

-- CreateEnum
CREATE TYPE "execution_status" AS ENUM ('RUNNING', 'AWAITING_REVIEW', 'COMPLETED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "step_status" AS ENUM ('RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'SKIPPED');

-- CreateTable
CREATE TABLE "center" (
    "id" SERIAL NOT NULL,
    "partner_id" TEXT,
    "name" TEXT NOT NULL,
    "center_domain" TEXT NOT NULL,
    "custom_domain" TEXT,
    "tenant_type" "tenant_type" NOT NULL DEFAULT 'CENTER',
    "status" "center_status" NOT NULL DEFAULT 'ACTIVE',
    "vertical" "vertical" NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "logo" TEXT NOT NULL DEFAULT '',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "center_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "actor_id" UUID,
    "invited_email" TEXT,
    "invited_name" TEXT,
    "partner_role" "partner_role",
    "partner_id" TEXT,
    "role" "actor_role" NOT NULL,
    "status" "membership_status" NOT NULL,
    "shown" TEXT NOT NULL DEFAULT '',
    "specialties" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "invited_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "accepted_at" TIMESTAMPTZ(3),
    "activated_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "availability_rule" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "instructor_id" UUID NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "start_minute" SMALLINT NOT NULL,
    "end_minute" SMALLINT NOT NULL,
    "slot_minutes" SMALLINT NOT NULL,

    CONSTRAINT "availability_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "booking" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "instructor_id" UUID NOT NULL,
    "booked_for_id" UUID NOT NULL,
    "booked_by_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "booking_status" NOT NULL DEFAULT 'BOOKED',
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "booking_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attendance" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "attendee_id" UUID NOT NULL,
    "session_ref" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "dpu_id" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attendance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "certificate" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "learner_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "course_ref" TEXT NOT NULL,
    "dpu_id" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "certificate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_word" (
    "word" TEXT NOT NULL,

    CONSTRAINT "search_word_pkey" PRIMARY KEY ("word")
);

-- CreateTable
CREATE TABLE "center_word" (
    "word" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,

    CONSTRAINT "center_word_pkey" PRIMARY KEY ("word","center_id")
);

-- CreateTable
CREATE TABLE "actor" (
    "id" UUID NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "contact_phone" TEXT,
    "name" TEXT NOT NULL,
    "base_role" "actor_role" NOT NULL DEFAULT 'PARENT',
    "password_hash" TEXT,
    "platform_admin" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "actor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "center_id" INTEGER,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "token_hash" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "sso_token" (
    "token_hash" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "center_id" INTEGER,
    "target_app" "target_app" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sso_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "guardianship" (
    "center_id" INTEGER NOT NULL,
    "guardian_id" UUID NOT NULL,
    "child_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guardianship_pkey" PRIMARY KEY ("center_id","guardian_id","child_id")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "cose_key" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "synced" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passkey_challenge" (
    "challenge" TEXT NOT NULL,
    "actor_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("challenge")
);

-- CreateTable
CREATE TABLE "link_token" (
    "token_hash" TEXT NOT NULL,
    "purpose" "link_purpose" NOT NULL,
    "membership_id" TEXT,
    "actor_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "link_token_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "center_id" INTEGER,
    "membership_id" TEXT,
    "about" JSONB NOT NULL DEFAULT '{}',
    "status" "mail_status" NOT NULL DEFAULT 'WAITING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_attempt_at" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_chain" (
    "id" SERIAL NOT NULL,
    "center_id" INTEGER,
    "domain" "chain_domain" NOT NULL,
    "size" INTEGER NOT NULL DEFAULT 0,
    "head_hash" TEXT,
    "origin" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_chain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_record" (
    "chain_id" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "previous_hash" TEXT,
    "hash" TEXT NOT NULL,
    "timestamp" TEXT NOT NULL,

    CONSTRAINT "ledger_record_pkey" PRIMARY KEY ("chain_id","index")
);

-- CreateTable
CREATE TABLE "ledger_node" (
    "chain_id" INTEGER NOT NULL,
    "level" SMALLINT NOT NULL,
    "index" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "ledger_node_pkey" PRIMARY KEY ("chain_id","level","index")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "id" TEXT NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "root_hash" TEXT NOT NULL,
    "head_hash" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "log_index" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dpu" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "chain_id" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "domain" "chain_domain" NOT NULL,
    "vertical" "vertical" NOT NULL,
    "evidence_level" "evidence_level" NOT NULL,
    "ai_generated" BOOLEAN NOT NULL DEFAULT false,
    "reference_type" TEXT,
    "reference_id" TEXT,
    "actor_id" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "metadata" JSON NOT NULL DEFAULT '{}',
    "salt" TEXT,
    "journal_index" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealed_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "erased_reason" TEXT,

    CONSTRAINT "dpu_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tally" (
    "key" TEXT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "tally_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "tally_delta" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "tally_delta_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER,
    "partner_id" TEXT,
    "chain_id" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_email" TEXT,
    "target" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "ip" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy" (
    "id" TEXT NOT NULL,
    "scope" "policy_scope" NOT NULL,
    "country" TEXT,
    "region" TEXT,
    "center_id" INTEGER,
    "name" TEXT NOT NULL,
    "action_pattern" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "guards" JSONB NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy_version" (
    "policy_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "action_pattern" TEXT NOT NULL,
    "guards" JSONB NOT NULL,
    "active" BOOLEAN NOT NULL,
    "changed_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_version_pkey" PRIMARY KEY ("policy_id","version")
);

-- CreateTable
CREATE TABLE "signing_key_line" (
    "position" INTEGER NOT NULL,
    "line" TEXT NOT NULL,

    CONSTRAINT "signing_key_line_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "log_tile" (
    "level" SMALLINT NOT NULL,
    "index" BIGINT NOT NULL,
    "hashes" BYTEA NOT NULL,
    "root" BYTEA NOT NULL,

    CONSTRAINT "log_tile_pkey" PRIMARY KEY ("level","index")
);

-- CreateTable
CREATE TABLE "log_head" (
    "size" BIGINT NOT NULL,
    "root_hash" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "log_head_pkey" PRIMARY KEY ("size")
);

-- CreateTable
CREATE TABLE "log_cosignature" (
    "size" BIGINT NOT NULL,
    "key_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "signed_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "log_cosignature_pkey" PRIMARY KEY ("size","key_id","name")
);

-- CreateTable
CREATE TABLE "witness_state" (
    "vkey" TEXT NOT NULL,
    "size" BIGINT NOT NULL DEFAULT 0,
    "error" TEXT,
    "attempted_at" TIMESTAMPTZ(3),
    "cosigned_at" TIMESTAMPTZ(3),

    CONSTRAINT "witness_state_pkey" PRIMARY KEY ("vkey")
);

-- CreateTable
CREATE TABLE "signing_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "refused" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "principal" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "fence" TEXT NOT NULL DEFAULT '',
    "holder" INTEGER NOT NULL DEFAULT 0,
    "committed_at" TIMESTAMPTZ(3),
    "results" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "response_status" INTEGER,
    "response_body" TEXT,
    "subjects" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("principal","key")
);

-- CreateTable
CREATE TABLE "rate_counter" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_counter_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "login_counter" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "login_counter_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "worker_heartbeat" (
    "id" TEXT NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_heartbeat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "partner" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "partner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "partner_membership" (
    "partner_id" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "role" "partner_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "partner_membership_pkey" PRIMARY KEY ("partner_id","actor_id")
);

-- CreateTable
CREATE TABLE "partner_activity" (
    "partner_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "actor_id" UUID NOT NULL,

    CONSTRAINT "partner_activity_pkey" PRIMARY KEY ("partner_id","day","actor_id")
);

-- CreateTable
CREATE TABLE "plan" (
    "id" TEXT NOT NULL,
    "kind" "plan_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "vertical" "vertical",
    "price_monthly" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "seat_limit" INTEGER NOT NULL,
    "features" TEXT[],
    "sort_order" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "plan_id" TEXT NOT NULL,
    "status" "subscription_status" NOT NULL,
    "billing_cycle" "billing_cycle" NOT NULL DEFAULT 'MONTHLY',
    "seat_limit" INTEGER NOT NULL,
    "current_period_start" TIMESTAMPTZ(3) NOT NULL,
    "current_period_end" TIMESTAMPTZ(3) NOT NULL,
    "anchor_day" SMALLINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "partner_id" TEXT,
    "subscription_id" TEXT NOT NULL,
    "status" "payment_status" NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "failure_reason" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenant_mapping" (
    "center_id" INTEGER NOT NULL,
    "lms_tenant_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_mapping_pkey" PRIMARY KEY ("center_id")
);

-- CreateTable
CREATE TABLE "provisioning_order" (
    "order_id" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provisioning_order_pkey" PRIMARY KEY ("order_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "rate_per_minute" INTEGER,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "decision_event" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "decision_id" TEXT NOT NULL,
    "evidence_id" TEXT NOT NULL,
    "dpu_id" TEXT NOT NULL,
    "source" "decision_source" NOT NULL DEFAULT 'EVENT',
    "idempotency_key" TEXT,
    "body_hash" TEXT,
    "type" "decision_event_type" NOT NULL,
    "status" "decision_event_status" NOT NULL DEFAULT 'recorded',
    "actor_id" TEXT NOT NULL,
    "actor_type" "event_actor_type" NOT NULL,
    "actor_name" TEXT,
    "action_type" TEXT NOT NULL,
    "action_description" TEXT,
    "action_input" JSON,
    "action_output" JSON,
    "ai_context" JSON,
    "risk_score" DOUBLE PRECISION,
    "awaits_approval" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "salts" JSON NOT NULL,
    "erased" JSON,
    "content_hash" TEXT NOT NULL,
    "journal_index" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "decision_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "decision_event_tag" (
    "center_id" INTEGER NOT NULL,
    "tag" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,

    CONSTRAINT "decision_event_tag_pkey" PRIMARY KEY ("center_id","tag","event_id")
);

-- CreateTable
CREATE TABLE "approval" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "approver_id" TEXT NOT NULL,
    "approver_type" "approver_type" NOT NULL,
    "approver_name" TEXT,
    "result" "approval_result" NOT NULL,
    "reason" TEXT,
    "by_kind" "approved_by_kind" NOT NULL,
    "by_id" TEXT,
    "signature" JSON,
    "salts" JSON NOT NULL,
    "erased" JSON,
    "content_hash" TEXT NOT NULL,
    "journal_index" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prepared_approval" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "event_id" TEXT NOT NULL,
    "actor_id" UUID NOT NULL,
    "result" "approval_result" NOT NULL,
    "reason" TEXT,
    "salts" JSON NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prepared_approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outcome" (
    "event_id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "status" "outcome_status" NOT NULL,
    "output" JSON,
    "salt" TEXT,
    "erased" JSON,
    "journal_index" INTEGER NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outcome_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "deactivated_reason" TEXT,
    "last_delivery_at" TIMESTAMPTZ(3),
    "last_delivery_status" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "platform_event" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "center_id" INTEGER NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "round" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "erased" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("webhook_id","event_id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "webhook_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("webhook_id","event_id","number")
);

-- CreateTable
CREATE TABLE "workflow" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "type" "workflow_type" NOT NULL,
    "status" "workflow_status" NOT NULL DEFAULT 'ACTIVE',
    "vertical" "vertical" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "cron" TEXT,
    "timezone" TEXT,
    "event_pattern" TEXT,
    "last_run" TIMESTAMPTZ(3),
    "next_run_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflow_version" (
    "workflow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "steps" JSON NOT NULL,
    "parameters_schema" JSON,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_version_pkey" PRIMARY KEY ("workflow_id","version")
);

-- CreateTable
CREATE TABLE "workflow_execution" (
    "id" TEXT NOT NULL,
    "center_id" INTEGER NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "status" "execution_status" NOT NULL DEFAULT 'RUNNING',
    "started_by" TEXT NOT NULL,
    "occurrence" TEXT,
    "parameters" JSON NOT NULL DEFAULT '{}',
    "position" INTEGER NOT NULL DEFAULT 0,
    "trail" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "error" TEXT,
    "dpu_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflow_execution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflow_step_run" (
    "execution_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" "step_status" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "input" JSON,
    "output" JSON,
    "error" TEXT,
    "resume_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflow_step_run_pkey" PRIMARY KEY ("execution_id","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "center_center_domain_key" ON "center"("center_domain");

-- CreateIndex
CREATE UNIQUE INDEX "center_custom_domain_key" ON "center"("custom_domain");

-- CreateIndex
CREATE INDEX "center_partner_id_id_idx" ON "center"("partner_id", "id");

-- CreateIndex
CREATE INDEX "membership_invited_email_idx" ON "membership"("invited_email");

-- CreateIndex
CREATE INDEX "membership_actor_id_idx" ON "membership"("actor_id");

-- CreateIndex
CREATE INDEX "membership_center_id_status_role_idx" ON "membership"("center_id", "status", "role");

-- CreateIndex
CREATE INDEX "membership_center_id_id_idx" ON "membership"("center_id", "id");

-- CreateIndex
CREATE INDEX "membership_partner_id_id_idx" ON "membership"("partner_id", "id");

-- CreateIndex
CREATE INDEX "availability_rule_center_id_instructor_id_idx" ON "availability_rule"("center_id", "instructor_id");

-- CreateIndex
CREATE INDEX "booking_center_id_starts_at_idx" ON "booking"("center_id", "starts_at");

-- CreateIndex
CREATE INDEX "booking_instructor_id_starts_at_idx" ON "booking"("instructor_id", "starts_at");

-- CreateIndex
CREATE INDEX "attendance_center_id_id_idx" ON "attendance"("center_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "attendance_center_id_attendee_id_session_ref_key" ON "attendance"("center_id", "attendee_id", "session_ref");

-- CreateIndex
CREATE INDEX "certificate_center_id_id_idx" ON "certificate"("center_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "certificate_center_id_learner_id_course_ref_key" ON "certificate"("center_id", "learner_id", "course_ref");

-- CreateIndex
CREATE INDEX "center_word_center_id_idx" ON "center_word"("center_id");

-- CreateIndex
CREATE INDEX "actor_email_idx" ON "actor"("email");

-- CreateIndex
CREATE INDEX "actor_phone_idx" ON "actor"("phone");

-- CreateIndex
CREATE INDEX "session_actor_id_created_at_idx" ON "session"("actor_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_token_session_id_idx" ON "refresh_token"("session_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- CreateIndex
CREATE INDEX "sso_token_expires_at_idx" ON "sso_token"("expires_at");

-- CreateIndex
CREATE INDEX "guardianship_guardian_id_idx" ON "guardianship"("guardian_id");

-- CreateIndex
CREATE INDEX "guardianship_child_id_idx" ON "guardianship"("child_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE INDEX "passkey_actor_id_idx" ON "passkey"("actor_id");

-- CreateIndex
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");

-- CreateIndex
CREATE INDEX "link_token_membership_id_idx" ON "link_token"("membership_id");

-- CreateIndex
CREATE INDEX "link_token_actor_id_idx" ON "link_token"("actor_id");

-- CreateIndex
CREATE INDEX "link_token_expires_at_idx" ON "link_token"("expires_at");

-- CreateIndex
CREATE INDEX "mail_recipient_created_at_idx" ON "mail"("recipient", "created_at");

-- CreateIndex
CREATE INDEX "mail_center_id_kind_created_at_idx" ON "mail"("center_id", "kind", "created_at");

-- CreateIndex
CREATE INDEX "mail_membership_id_idx" ON "mail"("membership_id");

-- CreateIndex
CREATE INDEX "mail_created_at_idx" ON "mail"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_chain_origin_key" ON "ledger_chain"("origin");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_log_index_key" ON "checkpoint"("log_index");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_chain_id_size_key" ON "checkpoint"("chain_id", "size");

-- CreateIndex
CREATE INDEX "dpu_center_id_id_idx" ON "dpu"("center_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "dpu_chain_id_index_key" ON "dpu"("chain_id", "index");

-- CreateIndex
CREATE INDEX "tally_delta_key_idx" ON "tally_delta"("key");

-- CreateIndex
CREATE INDEX "audit_entry_center_id_id_idx" ON "audit_entry"("center_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_center_id_type_id_idx" ON "audit_entry"("center_id", "type", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_center_id_actor_id_id_idx" ON "audit_entry"("center_id", "actor_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_center_id_occurred_at_idx" ON "audit_entry"("center_id", "occurred_at");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_chain_id_index_key" ON "audit_entry"("chain_id", "index");

-- CreateIndex
CREATE INDEX "policy_scope_country_region_idx" ON "policy"("scope", "country", "region");

-- CreateIndex
CREATE INDEX "policy_center_id_idx" ON "policy"("center_id");

-- CreateIndex
CREATE INDEX "log_cosignature_key_id_name_size_idx" ON "log_cosignature"("key_id", "name", "size" DESC);

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- CreateIndex
CREATE INDEX "rate_counter_expire_idx" ON "rate_counter"("expire");

-- CreateIndex
CREATE INDEX "login_counter_expire_idx" ON "login_counter"("expire");

-- CreateIndex
CREATE INDEX "partner_membership_actor_id_idx" ON "partner_membership"("actor_id");

-- CreateIndex
CREATE INDEX "partner_activity_day_idx" ON "partner_activity"("day");

-- CreateIndex
CREATE INDEX "plan_kind_sort_order_idx" ON "plan"("kind", "sort_order");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_center_id_key" ON "subscription"("center_id");

-- CreateIndex
CREATE INDEX "subscription_status_current_period_end_idx" ON "subscription"("status", "current_period_end");

-- CreateIndex
CREATE INDEX "payment_center_id_id_idx" ON "payment"("center_id", "id");

-- CreateIndex
CREATE INDEX "payment_partner_id_occurred_at_idx" ON "payment"("partner_id", "occurred_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_center_id_reference_key" ON "payment"("center_id", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "tenant_mapping_lms_tenant_id_key" ON "tenant_mapping"("lms_tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_public_id_key" ON "api_key"("public_id");

-- CreateIndex
CREATE INDEX "api_key_center_id_id_idx" ON "api_key"("center_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "decision_event_evidence_id_key" ON "decision_event"("evidence_id");

-- CreateIndex
CREATE UNIQUE INDEX "decision_event_dpu_id_key" ON "decision_event"("dpu_id");

-- CreateIndex
CREATE INDEX "decision_event_center_id_id_idx" ON "decision_event"("center_id", "id" DESC);

-- CreateIndex
CREATE INDEX "decision_event_center_id_type_id_idx" ON "decision_event"("center_id", "type", "id" DESC);

-- CreateIndex
CREATE INDEX "decision_event_center_id_status_id_idx" ON "decision_event"("center_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "decision_event_center_id_type_status_id_idx" ON "decision_event"("center_id", "type", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_event_id_idx" ON "approval"("event_id");

-- CreateIndex
CREATE INDEX "prepared_approval_expires_at_idx" ON "prepared_approval"("expires_at");

-- CreateIndex
CREATE INDEX "webhook_center_id_id_idx" ON "webhook"("center_id", "id");

-- CreateIndex
CREATE INDEX "platform_event_center_id_id_idx" ON "platform_event"("center_id", "id" DESC);

-- CreateIndex
CREATE INDEX "platform_event_created_at_idx" ON "platform_event"("created_at");

-- CreateIndex
CREATE INDEX "delivery_event_id_idx" ON "delivery"("event_id");

-- CreateIndex
CREATE INDEX "workflow_center_id_id_idx" ON "workflow"("center_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "workflow_execution_dpu_id_key" ON "workflow_execution"("dpu_id");

-- CreateIndex
CREATE INDEX "workflow_execution_center_id_id_idx" ON "workflow_execution"("center_id", "id" DESC);

-- CreateIndex
CREATE INDEX "workflow_execution_workflow_id_id_idx" ON "workflow_execution"("workflow_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "workflow_execution_workflow_id_occurrence_key" ON "workflow_execution"("workflow_id", "occurrence");

-- AddForeignKey
ALTER TABLE "center" ADD CONSTRAINT "center_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardianship" ADD CONSTRAINT "guardianship_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardianship" ADD CONSTRAINT "guardianship_guardian_id_fkey" FOREIGN KEY ("guardian_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardianship" ADD CONSTRAINT "guardianship_child_id_fkey" FOREIGN KEY ("child_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_token" ADD CONSTRAINT "link_token_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "membership"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_token" ADD CONSTRAINT "link_token_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail" ADD CONSTRAINT "mail_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "membership"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkpoint" ADD CONSTRAINT "checkpoint_chain_id_fkey" FOREIGN KEY ("chain_id") REFERENCES "ledger_chain"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkpoint" ADD CONSTRAINT "checkpoint_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "signing_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dpu" ADD CONSTRAINT "dpu_chain_id_index_fkey" FOREIGN KEY ("chain_id", "index") REFERENCES "ledger_record"("chain_id", "index") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_version" ADD CONSTRAINT "policy_version_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "partner_membership" ADD CONSTRAINT "partner_membership_partner_id_fkey" FOREIGN KEY ("partner_id") REFERENCES "partner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "partner_membership" ADD CONSTRAINT "partner_membership_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "actor"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_subscription_id_fkey" FOREIGN KEY ("subscription_id") REFERENCES "subscription"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tenant_mapping" ADD CONSTRAINT "tenant_mapping_center_id_fkey" FOREIGN KEY ("center_id") REFERENCES "center"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "decision_event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outcome" ADD CONSTRAINT "outcome_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "decision_event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "platform_event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_webhook_id_event_id_fkey" FOREIGN KEY ("webhook_id", "event_id") REFERENCES "delivery"("webhook_id", "event_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_version" ADD CONSTRAINT "workflow_version_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_execution" ADD CONSTRAINT "workflow_execution_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_execution" ADD CONSTRAINT "workflow_execution_dpu_id_fkey" FOREIGN KEY ("dpu_id") REFERENCES "dpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_step_run" ADD CONSTRAINT "workflow_step_run_execution_id_fkey" FOREIGN KEY ("execution_id") REFERENCES "workflow_execution"("id") ON DELETE CASCADE ON UPDATE CASCADE;
