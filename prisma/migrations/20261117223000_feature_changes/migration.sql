-- The cached principals also hold which features their center lacks. That depends on the center's plan, on the switches in
-- its own settings and on those of its partner.
CREATE TRIGGER principals_plan_changed AFTER INSERT OR DELETE OR UPDATE OF plan_id, center_id ON subscription FOR EACH ROW
  EXECUTE FUNCTION principals_changed('center', 'center_id');
CREATE TRIGGER principals_center_features_changed AFTER UPDATE OF settings, partner_id ON center FOR EACH ROW
  WHEN (OLD.settings->'features' IS DISTINCT FROM NEW.settings->'features' OR OLD.partner_id IS DISTINCT FROM NEW.partner_id)
  EXECUTE FUNCTION principals_changed('center', 'id');
CREATE TRIGGER principals_partner_features_changed AFTER UPDATE OF settings ON partner FOR EACH ROW
  WHEN (OLD.settings->'features' IS DISTINCT FROM NEW.settings->'features')
  EXECUTE FUNCTION principals_changed('all');
CREATE TRIGGER principals_plans_changed AFTER INSERT OR DELETE OR UPDATE ON plan FOR EACH STATEMENT
  EXECUTE FUNCTION principals_changed('all');
