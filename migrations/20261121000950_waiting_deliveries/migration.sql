-- What waits for one destination, in the order in which it is due: the next is found without reading the rest.
CREATE INDEX deliveries_waiting ON deliveries (integration_id, (coalesce(next_attempt_at, '-infinity'::timestamptz)), created_at, id)
  WHERE status IN ('queued', 'retrying');
-- The few that are under way to it.
CREATE INDEX deliveries_in_flight ON deliveries (integration_id, leased_until) WHERE status IN ('queued', 'retrying') AND leased_until IS NOT NULL;
-- It led to what is due of all destinations at once, which nothing asks for but the sweeper, who reads all of what waits.
DROP INDEX deliveries_due;
