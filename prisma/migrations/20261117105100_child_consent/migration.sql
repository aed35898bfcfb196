-- A membership becomes CHILD only with the person's consent: by an accepted invitation as CHILD, or by a change of role
-- that the person confirmed through a mailed link. Until then the change is pending.
ALTER TYPE link_purpose ADD VALUE 'ROLE';
ALTER TABLE membership ADD COLUMN pending_role actor_role;
ALTER TABLE membership ADD COLUMN child_consent_at timestamptz(3);

SET LOCAL cs.centers = '*';
-- CHILDs that a center made by changing the role never consented; all others were invited as CHILD.
UPDATE membership m SET child_consent_at = coalesce(accepted_at, invited_at)
WHERE role = 'CHILD' AND status NOT IN ('INVITED', 'REJECTED') AND NOT EXISTS (
  SELECT FROM audit_entry a
  WHERE a.type = 'membership.moved' AND a.target = m.id AND a.detail ->> 'move' = 'change_role' AND a.detail ->> 'role' = 'CHILD');
DELETE FROM guardianship g WHERE EXISTS (
  SELECT FROM membership m
  WHERE m.center_id = g.center_id AND m.actor_id = g.child_id AND m.role = 'CHILD' AND m.child_consent_at IS NULL
    AND m.status NOT IN ('INVITED', 'REJECTED'));
