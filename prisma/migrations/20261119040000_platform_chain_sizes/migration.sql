-- A seal names the sizes of the chains that decide, two of which belong to the platform. Their sizes and heads are published in
-- their checkpoints.
CREATE POLICY of_the_platform ON ledger_chain FOR SELECT USING (center_id IS NULL);
