import type { CitedRecordView } from '#domain/reports/view.ts'
import {
  centreOf,
  earlierDays,
  isPlaced,
  isPrecise,
  isSeen,
  isSound,
  isStatedDistance,
  magnitudeOf,
  type StatedReport,
  unless,
  unsupported,
} from './claims.ts'
import { coverFaults, questionFaults } from './first-page.ts'
import { typeNamed } from './grammar.ts'
import { claimOf, keyFigureFaults } from './key-figures.ts'
import { need, paragraphs, rowsOf, sectionsOf, textOf } from './markup.ts'

/** Returns every statement on the printed page, besides its statements, that its records do not support; empty if there is none. */
export function faultsOfPage(stated: StatedReport, html: string): string[] {
  const { report } = stated
  const page = sectionsOf(html)
  const checks: Record<string, () => string[]> = {
    cover: () => coverFaults(stated, html),
    'Three questions': () => questionFaults(stated, page.get('Three questions') ?? ''),
    'Key figures': () => keyFigureFaults(stated, page.get('Key figures') ?? ''),
    Summary: () => summaryFaults(stated, page.get('Summary') ?? ''),
    Findings: () => findingFaults(stated, page.get('Findings') ?? ''),
    Map: () => mapFaults(stated, page.get('Map') ?? ''),
    Timeline: () => timelineFaults(stated, page.get('Timeline') ?? ''),
    'Earlier days with records': () => earlierFaults(stated, page.get('Earlier days with records') ?? ''),
    stamp: () => stampFaults(stated, html),
  }
  return Object.entries(checks).flatMap(([section, check]) => {
    try {
      return check().map((fault) => `${report.id}: ${section}: ${fault}`)
    } catch (fault) {
      return [`${report.id}: ${section}: ${(fault as Error).message}`]
    }
  })
}

// ---------------------------------------------------------------- tables and captions

function summaryFaults({ report }: StatedReport, html: string): string[] {
  if (report.findings.length === 0) return unless(textOf(html) === report.nothing_found, `it says "${textOf(html)}"`)
  const rows = rowsOf(html).slice(1)
  return report.findings.flatMap((finding, at) => {
    const [family, count, severity, label, recent, nearest] = rows[at] ?? []
    const miles = nearest === 'names no point' ? null : /^(\d+\.\d+) mi$/.exec(nearest ?? '')?.[1]
    return [
      ...unless(family === finding.family_label && Number(count) === finding.event_count, `its row of ${finding.family} is of ${family}`),
      ...unless(severity === finding.peak_severity && label === finding.confidence_label && recent === finding.most_recent, `${rows[at]}`),
      ...unless(
        finding.nearest_miles === null
          ? miles === null
          : typeof miles === 'string' && isStatedDistance(miles, finding.nearest_miles, report),
        `the nearest of ${finding.family} is ${nearest}`,
      ),
    ]
  })
}

function findingFaults({ report, records }: StatedReport, html: string): string[] {
  const articles = [...html.matchAll(/<article class="finding">([\s\S]*?)<\/article>/g)].map(([, body]) => body as string)
  return report.findings.flatMap((finding, at) => {
    const [statement, fine] = paragraphs(articles[at] ?? '')
    const { peak_hail_in, peak_wind_mph, peak_tornado_rating } = finding
    const [, label, count, recent, severity, nearest, hail, by_radar, wind, tornado, days] = need(
      /^(.*?)\. (\d+) records?; most recent (\S+); severity (?:up to )?(\w+); evidence: [A-Za-z, ]+?(?:; nearest (\d+\.\d+) mi)?(?:; hail up to (\d+\.\d{2}) in( estimated by radar)?)?(?:; wind up to ([\d.]+) mph)?(?:; tornado up to (E?F\d))?\. Days: (.*)\.$/,
      fine ?? '',
    )
    const dates = [...new Set(records.filter(({ family }) => family === finding.family).map(({ occurred_on }) => occurred_on))]
      .sort()
      .reverse()
    return [
      ...unless(statement === finding.statement, `the statement of ${finding.family} is another`),
      ...unless(label === finding.confidence_label && Number(count) === finding.event_count, `${label}, ${count}`),
      ...unless(recent === finding.most_recent && severity === finding.peak_severity, `${recent}, ${severity}`),
      ...unless(
        nearest === undefined ? finding.nearest_miles === null : isStatedDistance(nearest, finding.nearest_miles ?? -1, report),
        `nearest ${nearest}`,
      ),
      ...unless((hail ?? null) === (peak_hail_in?.toFixed(2) ?? null), `hail up to ${hail}`),
      ...unless(hail === undefined || (by_radar !== undefined) === !isHailSeen(records, finding.family), `hail up to ${hail}${by_radar}`),
      ...unless((wind ?? null) === (peak_wind_mph === null ? null : String(peak_wind_mph)), `wind up to ${wind}`),
      ...unless((tornado ?? null) === peak_tornado_rating, `tornado up to ${tornado}`),
      ...unless(days === daysListed(dates), `the days of ${finding.family} are others`),
    ]
  })
}

