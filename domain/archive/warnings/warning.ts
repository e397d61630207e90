import type { MultiPolygon, Polygon } from 'geojson'
import type { Spanned } from '#domain/archive/files/span.ts'
import type { VtecAction } from '#domain/archive/warnings/vtec.ts'
import type { capCertainties, capSeverities, capUrgencies, geometryBases } from '#domain/closed-sets.ts'

/** What a size or a gust is known from. */
export const threatBases = ['radar_indicated', 'observed'] as const

/** What one message says of one warning, in the contract's words and units. */
export interface WarningMessage extends Spanned {
  /** Office, phenomenon, significance, tracking number and year: KFWD.SV.W.0142.2025. */
  source_key: string
  /** The same for the same message, whether it came as text or by the feed. */
  message_key: string
  action: VtecAction
  identifier: string
  event: string
  headline: string | null
  status: string
  message_type: string
  severity: (typeof capSeverities)[number]
  certainty: (typeof capCertainties)[number]
  urgency: (typeof capUrgencies)[number]
  /** When this message went out: an older one never changes what a newer one said. */
  sent_at: Date
  /** Mark of a corrected or amended product, CCA or AAB: it comes after what was sent at the same moment. */
  correction: string | null
  /** Begin of the event as its code states it; null where the code leaves it open. */
  begins_at: Date | null
  /** When the warning began, as far as this message says. */
  issued_at: Date
  onset_at: Date | null
  expires_at: Date | null
  ends_at: Date | null
  office: { id: string; name: string }
  vtec: string
  phenomenon: string
  significance: string
  tracking_number: number
  threats: Threats
  area: string | null
  instruction: string | null
  /** Null where the message has no polygon, or one that cannot be true. */
  geometry: Polygon | MultiPolygon | null
  /** Why the polygon is not taken, as a clause: "crosses itself". Null where it is, or where there is none. */
  polygon_fault: string | null
  county_fips: string[]
  /** Forecast zones as state and number: TXZ119. */
  zones: string[]
  /** The text of the message. */
  citation_url: string
}

/** A message as it is held; the rest of it is its warning's. */
export interface StoredMessage
  extends Omit<WarningMessage, 'source_key' | 'status' | 'issued_at' | 'office' | 'phenomenon' | 'significance' | 'tracking_number'> {
  office_name: string
  /** Of what the message says: of two texts under one key the one with the larger digest is held. */
  digest: string
  /** Made from what was held of the warning before its messages were kept: the newest that was known, for all that came before it. */
  made: boolean
}

/** storm: the warning is for a polygon. zone: for the counties and forecast zones that it names. */
export function geometryBasis({
  geometry,
  polygon_fault,
}: Pick<WarningMessage, 'geometry' | 'polygon_fault'>): (typeof geometryBases)[number] {
  return geometry || polygon_fault ? 'storm' : 'zone'
}

/** Sizes in inches, gusts in mph; null where the message is silent. */
export interface Threats {
  max_hail_in: number | null
  hail_basis: (typeof threatBases)[number] | null
  max_gust_mph: number | null
  wind_basis: (typeof threatBases)[number] | null
  tornado: string | null
  flash_flood: string | null
  damage: (typeof damages)[number] | null
}

/** What a message's tags say, each in the agency's own words: "1.00", "Up to .75", "60 MPH", "RADAR INDICATED". */
export interface ThreatTags {
  hail_size?: string | undefined
  hail_basis?: string | undefined
  gust?: string | undefined
  wind_basis?: string | undefined
  tornado?: string | undefined
  flash_flood?: string | undefined
  damage?: string | undefined
}

/** Reads the tags. "Up to .75" and "<.75" bound a size from above and "0.00" states none: neither is a size. */
export function readThreats(tags: ThreatTags): Threats {
  return {
    max_hail_in: readSize(tags.hail_size),
    hail_basis: readBasis(tags.hail_basis),
    max_gust_mph: readGust(tags.gust),
    wind_basis: readBasis(tags.wind_basis),
    tornado: readWords(tags.tornado),
    flash_flood: readWords(tags.flash_flood),
    damage: damages.find((word) => readWords(tags.damage) === word) ?? null,
  }
}

export const damages = ['base', 'considerable', 'destructive', 'catastrophic'] as const

function readSize(text = ''): number | null {
  if (/up to|</i.test(text)) return null
  const size = Number(/\d*\.?\d+/.exec(text)?.[0] ?? 0)
  return size > 0 ? size : null
}

function readGust(text = ''): number | null {
  if (/up to|</i.test(text)) return null
  const gust = Number(/\d+/.exec(text)?.[0] ?? 0)
  return gust > 0 ? gust : null
}

function readBasis(text?: string): Threats['hail_basis'] {
  return threatBases.find((basis) => basis === readWords(text)) ?? null
}

/** RADAR INDICATED -> radar_indicated */
function readWords(text?: string): string | null {
  return text?.trim()
    ? text
        .trim()
        .toLowerCase()
        .replace(/[^a-z]+/g, '_')
    : null
}
