-- DropIndex
DROP INDEX "checkpoint_chain_id_size_key";

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_chain_id_size_key_id_key" ON "checkpoint"("chain_id", "size", "key_id");
