import { keysOf } from '#domain/kernel/keys-of.ts'
/**
 * The sources whose records may be cited. `code` is what packed lists store: it is never changed, and never given to another.
 * What a source fetches and how it is read stands in domain/archive/sources/.
 */
export const recordSourceTable = {
  noaa_storm_events: { code: 0 },
  noaa_spc_reports: { code: 1 },
  nws_lsr: { code: 2 },
  noaa_mesh: { code: 3 },
  nexrad_hail: { code: 4 },
  sample: { code: 5 },
} as const

export type RecordSource = keyof typeof recordSourceTable
export const recordSources = keysOf(recordSourceTable)

/** Sources of reports as they come in, hours after a storm: nobody has verified them yet, as those of Storm Events were. */
export const preliminarySources: readonly RecordSource[] = ['nws_lsr', 'noaa_spc_reports']

/** How a record was obtained. `code` is what packed lists store, as above. */
export const evidenceKindTable = {
  ground: { code: 0, label: 'Ground report' },
  instrument: { code: 1, label: 'Instrument measurement' },
  radar: { code: 2, label: 'Radar estimate' },
} as const

export type EvidenceKind = keyof typeof evidenceKindTable
export const evidenceKinds = keysOf(evidenceKindTable)
