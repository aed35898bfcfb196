-- A process reports its worker pools with its own heartbeat: see src/db/heartbeat.ts.
ALTER TABLE "process_heartbeat" ADD COLUMN "worker_pools" TEXT[] DEFAULT ARRAY[]::TEXT[];
DROP TABLE "worker_heartbeat";
