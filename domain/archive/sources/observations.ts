import { readObservations } from '#domain/archive/observations/read.ts'
import { feedFailed } from '#domain/archive/sources/feed.ts'
import type { Ask, FeedAnswer, FeedSpan, Source } from '#domain/archive/sources/source.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'

/** Hourly values of airport stations: they corroborate, and are never cited records. */
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
/** Of the station of an id. */
export const OBSERVATIONS_URL = `${SERVICE}/{id}/observations`
const BOUNDS = { headers: { accept: 'application/geo+json' }, unconditional: true }
/** The most that it answers at once. */
const PAGE = 500
const PAGES_MAX = 10
/** Observations of an hour reach the service within the next. */
const AGAIN_MS = 2 * HOUR_MS
/** The service keeps a week. */
const KEPT_MS = 7 * DAY_MS
/** California's list is the longest, with some thousands of stations, mostly those of volunteers; a page may have fewer than are asked for. */
const LIST_PAGES_MAX = 60
/** A station or a list that fails keeps no other from being read; so many one after another are the service itself. */
const FAILED_MAX = 3

/**
 * Of the stations around what is watched, each from where it was last heard; once a day where the stations of its states are. That one
 * fails, or a state's list, is said at the end, and holds up no other.
 */
async function* fetchObservations(ask: Ask, { since, now, states, stations }: FeedSpan): AsyncGenerator<FeedAnswer, Date> {
  const faults: unknown[] = []
  let in_a_row = 0
  const passOver = (fault: unknown) => {
    faults.push(fault)
    if (++in_a_row === FAILED_MAX) throw fault
  }
  const lists = !since || Math.floor(since.getTime() / DAY_MS) < Math.floor(now.getTime() / DAY_MS) ? await states() : []
  for (const state of lists) {
    try {
      yield* fetchStations(ask, state)
      in_a_row = 0
    } catch (fault) {
      passOver(fault)
    }
  }
  in_a_row = 0
  // Without a list the next pass asks for all of them again.
  const through = faults.length === 0 ? { through: now } : {}
  // After their lists: they may have come just now.
  for (const { id, heard_at } of await stations()) {
    try {
      const answers = await askStation(ask, id, startOf(heard_at, since, now))
      for (const answer of answers) yield { ...answer, stated_at: null, file_name: `${id}_observations.geojson`, ...through }
      in_a_row = 0
    } catch (fault) {
      passOver(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return now
}

/** From when a station is asked: before what is held of it ends and before any was last read, as far back as the service keeps them. */
function startOf(heard_at: Date | null, since: Date | null, now: Date): string {
  const day_ago = now.getTime() - DAY_MS
  const from = Math.min(heard_at?.getTime() ?? day_ago, since?.getTime() ?? day_ago) - AGAIN_MS
  return new Date(Math.max(from, now.getTime() - KEPT_MS)).toISOString().replace(/\.\d+/, '')
}

/**
 * What a station observed since a moment, the oldest first. The service gives the newest 500 at once, which are two days of a station that
 * observes every five minutes: those before are asked for until there are none, and nothing is held until all are there.
 * @throws Refusal not_found where a page before them is not there
 */
async function askStation(ask: Ask, id: string, start: string): Promise<Answer[]> {
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

/** When the oldest observation of a full page was made; null where there can be no older one, or the page is none. */
function oldestOfPage(body: Buffer): string | null {
  try {
    const { features }: { features: { properties: { timestamp: string } }[] } = JSON.parse(body.toString('utf8'))
    if (features.length < PAGE) return null
    const oldest = Math.min(...features.map(({ properties }) => Date.parse(properties.timestamp)))
    return new Date(oldest).toISOString().replace(/\.\d+/, '')
  } catch {
    return null
  }
}

/** @throws Refusal not_found where a page but the first is not there, engine_unavailable where the list does not end */
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

/** The next page, on the same service only; the last one has no features. */
function nextOf(body: Buffer): string | null {
  try {
    const { pagination, features }: { pagination?: { next?: unknown }; features?: unknown[] } = JSON.parse(body.toString('utf8'))
    const next = typeof pagination?.next === 'string' && features?.length ? pagination.next : ''
    return next.startsWith(`${SERVICE}?`) ? next : null
  } catch {
    return null
  }
}
