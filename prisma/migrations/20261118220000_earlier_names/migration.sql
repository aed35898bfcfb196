-- The name that sealed records carry for an hour after a person has changed it.
ALTER TABLE "actor" ADD COLUMN "earlier_name" TEXT,
ADD COLUMN "earlier_name_until" TIMESTAMPTZ(3);

ALTER TABLE actor ADD CONSTRAINT earlier_name_until CHECK ((earlier_name IS NULL) = (earlier_name_until IS NULL));
