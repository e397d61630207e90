import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Pool } from 'undici'
import type { Bed } from './frame.ts'

/**
 * Serves until the bed is closed.
 * @returns a client with this many connections
 */
export async function serve(bed: Bed, fastify: FastifyInstance, connections: number): Promise<Pool> {
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  bed.closing(() => fastify.close())
  const client = new Pool(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`, { connections })
  bed.closing(() => client.close())
  return client
}

/** $1 is the team, $2 its number of complete reports. */
export const REPORTS = `
  INSERT INTO reports (id, team_id, status, query, street, city, state, postal_code, county, latitude, longitude, precision, window_start, window_end,
                       radius_miles, event_count, observation_count, coverage_complete, coverage_summary, sources_searched, headline, fingerprint,
                       plan_tier, layout, issued_at, created_at, generated_at)
  SELECT gen_random_uuid(), $1, 'complete', n || ' Main St, Moore, OK 73160', n || ' Main St', 'Moore', 'OK', '73160', 'Cleveland County', 35.3, -97.5,
         'zip', '2024-01-01', '2024-12-31', 5, 12, 3, true, 'Final records through 2024-12-31. 3 sources searched, 2 with records.',
         ARRAY['noaa_storm_events', 'nws_lsr'], '5 ground reports of hail up to 1.75 in within 5 mi', repeat('ab', 32), 'enterprise',
         '{"sections":["summary","findings","map","events"],"imagery":[],"elements":["key_figures"],"map":{"base":"plain","layers":["hail","rings"]}}',
         now(), now() - n * interval '1 minute', now()
    FROM generate_series(1, $2::int) n`

/** Two findings for each report. */
export const FINDINGS = `
  INSERT INTO findings (report_id, team_id, position, family, family_label, event_count, peak_severity, evidence_kinds, evidence_labels, dates,
                        most_recent, peak_hail_in, nearest_miles, any_observed, confidence, confidence_label, statement)
  SELECT r.id, r.team_id, p, 'thunderstorm', 'Thunderstorm: hail, wind, tornado', 6, 'severe', ARRAY['ground'], ARRAY['Ground report'],
         ARRAY['2024-05-28', '2024-04-02']::date[], '2024-05-28', 1.75, 0.84, true, 'high', 'High: independent evidence agrees',
         '5 ground reports of hail up to 1.75 in (golf ball; measured or estimated: not stated) within 5 mi; nearest 0.84 mi NNE on 2024-05-28.'
    FROM reports r, generate_series(0, 1) p`
