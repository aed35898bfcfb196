-- The list of open centers by name, page by page.
CREATE INDEX center_by_name_idx ON center (lower(name), id) WHERE status = 'ACTIVE';
