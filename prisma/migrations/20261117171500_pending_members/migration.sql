-- Platform administrators list the members who wait for approval across all centers.
CREATE INDEX membership_pending_idx ON membership (id) WHERE status = 'PENDING';
