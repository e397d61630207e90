/** The limits that the index states and that hold on every plan. */
export const limits = {
  per_page_max: 100,
  batch: { properties: 100, reports: 25 },
  download_link_ttl_minutes: 15,
} as const