/** Whether a record that could be the largest hail was observed. */
function isHailSeen(records: CitedRecordView[], family: string): boolean {
  const of = records.filter((record) => record.family === family)
  const placed = of.filter(isPlaced)
  return (placed.length > 0 ? placed : of).some((record) => isSound(record) && isSeen(record) && record.measurements.hail_size_in !== null)
}

/** At most sixty, and the number of earlier ones. */
function daysListed(dates: string[]): string {
  const before = dates.length > 60 ? `; and ${dates.length - 60} before, in the attached records.csv` : ''
  return dates.slice(0, 60).join(', ') + before
}

function mapFaults({ report, records }: StatedReport, html: string): string[] {
  const caption = paragraphs(html)[0] ?? ''
  const [, radius, centre, numbered, only, unmarked = only && '1', cited = only && '1'] = need(
    /^Circle of ([\d.]+) mi around (.*?) \(the cross\); north is up\.(?: Numbers are those of the (cited|printed) records, where there is room for one\.)?(?: (?:(The) cited record|(\d+) of the (\d+) cited records) (?:has no marker: it names|have no marker: they name) no point\.)?$/,
    caption,
  )
  // Every layer was selected.
  const left = records.filter((record) => !isPlaced(record)).length
  return [
    ...unless(Number(radius) === report.window.radius_miles, `a circle of ${radius} mi`),
    ...unless(
      left === records.length ? numbered === undefined : numbered === (records.length > 60 ? 'printed' : 'cited'),
      `numbers are of the ${numbered} records`,
    ),
    ...unless(centre === (isPrecise(report) ? 'the address' : centreOf(report)), `a circle around ${centre}`),
    ...unless(
      Number(unmarked ?? 0) === left && (cited === undefined || Number(cited) === records.length),
      `${unmarked} of ${cited} have no marker, not ${left}`,
    ),
  ]
}

const layers: [name: string, holds: (record: CitedRecordView) => boolean][] = [
  ['hail estimated by radar', (record) => !isSeen(record)],
  ['hail', ({ type }) => type === 'hail' || type === 'marine_hail'],
  ['tornado or funnel cloud', ({ type }) => ['tornado', 'funnel_cloud', 'waterspout'].includes(type)],
  ['wind', ({ type }) => type.includes('wind') && !type.includes('chill')],
  ['flood', ({ type }) => type.includes('flood')],
  ['other', () => true],
]
const layerOf = (record: CitedRecordView) => layers.find(([, holds]) => holds(record))?.[0] as string

