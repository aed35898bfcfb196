-- The number of an order belongs to the caller who gave it: another partner or person may use the same one.
SET LOCAL cs.centers = '*';
ALTER TABLE provisioning_order ADD COLUMN caller text;
UPDATE provisioning_order o SET caller = coalesce(
  (SELECT 'partner:' || c.partner_id FROM center c WHERE c.id = o.center_id AND c.partner_id IS NOT NULL),
  (SELECT 'actor:' || m.actor_id FROM membership m WHERE m.center_id = o.center_id ORDER BY m.id LIMIT 1),
  'platform');
ALTER TABLE provisioning_order ALTER COLUMN caller SET NOT NULL;
ALTER TABLE provisioning_order DROP CONSTRAINT provisioning_order_pkey;
ALTER TABLE provisioning_order ADD CONSTRAINT provisioning_order_pkey PRIMARY KEY (caller, order_id);
