import { seededRandom } from '#test/bench/random.ts'
import { clockAt } from './clock.ts'
import type { Question } from './expected.ts'
import { countiesIn, milesBetween, type Spot, stateHolding, travel } from './geography.ts'

/**
 * Warnings and observations made for the comparison, in the agency's own formats: some in a place's state and some
 * in another, some within its window and some outside. They make no record, and decide which sources were searched.
 */
export interface ContextFiles {
  /** GeoJSON of alerts without a polygon. */
  warnings: string
  /** GeoJSON of stations' observations. */
  observations: string
  /** Which of the two a question's answer must name as searched. */
  searched(question: Question, state: string | null): string[]
}

interface Message {
  state: string
  sent: Date
}

interface Observed {
  spot: Spot
  at: Date
}

/** One warning and one observation for every other question. */
export function contextFiles(questions: readonly Question[], seed: number): ContextFiles {
  const random = seededRandom(seed)
  const states = [...new Set(questions.map(({ place }) => stateHolding(place)))].filter((state) => state !== null)
  const messages: Message[] = []
  const observed: Observed[] = []
  for (const question of questions.filter((_, at) => at % 2 === 0)) {
    const state = random.next() < 0.6 ? stateHolding(question.place) : random.pick(states)
    if (state !== null && question.end >= FIRST_WARNED) messages.push({ state, sent: momentAround(question) })
    observed.push({ spot: travel(question.place, random.between(0, 2 * Math.PI), random.between(0, 60)), at: momentAround(question) })
  }
  return {
    warnings: collection(messages.map(alertOf)),
    observations: collection(observed.map(observationOf)),
    searched: ({ place, start, end }, state) => {
      const inWindow = (moment: Date, clocks: Iterable<string>) =>
        [...clocks].some((clock) => dateAt(moment, clock) >= start && dateAt(moment, clock) <= end)
      const isWarned = messages.some((message) => message.state === state && inWindow(message.sent, clocksOf(message.state)))
      const isObserved = observed.some(
        ({ spot, at }) =>
          (stateHolding(spot) === state && inWindow(at, [clockAt(spot)])) ||
          (milesBetween(place, spot) <= REACH_MILES && inWindow(at, [clockAt(place)])),
      )
      return [...(isObserved ? ['asos'] : []), ...(isWarned ? ['nws_warnings'] : [])]
    },
  }

  /** Within the last days of a window, or some days before or after. Hours around midnight, when time zones matter. */
  function momentAround({ start, end }: Question): Date {
    const day = random.next() < 0.5 ? Date.parse(end) : Math.max(Date.parse(start), Date.parse(FIRST_WARNED))
    return new Date(day + random.integer(-30, 54) * HOUR_MS + random.integer(0, 59) * 60_000)
  }
}

/** Messages have years of two digits, so those of the last century cannot be distinguished from ours. */
const FIRST_WARNED = '2019-01-01'
const HOUR_MS = 3_600_000
/** A station farther away says nothing about a place. */
const REACH_MILES = 25

const clocks = new Map<string, Set<string>>()

/** The time zones of the counties of a state. */
function clocksOf(state: string): Set<string> {
  const found = clocks.get(state) ?? new Set(countiesIn(state).map(({ centre }) => clockAt(centre)))
  clocks.set(state, found)
  return found
}

const dates = new Map<string, Intl.DateTimeFormat>()

function dateAt(moment: Date, clock: string): string {
  const format = dates.get(clock) ?? new Intl.DateTimeFormat('en-CA', { timeZone: clock, dateStyle: 'short' })
  dates.set(clock, format)
  return format.format(moment)
}

const collection = (features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })

function alertOf({ state, sent }: Message, at: number): object {
  const ends = new Date(sent.getTime() + HOUR_MS)
  const stamp = (moment: Date) => `${moment.toISOString().slice(2, 16).replace(/[-:]/g, '')}Z`
  return {
    type: 'Feature',
    geometry: null,
    properties: {
      id: `urn:oid:2.49.0.1.840.0.${at + 1}`,
      areaDesc: 'Somewhere',
      geocode: { UGC: [`${state}C${countiesIn(state)[0]?.fips.slice(2)}`] },
      sent: sent.toISOString(),
      onset: sent.toISOString(),
      expires: ends.toISOString(),
      ends: ends.toISOString(),
      status: 'Actual',
      messageType: 'Alert',
      severity: 'Severe',
      certainty: 'Likely',
      urgency: 'Immediate',
      event: 'Severe Thunderstorm Warning',
      senderName: 'NWS Oracle',
      headline: null,
      instruction: null,
      parameters: { VTEC: [`/O.NEW.KORC.SV.W.${String(at + 1).padStart(4, '0')}.${stamp(sent)}-${stamp(ends)}/`] },
    },
  }
}

function observationOf({ spot, at }: Observed, index: number): object {
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [Number(spot[0].toFixed(5)), Number(spot[1].toFixed(5))] },
    properties: {
      station: `https://api.weather.gov/stations/K${String(index).padStart(3, '0')}`,
      timestamp: at.toISOString(),
      windGust: { unitCode: 'wmoUnit:km_h-1', value: 30, qualityControl: 'V' },
      precipitationLastHour: { unitCode: 'wmoUnit:mm', value: null, qualityControl: 'Z' },
    },
  }
}
