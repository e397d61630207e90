import { feedFailed } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { readWarnings } from '#domain/archive/warnings/read.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'

/** Official warnings: context, never evidence. */
export const warnings = {
  id: 'nws_warnings',
  slug: 'warnings',
  label: 'National Weather Service warnings',
  lane: 'warnings',
  evidence_kind: 'ground',
  methodology:
    'Official warnings as National Weather Service offices issued them: a forecast of what may happen, not a record of what did.',
  /** https://mesonet.agron.iastate.edu/vtec/event/2024-O-NEW-KFWD-SV-W-0123: the source key has this form. */
  cite: (record) => `https://mesonet.agron.iastate.edu/vtec/event/${record.source_key}`,
  read: readWarnings,
  fetch: fetchWarnings,
} as const satisfies Source

/** The service returns 403 without a contact in the User-Agent, and 400 for an unknown parameter. */
const SERVICE = 'https://api.weather.gov/alerts'
const ACTIVE = `${SERVICE}/active`
const BOUNDS = { max_bytes: 64 * 1024 * 1024, timeout_ms: 45_000, headers: { accept: 'application/geo+json' } }
/** After a longer gap, warnings may have come and gone unseen, so what was sent in the meantime is read first. */
const SILENCE_MS = 10 * MINUTE_MS
/** The service keeps alerts for one week. */
const KEPT_MS = 7 * DAY_MS
const PAGE = 500
/** One week of the whole country has about 20,000 alerts. */
const PAGES_MAX = 60

/** Reads what was missed, then what is in force. The second is read even if the first fails. */
async function* fetchWarnings(ask: Ask, { since, now }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const missed = since && now.getTime() - since.getTime() > SILENCE_MS ? yield* fetchMissed(ask, since, now) : { from: since ?? now }
  const active = await ask(ACTIVE, { ...BOUNDS, always_there: true })
  const covered_span = { from: missed.from, until: now }
  if (active) yield { ...active, stated_at: updatedAt(active.body) ?? active.stated_at, file_name: 'alerts_active.geojson', covered_span }
  if (missed.fault) throw missed.fault
  return now
}

interface Missed {
  /** The time from which everything was read. Alerts that the service no longer keeps, and those beyond the page limit, were not read. */
  from: Date
  /** Why the list is incomplete or could not be read. It is requested again. */
  fault?: unknown
}

async function* fetchMissed(ask: Ask, since: Date, now: Date): AsyncGenerator<FeedAnswer, Missed> {
  const from = new Date(Math.max(since.getTime(), now.getTime() - KEPT_MS))
  const start = isoSeconds(from)
  let url: string | null = `${SERVICE}?start=${encodeURIComponent(start)}&status=actual&limit=${PAGE}`
  for (let page = 1; url && page <= PAGES_MAX; page++) {
    try {
      const answer = await ask(url, { ...BOUNDS, unconditional: true })
      if (!answer) throw feedFailed('the list of alerts sent in the meantime is incomplete')
      yield { ...answer, stated_at: null, file_name: `alerts_since_${start}_${page}.geojson` }
      url = nextOf(answer.body)
    } catch (fault) {
      return { from: now, fault }
    }
  }
  return { from: url ? now : from }
}

/** Returns the collection's own time. */
function updatedAt(body: Buffer): Date | null {
  const [, text] =
    /"updated"\s*:\s*"([^"]+)"/.exec(body.subarray(-2000).toString('latin1')) ??
    /"updated"\s*:\s*"([^"]+)"/.exec(body.subarray(0, 4000).toString('latin1')) ??
    []
  const at = new Date(text ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Returns the next page, on the same service only. Every page names one, even the last: the page after it has no alerts. */
function nextOf(body: Buffer): string | null {
  try {
    const { pagination, features }: { pagination?: { next?: unknown }; features?: unknown[] } = JSON.parse(body.toString('utf8'))
    const next = typeof pagination?.next === 'string' && features?.length !== 0 ? pagination.next : ''
    return next.startsWith(`${SERVICE}?`) ? next : null
  } catch {
    return null
  }
}
