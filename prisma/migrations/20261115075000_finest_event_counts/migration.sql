-- Only the counts by type and status are kept; sums over types or statuses are made by whoever reads.
DELETE FROM tally WHERE key LIKE 'events:%:*:%' OR key LIKE 'events:%:*';
DELETE FROM tally_delta WHERE key LIKE 'events:%:*:%' OR key LIKE 'events:%:*';
