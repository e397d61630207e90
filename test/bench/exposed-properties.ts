/** $1 is the team, $2 the number of properties. */
export const PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, city, state, latitude, longitude, precision, located, tags, created_at)
  SELECT gen_random_uuid(), $1, 'Property ' || n, n || ' Main St', n || ' main st', n || ' main st', 'Moore', 'OK', 35.339, -97.486, 'city', true, '{}',
         now() - n * interval '1 minute'
    FROM generate_series(1, $2::int) n`
/** $1 is the team, $2 the number of exposures for each of its properties. */
export const EXPOSURES = `
  INSERT INTO exposures (team_id, kind, date, property_id, headline, evidence, record_ids, first_seen_at, last_seen_at)
  SELECT p.team_id, 'record', DATE '2026-05-20' - n, p.id, 'Hail, day ' || n, '{}', '{}', now(), now()
    FROM properties p, generate_series(1, $2::int) n WHERE p.team_id = $1`
