-- AlterTable
ALTER TABLE "decision_event" ADD COLUMN     "awaits_approval" BOOLEAN NOT NULL DEFAULT false;
