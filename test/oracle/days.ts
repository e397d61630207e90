import type { Cited, Expected } from './expected.ts'

/** A day as a report with a date of loss must state it. */
export interface ExpectedDay {
  date: string
  relation: 'date_of_loss' | 'near' | 'other'
  records: number
  /** Warnings in force over the place at some time of that day. */
  warnings: number
  hail_in: number | null
  radar_hail_in: number | null
  /** Miles to the nearest observed record; radar estimates do not count. */
  hail_miles: number | null
  wind_mph: number | null
  measured_wind_mph: number | null
  wind_miles: number | null
  /** On the tornado scale of that day; null if no tornado is rated. */
  tornado: string | null
  tornado_miles: number | null
}

const REACH_MILES = 10
const NEAR_DAYS = 2
const OTHERS = 12
const STRONG = ['moderate', 'severe', 'extreme']
const DAY_MS = 86_400_000

/** Further counts besides the records: a day's warnings, from independent code. */
export type WarningsOn = (date: string) => number

/** Counted from the raw records alone, newest first. */
export function daysOfLoss({ cited }: Expected, loss: string, warningsOn: WarningsOn): ExpectedDay[] {
  const all = [...cited.values()]
  const dates = [...new Set(all.map(({ fact }) => fact.occurred_on))]
  const near = [-2, -1, 1, 2].map((days) => shifted(loss, days)).filter((date) => dates.includes(date) || warningsOn(date) > 0)
  const others = dates
    .filter((date) => away(date, loss) > NEAR_DAYS)
    .flatMap((date) => {
      const strong = all.filter(
        (one) => one.fact.occurred_on === date && isRelevant(one) && one.fact.doubts.length === 0 && grade(one) >= 0,
      )
      const top = Math.max(...strong.map(grade))
      const miles = Math.min(...strong.filter((one) => grade(one) === top).map(milesOf))
      return strong.length === 0 ? [] : [{ date, top, miles }]
    })
    .sort((a, b) => b.top - a.top || a.miles - b.miles || b.date.localeCompare(a.date))
    .slice(0, OTHERS)
  return [loss, ...near, ...others.map(({ date }) => date)]
    .sort((a, b) => b.localeCompare(a))
    .map((date) => ({ ...dayOf(all, date, loss), warnings: warningsOn(date) }))
}

export const shifted = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * How the first sentence of a date begins, its figures in order, "hail reported 1.75 in", "wind measured 70 mph", and how many records of
 * the date name an area instead of a point.
 */
export function firstSentenceOf({ cited }: Expected, date: string): { begins: string; figures: string[]; areal: number } {
  const ofDay = [...cited.values()].filter(({ fact }) => fact.occurred_on === date)
  const relevant = ofDay.filter(isRelevant)
  const areal = ofDay.filter(({ near }) => near === null).length
  const count = relevant.length === 0 ? 'no record' : `${relevant.length} record${relevant.length === 1 ? '' : 's'}`
  const pointed = relevant.length === 0 && areal > 0 ? ' that names a point' : ''
  return {
    begins: `On ${date}, the date of loss, ${count} of hail, wind or tornado${pointed} w`,
    figures: figuresOf(relevant, date),
    areal,
  }
}

const words = { ground: 'reported', instrument: 'measured', radar: 'estimated by radar' }

function figuresOf(relevant: Cited[], date: string): string[] {
  const day = soundOf(relevant)
  const says = { hail: (inches: number) => `${inches.toFixed(2)} in`, wind: (mph: number) => `${mph} mph`, tornado: scaleOf(date) }
  return (['hail', 'wind', 'tornado'] as const).flatMap((kind) =>
    (['ground', 'instrument', 'radar'] as const).flatMap((channel) => {
      const of = day(kind).filter(({ fact }) => fact.channel === channel)
      const most = mostOf(of.map(strengthOf[kind]))
      return of.length === 0 ? [] : [[kind, words[channel], ...(most === null ? [] : [says[kind](most)])].join(' ')]
    }),
  )
}

const away = (date: string, loss: string) => Math.abs(Date.parse(date) - Date.parse(loss)) / DAY_MS
const milesOf = ({ near }: Cited) => near?.miles ?? Number.POSITIVE_INFINITY
const grade = ({ fact }: Cited) => STRONG.indexOf(fact.severity)
const kinds = {
  hail: ['hail', 'marine_hail'],
  wind: [
    'thunderstorm_wind',
    'marine_thunderstorm_wind',
    'high_wind',
    'strong_wind',
    'marine_high_wind',
    'marine_strong_wind',
    'dust_devil',
  ],
  tornado: ['tornado'],
}
type Kind = keyof typeof kinds
const isRelevant = (one: Cited) => Object.values(kinds).flat().includes(one.fact.type) && milesOf(one) <= REACH_MILES

const strengthOf: Record<Kind, (one: Cited) => number | null> = {
  hail: ({ fact }) => fact.hail_size_in,
  wind: ({ fact }) => fact.wind_gust_mph ?? fact.wind_speed_mph,
  tornado: ({ fact }) => fact.tornado_ef_scale,
}

/** The Enhanced Fujita scale replaced the Fujita scale in February 2007. */
const scaleOf = (date: string) => (number: number) => `${date < '2007-02-01' ? 'F' : 'EF'}${number}`

const mostOf = (values: (number | null)[]) =>
  values.reduce<number | null>((top, next) => (next !== null && (top === null || next > top) ? next : top), null)

const soundOf = (of: Cited[]) => (kind: Kind) =>
  of.filter(({ fact, near }) => near !== null && fact.doubts.length === 0 && kinds[kind].includes(fact.type))

function dayOf(all: Cited[], date: string, loss: string): Omit<ExpectedDay, 'warnings'> {
  const day = all.filter(({ fact }) => fact.occurred_on === date)
  const sound = soundOf(day)
  const seen = (kind: Kind) => sound(kind).filter(({ fact }) => fact.channel !== 'radar')
  const by = (channel: string, kind: Kind) =>
    mostOf(sound(kind).flatMap((one) => (one.fact.channel === channel ? [strengthOf[kind](one)] : [])))
  const least = (of: Cited[]) => (of.length === 0 ? null : Math.min(...of.map(milesOf)))
  const rated = mostOf(seen('tornado').map(strengthOf.tornado))
  return {
    date,
    relation: date === loss ? 'date_of_loss' : away(date, loss) <= NEAR_DAYS ? 'near' : 'other',
    records: day.length,
    hail_in: mostOf(seen('hail').map(strengthOf.hail)),
    radar_hail_in: by('radar', 'hail'),
    hail_miles: least(seen('hail')),
    wind_mph: by('ground', 'wind'),
    measured_wind_mph: by('instrument', 'wind'),
    wind_miles: least(seen('wind')),
    tornado: rated === null ? null : scaleOf(date)(rated),
    tornado_miles: least(seen('tornado')),
  }
}
