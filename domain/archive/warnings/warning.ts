import type { MultiPolygon, Polygon } from 'geojson'
import type { Spanned } from '#domain/archive/files/span.ts'
import { isImpossibleHail, isImpossibleWind } from '#domain/archive/plausibility.ts'
import type { VtecAction } from '#domain/archive/warnings/vtec.ts'
import type { capCertainties, capSeverities, capUrgencies, geometryBases } from '#domain/closed-sets.ts'

/** The basis of a hail size or a gust. */
export const threatBases = ['radar_indicated', 'observed'] as const

/** What one message states about one warning, in the contract's words and units. */
export interface WarningMessage extends Spanned {
  /** Office, phenomenon, significance, tracking number and year: KFWD.SV.W.0142.2025. */
  source_key: string
  /** Identical for the same message, whether it arrived as text or by the feed. */
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
  /** When this message was sent. An older message never overrides a newer one. */
  sent_at: Date
  /** Mark of a corrected or amended product, CCA or AAB. It comes after what was sent at the same time. */
  correction: string | null
  /** Begin of the event as its code states it; null if the code leaves it open. */
  begins_at: Date | null
  /** When the warning began, as far as this message shows. */
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
  /** Null if the message has no polygon, or one that cannot be correct. */
  geometry: Polygon | MultiPolygon | null
  /** Why the polygon is not used, as a clause: "crosses itself". Null if it is used, or there is none. */
  polygon_fault: string | null
  county_fips: string[]
  /** Forecast zones as state and number: TXZ119. */
  zones: string[]
  /** The text of the message. */
  citation_url: string
}

/** A message as it is stored; its warning has the rest. */
export interface StoredMessage
  extends Omit<WarningMessage, 'source_key' | 'status' | 'issued_at' | 'office' | 'phenomenon' | 'significance' | 'tracking_number'> {
  office_name: string
  /** Digest of the content: of two texts with one key, the one with the larger digest is stored. */
  digest: string
  /**
   * Made from the stored warning, for warnings from before messages were stored. It is the newest known state, and stands
   * for all earlier messages.
   */
  made: boolean
}

/** storm: the warning is for a polygon. zone: the warning is for the counties and forecast zones that it names. */
export function geometryBasis({
  geometry,
  polygon_fault,
}: Pick<WarningMessage, 'geometry' | 'polygon_fault'>): (typeof geometryBases)[number] {
  return geometry || polygon_fault ? 'storm' : 'zone'
}

/** Sizes in inches, gusts in mph; null if the message does not state them. */
export interface Threats {
  max_hail_in: number | null
  hail_basis: (typeof threatBases)[number] | null
  max_gust_mph: number | null
  wind_basis: (typeof threatBases)[number] | null
  tornado: string | null
  flash_flood: string | null
  damage: (typeof damages)[number] | null
}

/** A message's tags in the agency's own words: "1.00", "Up to .75", "60 MPH", "RADAR INDICATED". */
export interface ThreatTags {
  hail_size?: string | undefined
  hail_basis?: string | undefined
  gust?: string | undefined
  wind_basis?: string | undefined
  tornado?: string | undefined
  flash_flood?: string | undefined
  damage?: string | undefined
}

/**
 * Reads the tags. "Up to .75" and "<.75" are upper bounds and "0.00" states no size: none of them is a size. Nor is one that
 * is impossible: a point is missing in "175 IN".
 */
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
  return size > 0 && !isImpossibleHail(size) ? size : null
}

function readGust(text = ''): number | null {
  if (/up to|</i.test(text)) return null
  const gust = Number(/\d+/.exec(text)?.[0] ?? 0)
  return gust > 0 && !isImpossibleWind(gust) ? gust : null
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
