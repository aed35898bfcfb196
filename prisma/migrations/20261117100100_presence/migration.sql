-- The heartbeat of each process: see src/db/presence.ts.
CREATE TABLE "process_heartbeat" (
    "presence" INTEGER NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("presence")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON process_heartbeat TO countersign_app;

-- JSON of a text, or NULL where it is none. PostgreSQL 15 has no pg_input_is_valid.
DO $$
BEGIN
  IF current_setting('server_version_num')::int >= 160000 THEN
    -- Stable, as what it calls: only so it is inlined. Otherwise the cast is evaluated when the body is planned.
    CREATE FUNCTION try_jsonb(content text) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS
      'SELECT CASE WHEN pg_input_is_valid(content, ''jsonb'') THEN content::jsonb END';
  ELSE
    CREATE FUNCTION try_jsonb(content text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS
      'BEGIN RETURN content::jsonb; EXCEPTION WHEN OTHERS THEN RETURN NULL; END';
  END IF;
END $$;
