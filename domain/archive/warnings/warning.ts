import type { MultiPolygon, Polygon } from 'geojson'
import type { VtecAction } from '#domain/archive/warnings/vtec.ts'

export const capSeverities = ['extreme', 'severe', 'moderate', 'minor', 'unknown'] as const
export const capCertainties = ['observed', 'likely', 'possible', 'unlikely', 'unknown'] as const
export const capUrgencies = ['immediate', 'expected', 'future', 'past', 'unknown'] as const

/** What one message says of one warning, in the contract's words and units. */
export interface WarningMessage {
  /** Office, phenomenon, significance, tracking number and year: KFWD.SV.W.0142.2025. */
  source_key: string
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
  geometry: Polygon | MultiPolygon | null
  geometry_basis: 'storm' | 'zone'
  county_fips: string[]
  /** Forecast zones as state and number: TXZ119. */
  zones: string[]
  citation_url: string
}

/** Sizes in inches, gusts in mph; null where the message is silent. */
export interface Threats {
  max_hail_in: number | null
  hail_basis: 'radar_indicated' | 'observed' | null
  max_gust_mph: number | null
  wind_basis: 'radar_indicated' | 'observed' | null
  tornado: string | null
  flash_flood: string | null
  damage: 'base' | 'considerable' | 'destructive' | 'catastrophic' | null
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

const damages = ['base', 'considerable', 'destructive', 'catastrophic'] as const

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

function readBasis(text?: string): 'radar_indicated' | 'observed' | null {
  const words = readWords(text)
  return words === 'radar_indicated' || words === 'observed' ? words : null
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
