-- AlterTable
ALTER TABLE "workflow_execution" ADD COLUMN     "lease_owner" TEXT,
ADD COLUMN     "lease_until" TIMESTAMPTZ(3),
ADD COLUMN     "trail" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Runs whose runner has gone silent.
CREATE INDEX workflow_execution_lease_idx ON workflow_execution (lease_until) WHERE status = 'RUNNING' AND lease_until IS NOT NULL;
