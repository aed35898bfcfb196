-- CreateTable
CREATE TABLE "search_word" (
    "word" TEXT NOT NULL,

    CONSTRAINT "search_word_pkey" PRIMARY KEY ("word")
);

-- Search of centers by their words --------------------------------------------------------------------------------

-- The words of a text, in lower case and at most 64 characters of each. Everything in ASCII that is neither letter nor
-- digit parts them; other scripts are left as they are, whatever the locale. Costly, so that it is never run row by row
-- where the index knows the words.
CREATE FUNCTION search_words(content text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 5000 AS $$
  SELECT array(
    SELECT DISTINCT left(word, 64) FROM regexp_split_to_table(lower(content), '[\x01-/:-`{-\x7f]+') word WHERE word <> '')
$$;

DROP INDEX center_search_idx;
CREATE INDEX center_words_idx ON center USING gin (search_words(name || ' ' || center_domain || ' ' || description))
  WHERE status = 'ACTIVE';

CREATE INDEX search_word_idx ON search_word USING gin (word gin_trgm_ops);

CREATE FUNCTION note_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_word (word)
  SELECT word FROM unnest(search_words(NEW.name || ' ' || NEW.center_domain || ' ' || NEW.description)) word
  ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_search_words AFTER INSERT OR UPDATE OF name, center_domain, description ON center
  FOR EACH ROW EXECUTE FUNCTION note_search_words();

INSERT INTO search_word (word)
SELECT DISTINCT word FROM center, unnest(search_words(name || ' ' || center_domain || ' ' || description)) word;

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

-- How many centers are open, by vertical: the total of the list without words ----------------------------------------

CREATE FUNCTION tally_open_centers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'open-centers:' || vertical, count(*) FROM new_rows WHERE status = 'ACTIVE' GROUP BY vertical;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'open-centers:' || vertical, -count(*) FROM old_rows WHERE status = 'ACTIVE' GROUP BY vertical;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_open_inserted AFTER INSERT ON center REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();
CREATE TRIGGER tally_open_updated AFTER UPDATE ON center REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();
CREATE TRIGGER tally_open_deleted AFTER DELETE ON center REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();

INSERT INTO tally (key, total)
SELECT 'open-centers:' || vertical, count(*) FROM center WHERE status = 'ACTIVE' GROUP BY vertical;
