/** What an exposure event holds of one storm day at a place of this name: enough to make its posts. */
export const exposureContent = (name: string) => ({
  data: [
    {
      id: 7,
      object: 'exposure',
      kind: 'record',
      date: '2026-05-20',
      subject: { id: '00000000-0000-7000-8000-000000000001', object: 'property', name },
      headline: `Hail up to 1.75 in reported at ${name} on 2026-05-20`,
      reports: 1,
      families: { hail: 1, wind: 0, tornado: 0, other: 0 },
      largest_measured_in: 1.75,
      largest_detected_in: null,
      max_gust_mph: null,
      nearest_miles: 0.1,
      provisional: true,
      warning: null,
    },
  ],
  escalation: null,
})
