import type { Source } from '#domain/archive/sources/source.ts'

/** Official warnings: context, never evidence. */
export const warnings = {
  id: 'nws_warnings',
  slug: 'warnings',
  label: 'National Weather Service warnings',
  lane: 'warnings',
  evidence_kind: 'ground',
  methodology:
    'Official warnings as National Weather Service offices issued them: a forecast of what may happen, not a record of what did.',
  /** https://mesonet.agron.iastate.edu/vtec/event/2024-O-NEW-KFWD-SV-W-0123: the key is written so. */
  cite: (record) => `https://mesonet.agron.iastate.edu/vtec/event/${record.source_key}`,
} as const satisfies Source
