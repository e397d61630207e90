import type { ExposureEventPayload } from '#domain/exposures/exposure-events.ts'

const AT = '2026-05-20T18:00:00.000000Z'

/** The content of an exposure event about one storm day at a place with this name. */
export const exposureContent = (name: string): ExposureEventPayload => ({
  data: [
    {
      id: 7,
      object: 'exposure',
      kind: 'record',
      date: '2026-05-20',
      subject: { id: '00000000-0000-7000-8000-000000000001', object: 'property', name, precision: null },
      headline: `Hail up to 1.75 in reported at ${name} on 2026-05-20`,
      reports: 1,
      sources: 1,
      families: { hail: 1, wind: 0, tornado: 0, other: 0 },
      largest_measured_in: 1.75,
      largest_detected_in: null,
      max_gust_mph: null,
      nearest_miles: 0.1,
      observed: true,
      provisional: true,
      evidence: ['ground'],
      record_ids: [1],
      warning: null,
      first_seen_at: AT,
      last_seen_at: AT,
      notified_at: null,
      acknowledged_at: null,
      dismissed_at: null,
      report_id: null,
      links: { self: 'https://weather.example/api/v1/exposures/7', subject: 'https://weather.example/api/v1/properties/1', report: null },
      sample: false,
    },
  ],
  escalation: null,
})
