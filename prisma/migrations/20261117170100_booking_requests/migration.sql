-- Hours and bookings of a further center wait for the instructor's confirmation. A center never learns what another one
-- has booked, so bookings of different centers no longer exclude each other by themselves: only those that the instructor
-- confirmed do. Within a center, requested and confirmed bookings of one instructor never overlap.
ALTER TYPE booking_status ADD VALUE 'REQUESTED';
ALTER TABLE booking ADD COLUMN confirmed_at timestamptz(3);
ALTER TABLE availability_rule ADD COLUMN requested boolean NOT NULL DEFAULT false;

ALTER TABLE booking DROP CONSTRAINT booking_no_overlap;
ALTER TABLE booking ADD CONSTRAINT booking_no_overlap_in_center
  EXCLUDE USING gist (center_id WITH =, instructor_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status <> 'CANCELLED');
ALTER TABLE booking ADD CONSTRAINT booking_no_overlap_confirmed
  EXCLUDE USING gist (instructor_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
  WHERE (status = 'BOOKED' AND confirmed_at IS NOT NULL);