function timelineFaults({ report, records }: StatedReport, html: string): string[] {
  const shares = paragraphs(html).at(-1) ?? ''
  if (records.length === 0) return unless(textOf(html).startsWith('No records.'), `"${textOf(html)}"`)
  const [, unit, start, end] = need(/Cited records by (month|year), (\S+) to (\S+)\./, textOf(html))
  const binOf = ({ occurred_on }: CitedRecordView) => occurred_on.slice(0, unit === 'month' ? 7 : 4)
  const stated = shares.split('; ').map((bin) => need(/^([\d-]+): (\d+) \((.*)\)$/, bin))
  const bins = [...new Set(records.map(binOf))].sort()
  return [
    ...unless(start === report.window.start && end === report.window.end, `it is of ${start} to ${end}`),
    ...unless(
      Number(/(\d+) of them names? a county or a forecast zone, not a point\./.exec(textOf(html))?.[1] ?? 0) ===
        records.filter((record) => !isPlaced(record)).length,
      'how many records name an area is said wrongly',
    ),
    ...unless(
      (unit === 'year') === textOf(html).includes('the bars do not compare how stormy they were.'),
      'what bars compare is said wrongly',
    ),
    ...unless(
      report.coverage.complete !== textOf(html).includes(`A ${unit} without a bar may be one of which no records are held`),
      'what a missing bar means is said wrongly',
    ),
    ...unless(stated.map(([, bin]) => bin).join() === bins.join(), `its bars are of ${stated.map(([, bin]) => bin)}`),
    ...stated.flatMap(([, bin, total, parts]) => {
      const of = records.filter((record) => binOf(record) === bin)
      const counted = (parts as string).split(', ').map((part) => need(/^(.*) (\d+)$/, part))
      return [
        ...unless(Number(total) === of.length, `${bin} has ${total} records, not ${of.length}`),
        ...unless(counted.reduce((sum, [, , count]) => sum + Number(count), 0) === of.length, `the parts of ${bin} are ${parts}`),
        ...counted.flatMap(([, name, count]) =>
          unless(Number(count) === of.filter((record) => layerOf(record) === name).length, `${bin}: ${name} ${count}`),
        ),
      ]
    }),
  ]
}

/** Each row: a day, the number of records, and for each kind their number and the largest of them. */
function earlierFaults({ report, records }: StatedReport, html: string): string[] {
  const days = earlierDays({ report, records })
  const rows = rowsOf(html).slice(1)
  return [
    ...unless(rows.map(([day]) => day).join() === days.join(), `its days are ${rows.map(([day]) => day)}`),
    ...rows.flatMap(([day, count, kinds]) => {
      const of = records.filter(({ occurred_on }) => occurred_on === day)
      return [
        ...unless(Number(count) === of.length, `${day} has ${count} records, not ${of.length}`),
        ...(kinds as string).split(/; (?!not stated)/).flatMap((kind) => kindFaults(kind, of, { report, records })),
      ]
    }),
  ]
}

function kindFaults(text: string, ofDay: CitedRecordView[], { report }: StatedReport): string[] {
  const [, name, precision, count, without, value, detail] = need(
    /^(.*?)(?: \((county|zone) records\))? (\d+)(?:, (?:largest( without a caveat)? )?(not rated|strength not known(?: without a caveat)?|\S.*?)(?: \((.*)\))?)?$/,
    text,
  )
  const radar = / estimated by radar$/.test(name as string)
  const type = typeNamed((name as string).replace(/ estimated by radar$/, ''))
  const of = ofDay.filter(
    (record) =>
      record.type === type && isSeen(record) !== radar && (precision ? record.location.precision === precision : isPlaced(record)),
  )
  const counted = unless(Number(count) === of.length, `${text}: they are ${of.length}`)
  if (value === undefined) return counted
  if (value === 'not rated' || value.startsWith('strength not known'))
    return [
      ...counted,
      ...unless(
        of.every((record) => !isSound(record) || magnitudeOf(record) === null),
        `${text}: a strength is known`,
      ),
    ]
  const claim = { ...claimOf(value, detail, '0.00 mi', ofDay[0]?.occurred_on as string), place: { at: 'unsaid' as const } }
  const most = Math.max(...of.filter(isSound).map((record) => magnitudeOf(record) ?? -1))
  return [
    ...counted,
    ...unless((without !== undefined) === !of.every(isSound), `${text}: a caveat`),
    ...unsupported(text, claim, of.filter(isSound), report),
    ...unless(
      Number(/[\d.]+/.exec(claim.figure?.stated ?? '')?.[0]) === most || claim.figure?.stated === 'EFU',
      `${text}: the largest is ${most}`,
    ),
  ]
}

function stampFaults({ report, records }: StatedReport, html: string): string[] {
  const [, stamp] = need(/<span class="stamp \w+">(\w+)<\/span>/, html)
  const { complete, provisional, unplaced_zone_records } = report.coverage
  const expected = records.some(({ sample }) => sample)
    ? 'SAMPLE'
    : !complete || (unplaced_zone_records ?? 0) > 0
      ? 'INCOMPLETE'
      : provisional
        ? 'PROVISIONAL'
        : 'FINAL'
  return unless(stamp === expected, `it is ${stamp}, not ${expected}`)
}
