import { readObservations } from '#domain/archive/observations/read.ts'
import { feedFailed } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'

/** Hourly values of airport stations. They corroborate records, and are never cited as records. */
export const observations = {
  id: 'asos',
  slug: 'observations',
  label: 'Airport weather stations',
  lane: 'record',
  evidence_kind: 'instrument',
  methodology: 'Hourly gust and precipitation of automated airport stations, as each station sent them.',
  /** https://www.weather.gov/wrh/timeseries?site=KDFW: the key starts with the station. */
  cite: (record) => `https://www.weather.gov/wrh/timeseries?site=${record.source_key.split('/')[0]}`,
  read: readObservations,
  fetch: fetchObservations,
} as const satisfies Source

/** https://api.weather.gov/stations?state=TX&limit=500, https://api.weather.gov/stations/KDFW/observations?start=2025-06-05T00:00:00Z */
const SERVICE = 'https://api.weather.gov/stations'
/** Template; {id} is the station. */
export const OBSERVATIONS_URL = `${SERVICE}/{id}/observations`
const BOUNDS = { headers: { accept: 'application/geo+json' }, unconditional: true }
/** The most observations in one response. */
const PAGE = 500
const PAGES_MAX = 10
/** Observations of an hour reach the service within the next hour. */
const OVERLAP_MS = 2 * HOUR_MS
/** The service keeps observations for one week. */
const RETENTION_MS = 7 * DAY_MS
/** California's list is the longest, with several thousand stations, most of them volunteers'. A page may have fewer than requested. */
const LIST_PAGES_MAX = 60
/** A failing station or list does not keep others from being read. This many failures in a row mean that the service itself fails. */
const FAILED_MAX = 3

/**
 * Reads the stations around the watched places, each from its last stored observation, and once a day the station lists of
 * their states. A failing station or state list does not delay others, and its error is thrown at the end.
 */
async function* fetchObservations(ask: Ask, { since, now, states, stations }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const faults: unknown[] = []
  let consecutive_failures = 0
  const recordFailure = (fault: unknown) => {
    faults.push(fault)
    if (++consecutive_failures === FAILED_MAX) throw fault
  }
  const lists = !since || Math.floor(since.getTime() / DAY_MS) < Math.floor(now.getTime() / DAY_MS) ? await states() : []
  for (const state of lists) {
    try {
      yield* fetchStations(ask, state)
      consecutive_failures = 0
    } catch (fault) {
      recordFailure(fault)
    }
  }
  consecutive_failures = 0
  // If a list failed, the next pass requests all lists again.
  const through = faults.length === 0 ? { through: now } : {}
  // Read after the lists, because they may have just added stations.
  for (const { id, heard_at } of await stations()) {
    try {
      const answers = await fetchStationObservations(ask, id, startOf(heard_at, since, now))
      for (const answer of answers) yield { ...answer, stated_at: null, file_name: `${id}_observations.geojson`, ...through }
      consecutive_failures = 0
    } catch (fault) {
      recordFailure(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return now
}

/**
 * Returns the time from which to request a station: before its last stored observation and before the last pass, as far
 * back as the service keeps data.
 */
function startOf(last_observed_at: Date | null, since: Date | null, now: Date): string {
  const day_ago = now.getTime() - DAY_MS
  const from = Math.min(last_observed_at?.getTime() ?? day_ago, since?.getTime() ?? day_ago) - OVERLAP_MS
  return isoSeconds(new Date(Math.max(from, now.getTime() - RETENTION_MS)))
}

/**
 * Returns what a station observed since a time, oldest first. The service returns the newest 500 at once, which is two days
 * for a station that observes every five minutes. Older pages are requested until there are none, and nothing is stored
 * until all are there.
 * @throws Refusal not_found if an older page does not exist
 */
async function fetchStationObservations(ask: Ask, id: string, start: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let end = ''; answers.length < PAGES_MAX; ) {
    const span = new URLSearchParams({ start, limit: String(PAGE), ...(end && { end }) })
    const answer = await ask(`${OBSERVATIONS_URL.replace('{id}', id)}?${span}`, { ...BOUNDS, always_there: answers.length > 0 })
    if (!answer) break
    answers.unshift(answer)
    const oldest = oldestOfPage(answer.body)
    if (oldest === null || oldest === end) break
    end = oldest
  }
  return answers
}

type Answer = NonNullable<Awaited<ReturnType<Ask>>>

/** Returns the time of the oldest observation on a full page; null if there can be no older one, or the body is not a page. */
function oldestOfPage(body: Buffer): string | null {
  try {
    const { features }: { features: { properties: { timestamp: string } }[] } = JSON.parse(body.toString('utf8'))
    if (features.length < PAGE) return null
    const oldest = Math.min(...features.map(({ properties }) => Date.parse(properties.timestamp)))
    return isoSeconds(new Date(oldest))
  } catch {
    return null
  }
}

/** @throws Refusal not_found if a page after the first does not exist, engine_unavailable if the list does not end */
async function* fetchStations(ask: Ask, state: string): AsyncGenerator<FeedAnswer> {
  let url: string | null = `${SERVICE}?state=${state}&limit=${PAGE}`
  for (let page = 1; url; page++) {
    if (page > LIST_PAGES_MAX) throw feedFailed(`its list of the stations of ${state} does not end`)
    const answer = await ask(url, { ...BOUNDS, always_there: page > 1 })
    if (!answer) return
    yield { ...answer, stated_at: null, file_name: `stations_${state}_${page}.geojson` }
    const before: string = url
    const next = nextOf(answer.body)
    url = next === before ? null : next
  }
}

/** Returns the next page, on the same service only. The last page has no features. */
function nextOf(body: Buffer): string | null {
  try {
    const { pagination, features }: { pagination?: { next?: unknown }; features?: unknown[] } = JSON.parse(body.toString('utf8'))
    const next = typeof pagination?.next === 'string' && features?.length ? pagination.next : ''
    return next.startsWith(`${SERVICE}?`) ? next : null
  } catch {
    return null
  }
}
