-- Search of centers: by their words, and the lists by name. Every condition here is one that an index may serve under
-- row-level security (migration access): equality and beginnings of text, nothing that computes on a center's columns.

-- The list of open centers by name, page by page, and those that begin with some letters.
ALTER TABLE center ADD COLUMN sort_name text GENERATED ALWAYS AS (lower(name)) STORED;
CREATE INDEX center_by_name_idx ON center (sort_name, id) WHERE status = 'ACTIVE';

-- The words of a text, in lower case and at most 64 characters of each. Everything in ASCII that is neither letter nor
-- digit parts them; other scripts are left as they are, whatever the locale.
CREATE FUNCTION search_words(content text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array(
    SELECT DISTINCT left(word, 64) FROM regexp_split_to_table(lower(content), '[\x01-/:-`{-\x7f]+') word WHERE word <> '')
$$;

-- Which center has which word, and all words there are: the latter tell what somebody may have meant.
CREATE FUNCTION note_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words text[] := search_words(NEW.name || ' ' || NEW.center_domain || ' ' || NEW.description);
BEGIN
  DELETE FROM center_word WHERE center_id = NEW.id AND word <> ALL (words);
  INSERT INTO center_word (word, center_id) SELECT word, NEW.id FROM unnest(words) word ON CONFLICT DO NOTHING;
  INSERT INTO search_word (word) SELECT word FROM unnest(words) word ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_search_words AFTER INSERT OR UPDATE OF name, center_domain, description ON center
  FOR EACH ROW EXECUTE FUNCTION note_search_words();

CREATE INDEX search_word_idx ON search_word USING gin (word gin_trgm_ops);

-- The known words that somebody may have meant by one: those that contain it, or else those most like it. A word of one
-- or two letters would be contained in too many; it is the beginning of a word.
CREATE FUNCTION words_meant(asked text) RETURNS text[]
LANGUAGE plpgsql STABLE SET pg_trgm.similarity_threshold = 0.25 AS $$
DECLARE
  found text[];
BEGIN
  SELECT array_agg(word) INTO found FROM (
    SELECT word FROM search_word WHERE word LIKE CASE WHEN length(asked) < 3 THEN '' ELSE '%' END || asked || '%'
    ORDER BY length(word), word LIMIT 50) containing;
  IF found IS NULL THEN
    SELECT array_agg(word) INTO found FROM (
      SELECT word FROM search_word WHERE word % asked ORDER BY similarity(word, asked) DESC, word LIMIT 5) alike;
  END IF;
  RETURN found;
END $$;

-- What a center finds its people by: what it is shown of them and nothing else, or searching would give away the rest. In one
-- column, so that a search looks at each membership once and at no other table, and in lower case, so that it need not be made so
-- for each comparison, which takes fifteen times as long. Who they are is looked up in all of the
-- installation: a new member was nobody of this center yet.
CREATE FUNCTION note_shown() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unanswered boolean := NEW.status IN ('INVITED', 'REJECTED');
  declared text := current_setting('cs.centers', true);
BEGIN
  NEW.shown := concat_ws(E'\n', NEW.invited_email, CASE WHEN unanswered THEN NEW.invited_name END);
  IF NEW.accepted_at IS NOT NULL OR NOT unanswered THEN
    PERFORM set_config('cs.centers', '*', true);
    NEW.shown := concat_ws(E'\n', NEW.shown, (SELECT concat_ws(E'\n', name, email) FROM actor WHERE id = NEW.actor_id));
    PERFORM set_config('cs.centers', coalesce(declared, ''), true);
  END IF;
  NEW.shown := lower(NEW.shown);
  RETURN NEW;
END $$;
CREATE TRIGGER note_shown BEFORE INSERT OR UPDATE OF actor_id, invited_email, invited_name, status, accepted_at, shown ON membership
  FOR EACH ROW EXECUTE FUNCTION note_shown();

-- A person who changes name or address changes it everywhere.
CREATE FUNCTION note_shown_everywhere() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  declared text := current_setting('cs.centers', true);
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  UPDATE membership SET shown = '' WHERE actor_id = NEW.id;
  PERFORM set_config('cs.centers', coalesce(declared, ''), true);
  RETURN NULL;
END $$;
CREATE TRIGGER note_shown_everywhere AFTER UPDATE OF name, email ON actor
  FOR EACH ROW WHEN ((OLD.name, OLD.email) IS DISTINCT FROM (NEW.name, NEW.email))
  EXECUTE FUNCTION note_shown_everywhere();
