/** The same rows in tables with only a primary key. */
export const BARE_TABLES = `
  CREATE TABLE bare_event (LIKE decision_event INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_approval (LIKE approval INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_dpu (LIKE dpu INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_record (hash text PRIMARY KEY, content text NOT NULL, previous_hash text, timestamp text NOT NULL)
    WITH (toast_tuple_target = 8160);
  CREATE TABLE bare_audit (LIKE audit_entry INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_platform_event (LIKE platform_event INCLUDING DEFAULTS, PRIMARY KEY (id));`;
