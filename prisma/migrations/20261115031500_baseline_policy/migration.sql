-- The policy below all others, always there. It holds back only what an agent itself calls very risky.
INSERT INTO policy (id, scope, name, action_pattern, version, guards)
VALUES ('pol_baseline', 'GLOBAL', 'Baseline', '*', 1, '{"riskThreshold": 0.8}');
INSERT INTO policy_version (policy_id, version, name, action_pattern, guards, active)
VALUES ('pol_baseline', 1, 'Baseline', '*', '{"riskThreshold": 0.8}', true);

-- It may be changed, version by version, but not switched off, narrowed or removed.
CREATE FUNCTION guard_baseline_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.id = OLD.id AND NEW.active AND NEW.scope = 'GLOBAL' AND NEW.action_pattern = '*' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the baseline policy always exists: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER baseline_stays BEFORE UPDATE OR DELETE ON policy FOR EACH ROW
  WHEN (OLD.id = 'pol_baseline') EXECUTE FUNCTION guard_baseline_policy();
