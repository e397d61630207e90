import type { CitedRecordView } from '#domain/reports/view.ts'
import { isPlaced, isSeen, isSound, magnitudeOf, type StatedReport, unless, unsupported } from './claims.ts'
import type { Claim } from './grammar.ts'
import { need, textOf } from './markup.ts'

/** "3.50 in", "gust 70 mph", "F3", with "(measured)" after it. */
export function claimOf(value: string, detail: string | undefined, where: string, date: string): Claim {
  const kind = /^(gust|sustained) /.exec(value)?.[1]
  const details = [...(kind ? [kind] : []), ...(detail ? [detail] : [])]
  return { figure: { stated: value.replace(/^(gust|sustained) /, ''), details }, place: placeOf(where), date }
}

export function placeOf(where: string): Claim['place'] {
  const area = /^(county|zone): (.*?), [A-Z]{2}$/.exec(where)
  if (area) return { at: 'area', name: area[2] as string }
  const [, miles, bearing] = need(/^(\d+\.\d+) mi(?: ([NESW]{1,3}))?$/, where)
  return { at: 'miles', miles: miles as string, bearing: bearing ?? null, part: null }
}

const kinds: Record<string, (record: CitedRecordView) => boolean> = {
  'Largest hail reported': (record) => isSeen(record) && record.measurements.hail_size_in !== null,
  'Largest hail estimated by radar': (record) => !isSeen(record),
  'Strongest wind': ({ measurements }) => (measurements.wind_gust_mph ?? measurements.wind_speed_mph) !== null,
  'Strongest tornado': ({ measurements }) => measurements.tornado_ef_scale !== null,
}

/** A largest figure comes from a record with a place, unless its label says that only county or zone records state it. */
export function figureFaults({ report, records }: StatedReport, label: string, claim: Claim): string[] {
  const [, kind, precision] = need(/^(.*?)(?:, (county|zone) records only)?$/, label)
  const isOfKind = kinds[kind as string]
  if (!isOfKind) return [`no figure is called "${label}"`]
  const families = new Set(records.filter(isPlaced).map(({ family }) => family))
  const of = records.filter(
    (record) =>
      isOfKind(record) &&
      isSound(record) &&
      (precision ? record.location.precision === precision && !families.has(record.family) : isPlaced(record)),
  )
  const most = Math.max(...of.map((record) => magnitudeOf(record) ?? -1))
  return [
    ...unsupported(label, claim, of, report),
    ...unless(Number(/[\d.]+/.exec(claim.figure?.stated ?? '')?.[0]) === most, `${label} is ${most}, not ${claim.figure?.stated}`),
  ]
}

/** Every kind of figure that a sound record with a place states must be printed. */
export function missingFigures({ records }: StatedReport, labels: string[]): string[] {
  return Object.entries(kinds).flatMap(([kind, isOfKind]) =>
    unless(
      labels.includes(kind) || !records.some((record) => isPlaced(record) && isSound(record) && isOfKind(record)),
      `${kind} is not reported`,
    ),
  )
}

export function keyFigureFaults(stated: StatedReport, html: string): string[] {
  const figures = [...html.matchAll(/<dd>([\s\S]*?)<\/dd><dt>([\s\S]*?)<\/dt>/g)].map(([, value, label]) => [
    textOf(value as string),
    textOf(label as string),
  ])
  const counts: Record<string, number> = {
    'Records cited': stated.records.length,
    'Days with records': new Set(stated.records.map(({ occurred_on }) => occurred_on)).size,
    'Station observations searched': stated.report.observation_count,
  }
  const largest = figures.filter(([, label]) => !((label as string) in counts))
  const read = largest.map(([value, text]) => {
    const [, label, detail, where, date] = need(/^(.*?) \(([^()]*)\), (.*) on (\d{4}-\d{2}-\d{2})$/, text as string)
    return { label: label as string, claim: claimOf(value as string, detail, where as string, date as string) }
  })
  return [
    ...Object.entries(counts).flatMap(([label, count]) =>
      unless(
        figures.some(([value, figureLabel]) => figureLabel === label && value === String(count)),
        `${label} is not ${count}`,
      ),
    ),
    ...read.flatMap(({ label, claim }) => figureFaults(stated, label, claim)),
    ...missingFigures(
      stated,
      read.map(({ label }) => label),
    ),
  ]
}
