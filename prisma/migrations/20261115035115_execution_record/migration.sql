-- CreateIndex
CREATE UNIQUE INDEX "workflow_execution_dpu_id_key" ON "workflow_execution"("dpu_id");

-- AddForeignKey
ALTER TABLE "workflow_execution" ADD CONSTRAINT "workflow_execution_dpu_id_fkey" FOREIGN KEY ("dpu_id") REFERENCES "dpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;
