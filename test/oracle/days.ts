import type { Cited, Expected } from './expected.ts'

/** A day as a report with a date of loss must state it, of files whose rows no instrument wrote. */
export interface ExpectedDay {
  date: string
  relation: 'date_of_loss' | 'near' | 'other'
  records: number
  hail_in: number | null
  hail_miles: number | null
  wind_mph: number | null
  wind_miles: number | null
  tornado_ef: number | null
  tornado_miles: number | null
}

const REACH_MILES = 10
const NEAR_DAYS = 2
const OTHERS = 12
const STRONG = ['moderate', 'severe', 'extreme']

/** Counted from the raw rows alone: newest first. */
export function daysOfLoss({ cited }: Expected, loss: string): ExpectedDay[] {
  const all = [...cited.values()]
  const dates = [...new Set(all.map(({ fact }) => fact.occurred_on))]
  const near = dates.filter((date) => date !== loss && away(date, loss) <= NEAR_DAYS)
  const others = dates
    .filter((date) => away(date, loss) > NEAR_DAYS)
    .flatMap((date) => {
      const strong = all.filter((one) => one.fact.occurred_on === date && isAsked(one) && one.fact.doubts.length === 0 && grade(one) >= 0)
      const top = Math.max(...strong.map(grade))
      const miles = Math.min(...strong.filter((one) => grade(one) === top).map(milesOf))
      return strong.length === 0 ? [] : [{ date, top, miles }]
    })
    .sort((a, b) => b.top - a.top || a.miles - b.miles || b.date.localeCompare(a.date))
    .slice(0, OTHERS)
  return [loss, ...near, ...others.map(({ date }) => date)].sort((a, b) => b.localeCompare(a)).map((date) => dayOf(all, date, loss))
}

/** Records of hail, wind or tornado with a place within ten miles, which the first sentence counts. */
export function askedOn({ cited }: Expected, date: string): Cited[] {
  return [...cited.values()].filter((one) => one.fact.occurred_on === date && isAsked(one))
}

const away = (date: string, loss: string) => Math.abs(Date.parse(date) - Date.parse(loss)) / 86_400_000
const milesOf = ({ near }: Cited) => near?.miles ?? Number.POSITIVE_INFINITY
const grade = ({ fact }: Cited) => STRONG.indexOf(fact.severity)
const kinds = { hail: ['hail'], wind: ['thunderstorm_wind'], tornado: ['tornado'] }
const isAsked = (one: Cited) => Object.values(kinds).flat().includes(one.fact.type) && milesOf(one) <= REACH_MILES

function dayOf(all: Cited[], date: string, loss: string): ExpectedDay {
  const day = all.filter(({ fact }) => fact.occurred_on === date)
  const sound = (kind: keyof typeof kinds) =>
    day.filter(({ fact, near }) => near !== null && fact.doubts.length === 0 && kinds[kind].includes(fact.type))
  const most = (values: (number | null)[]) =>
    values.reduce<number | null>((top, next) => (next !== null && (top === null || next > top) ? next : top), null)
  const least = (of: Cited[]) => (of.length === 0 ? null : Math.min(...of.map(milesOf)))
  return {
    date,
    relation: date === loss ? 'date_of_loss' : away(date, loss) <= NEAR_DAYS ? 'near' : 'other',
    records: day.length,
    hail_in: most(sound('hail').map(({ fact }) => fact.hail_size_in)),
    hail_miles: least(sound('hail')),
    wind_mph: most(sound('wind').map(({ fact }) => fact.wind_gust_mph ?? fact.wind_speed_mph)),
    wind_miles: least(sound('wind')),
    tornado_ef: most(sound('tornado').map(({ fact }) => fact.tornado_ef_scale)),
    tornado_miles: least(sound('tornado')),
  }
}
