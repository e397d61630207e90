import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'
import {
  centreOf,
  type Finding,
  isPlaced,
  isPrecise,
  isSeen,
  isSound,
  magnitudeOf,
  namesArea,
  type StatedReport,
  severities,
  unless,
  unsupported,
} from './claims.ts'
import { labelFaults, peakFaults } from './finding-figures.ts'
import { type Claim, readHeadline, readStatement, type Sentence } from './grammar.ts'

/** Returns every statement in a report's texts that its records do not support; empty if there is none. */
export function faultsOfTexts(stated: StatedReport): string[] {
  const { report } = stated
  return [
    ...guarded('headline', () => headlineFaults(stated)),
    ...report.findings.flatMap((finding) =>
      guarded(`${finding.family} "${finding.statement}"`, () => [
        ...statementFaults(stated, finding),
        ...peakFaults(stated, finding),
        ...labelFaults(stated, finding),
      ]),
    ),
    ...guarded('nothing found', () => nothingFaults(stated)),
  ].map((fault) => `${report.id}: ${fault}`)
}

function guarded(what: string, faults: () => string[]): string[] {
  try {
    return faults().map((fault) => `${what}: ${fault}`)
  } catch (fault) {
    return [`${what}: ${(fault as Error).message}`]
  }
}

// ---------------------------------------------------------------- headline

const HEADLINE_MAX = 120
const hailTypes = ['hail', 'marine_hail']
const tornadoTypes = ['tornado', 'funnel_cloud', 'waterspout']
const windTypes = [
  'thunderstorm_wind',
  'marine_thunderstorm_wind',
  'high_wind',
  'strong_wind',
  'marine_high_wind',
  'marine_strong_wind',
  'dust_devil',
]
const stormTypes = [...hailTypes, ...tornadoTypes, ...windTypes]

function headlineFaults({ report, records }: StatedReport): string[] {
  const headline = readHeadline(report.headline)
  const { coverage, window } = report
  const incomplete = !coverage.complete || (coverage.unplaced_zone_records ?? 0) > 0
  return [
    ...unless(report.headline.length <= HEADLINE_MAX, `it has ${report.headline.length} characters`),
    ...unless(!report.findings.some(({ statement }) => statement.includes(report.headline)), 'it is part of a statement'),
    ...unless(headline.incomplete === incomplete, `coverage incomplete is ${headline.incomplete}`),
    ...unless(headline.sample === records.some(({ sample }) => sample) || records.length === 0, `sample is ${headline.sample}`),
    ...(headline.nothing
      ? unless(
          records.length === 0 && headline.nothing.radius === plain(window.radius_miles) && isWindow(headline.nothing, window),
          `"${report.headline}" of ${records.length} records`,
        )
      : unless(
          headline.count === records.length && records.length === report.event_count,
          `${headline.count} records are ${records.length}`,
        )),
    ...(headline.lead ? leadFaults(headline.lead, headline.centre, report, records) : unless(!records.some(isSound), 'it names no record')),
  ]
}

const plain = (value: number) => String(value)
const isWindow = (stated: { start: string; end: string }, { start, end }: ReportView['window']) =>
  stated.start === start && stated.end === end
const verbs: Record<string, string> = { reported: 'ground', measured: 'instrument', 'estimated by radar': 'radar' }

function leadFaults(
  lead: NonNullable<ReturnType<typeof readHeadline>['lead']>,
  centre: string | null,
  report: ReportView,
  records: CitedRecordView[],
): string[] {
  const isOfType = ({ type }: CitedRecordView) => type === lead.type || (lead.type === 'wind' && windTypes.includes(type))
  const leadRecords = mostRelevant(records.filter(isSound), report)
  const possible = leadRecords.filter((record) => isOfType(record) && record.provenance.evidence_kind === verbs[lead.verb])
  // A headline names its figure whenever the record states one.
  const figure = lead.claim.figure ?? { stated: null, details: [] }
  const centres = isPrecise(report) ? ['the address', 'this location'] : [centreOf(report), 'the ZIP centre', 'the city centre']
  return [
    ...unsupported(`"${report.headline}"`, { ...lead.claim, figure }, possible, report),
    ...unless(centre === null || centres.includes(centre), `it measures from ${centre}`),
  ]
}

/**
 * The candidates for the headline's record: the most severe of hail, wind and tornado in the nearest ring; else
 * radar over the place; else any.
 */
function mostRelevant(records: CitedRecordView[], report: ReportView): CitedRecordView[] {
  const storms = records.filter((record) => isSeen(record) && isPlaced(record) && stormTypes.includes(record.type))
  for (const ring of ['primary', 'secondary']) {
    const within = storms.filter(({ relevance }) => relevance.relevance === ring)
    const most = Math.max(...within.map(({ severity }) => severities.indexOf(severity)))
    if (within.length > 0) return within.filter(({ severity }) => severities.indexOf(severity) === most)
  }
  const over = records.filter((record) => !isSeen(record) && record.relevance.distance_miles === 0)
  return isPrecise(report) && over.length > 0 ? over : records
}

// ---------------------------------------------------------------- statements

function statementFaults({ report, records }: StatedReport, finding: Finding): string[] {
  const of = records.filter(({ family }) => family === finding.family)
  const { sample, sentences } = readStatement(finding.statement)
  const counted = sentences.reduce((sum, sentence) => sum + countOf(sentence), 0)
  const seen = of.filter((record) => isSeen(record) || !isPlaced(record))
  return [
    ...unless(sample === of.some((record) => record.sample), `sample is ${sample}`),
    ...unless(counted === seen.length, `its sentences count ${counted} of ${seen.length} records`),
    ...unless(of.length === finding.event_count, `event_count is ${finding.event_count}, not ${of.length}`),
    ...unless(
      isPrecise(report) !== sentences.some(({ says }) => says === 'from'),
      'it does not say from where it measures, or measures from a centre that is none',
    ),
    ...orderFaults(sentences, of),
    ...sentences.flatMap((sentence) => sentenceFaults(sentence, of, { report, records })),
  ]
}

const countOf = (sentence: Sentence) => (sentence.says === 'seen' || sentence.says === 'areal' ? sentence.count : 0)

function sentenceFaults(sentence: Sentence, records: CitedRecordView[], { report, records: cited }: StatedReport): string[] {
  switch (sentence.says) {
    case 'seen':
      return seenFaults(sentence, records, report)
    case 'radar':
      return radarFaults(sentence, records, report)
    case 'areal':
      return arealFaults(sentence, records, report)
    case 'no ground report': {
      const within = Math.min(10, report.window.radius_miles)
      // Hail has to be near; other weather only must not be cited at all.
      const near = cited.filter(
        (record) =>
          isSeen(record) && (hailTypes.includes(record.type) ? (record.relevance.distance_miles ?? 1e9) <= within : !sentence.of_hail),
      )
      return [
        ...unless(near.length === 0, `there are ${near.length} ground reports`),
        ...unless(sentence.radius === plain(within), 'another radius'),
      ]
    }
    case 'doubted': {
      const suspect = records.filter((record) => !isSound(record))
      return unless(sentence.count === suspect.length && sentence.of === records.length, `${suspect.length} records are doubted`)
    }
    case 'sources':
      return sourceFaults(sentence.names, records)
    case 'from':
      return unless(sentence.centre === centreOf(report), `it measures from ${sentence.centre}`)
    case 'nothing':
      return ['a finding says that nothing was found']
    case 'fixed':
      return []
  }
}

function seenFaults(
  { type, count, radius, most, nearest, suspect }: Extract<Sentence, { says: 'seen' }>,
  records: CitedRecordView[],
  report: ReportView,
): string[] {
  const of = records.filter((record) => record.type === type && isSeen(record) && isPlaced(record))
  const sound = of.filter(isSound)
  return [
    ...unless(count === of.length, `${count} records of ${type} are ${of.length}`),
    ...unless(radius === plain(report.window.radius_miles), `within ${radius} mi`),
    ...unless(suspect === (sound.length === 0), `every record of ${type} is doubted: ${suspect}`),
    ...(most ? [...unsupported(`largest ${type}`, most, sound, report), ...extremeFaults(type, most, sound)] : []),
    ...(nearest
      ? [...unsupported(`nearest ${type}`, withInheritedDetails(nearest, most), sound, report), ...nearnessFaults(type, nearest, sound)]
      : []),
    ...unless(
      most !== null || suspect || !sound.some((record) => magnitudeOf(record) !== null && isMeasured(type)),
      `no size of ${type} is reported`,
    ),
  ]
}

/** Types that are reported by a value whenever one is stated. */
const isMeasured = (type: string) => type === 'tornado' || hailTypes.includes(type) || (windTypes.includes(type) && type !== 'dust_devil')

/** If both values have the same measurer, it is named once. */
function withInheritedDetails(nearest: Claim, most: Claim | null): Claim {
  if (!nearest.figure || nearest.figure.stated === null || nearest === most) return nearest
  const measurementKinds = ['measured', 'estimated by the source', 'NWS survey', 'measured or estimated: not stated']
  const own = nearest.figure.details.some((detail) => measurementKinds.includes(detail))
  const of = most?.figure?.details.filter((detail) => measurementKinds.includes(detail)) ?? []
  return own ? nearest : { ...nearest, figure: { ...nearest.figure, details: [...nearest.figure.details, ...of] } }
}

function extremeFaults(what: string, { figure }: Claim, records: CitedRecordView[]): string[] {
  const most = Math.max(...records.map((record) => magnitudeOf(record) ?? -1))
  const stated = Number(/[\d.]+/.exec(figure?.stated ?? '')?.[0])
  return unless(stated === most, `the largest ${what} is ${most}, not ${figure?.stated}`)
}

function nearnessFaults(what: string, { place }: Claim, records: CitedRecordView[]): string[] {
  const nearest = Math.min(...records.map(({ relevance }) => relevance.distance_miles as number))
  const stated = place.at === 'miles' ? Number(place.miles) : 0
  return unless(Math.abs(stated - nearest) <= 0.055 + 1e-9, `the nearest ${what} is ${nearest} mi away, not ${stated}`)
}

function radarFaults({ most, nearest }: Extract<Sentence, { says: 'radar' }>, records: CitedRecordView[], report: ReportView): string[] {
  const scans = records.filter((record) => !isSeen(record) && isSound(record))
  return [
    ...unsupported('largest by radar', most, scans, report),
    ...unsupported('nearest by radar', nearest, scans, report),
    ...extremeFaults('radar estimate', most, scans),
    ...nearnessFaults('radar estimate', nearest, scans),
  ]
}

function arealFaults(sentence: Extract<Sentence, { says: 'areal' }>, records: CitedRecordView[], report: ReportView): string[] {
  const { precision, count, types, areas, more, peaks, newest, suspect } = sentence
  const of = records.filter(({ location }) => location.precision === precision)
  const sound = of.filter(isSound)
  const named = (name: string) => of.some(({ location }) => namesArea(location, name))
  const distinct = new Set(of.map(({ location: { county, zone, state } }) => `${county} ${zone} ${state}`)).size
  return [
    ...unless(
      of.every((record) => !isPlaced(record)),
      `a ${precision} record has a distance`,
    ),
    ...unless(count === of.length, `${count} ${precision} records are ${of.length}`),
    ...unless(
      sameSet(
        types,
        of.map(({ type }) => type),
      ),
      `they are of ${types}`,
    ),
    ...unless(areas.every(named) && areas.length + more === distinct, `they are for ${areas} and ${more} more`),
    ...unless(suspect === (sound.length === 0), `every ${precision} record is doubted: ${suspect}`),
    ...peaks.flatMap((peak) => [
      ...unsupported(`${precision} record`, peak, of, report),
      ...extremeFaults(
        `${precision} record`,
        peak,
        of.filter((record) => isSound(record) && isSameKind(record, peak)),
      ),
    ]),
    ...unless(
      newest === null ||
        newest ===
          of
            .map(({ occurred_on }) => occurred_on)
            .sort()
            .at(-1),
      `the newest is not of ${newest}`,
    ),
    ...unless(peaks.length > 0 || suspect || !sound.some((record) => magnitudeOf(record) !== null), 'its largest is not reported'),
  ]
}

function isSameKind({ measurements, tornado_rating }: CitedRecordView, { figure }: Claim): boolean {
  const stated = figure?.stated ?? ''
  if (stated.endsWith(' in')) return measurements.hail_size_in !== null
  return stated.endsWith(' mph') ? (measurements.wind_gust_mph ?? measurements.wind_speed_mph) !== null : tornado_rating !== null
}

const sameSet = (one: string[], other: string[]) => [...new Set(one)].sort().join() === [...new Set(other)].sort().join()

/** "NOAA Storm Events Database (final)" is "NOAA Storm Events Database, final" in provenance. */
function sourceFaults(names: string[], records: CitedRecordView[]): string[] {
  const labels = records.map(({ provenance }) => provenance.source_label.replace(/, (final|preliminary)$/, ' ($1)'))
  return unless(
    sameSet(
      names,
      labels.map((label) => (records[0]?.sample ? label.toLowerCase() : label)),
    ) || records.some((record) => !isSeen(record)),
    `its sources are ${[...new Set(labels)]}`,
  )
}

/** The phenomenon whose nearest primary record is the most severe comes first. */
function orderFaults(sentences: Sentence[], records: CitedRecordView[]): string[] {
  const [first] = sentences.flatMap((sentence) => (sentence.says === 'seen' && !sentence.suspect ? [sentence.type] : []))
  if (!first) return []
  const primary = records.filter((record) => isSeen(record) && isSound(record) && record.relevance.relevance === 'primary')
  const rank = (type: string) => {
    const of = primary.filter((record) => record.type === type)
    const nearest = Math.min(...of.map(({ relevance }) => relevance.distance_miles as number))
    const near = of.filter(({ relevance }) => relevance.distance_miles === nearest)
    return Math.max(-1, ...near.map(({ severity }) => severities.indexOf(severity)))
  }
  const most = Math.max(...records.map(({ type }) => rank(type)))
  return unless(rank(first) === most, `${first} comes first, whose nearest primary record is not the most severe`)
}

function nothingFaults({ report, records }: StatedReport): string[] {
  if (report.nothing_found === null) return unless(records.length > 0, 'it is not said')
  const { sentences } = readStatement(report.nothing_found)
  return sentences.flatMap((sentence) => {
    if (sentence.says === 'from') return unless(sentence.centre === centreOf(report), `it measures from ${sentence.centre}`)
    if (sentence.says !== 'nothing') return [`it says ${sentence.says}`]
    return unless(
      records.length === 0 &&
        sentence.radius === plain(report.window.radius_miles) &&
        isWindow(sentence, report.window) &&
        sentence.sources === report.coverage.sources_searched.length &&
        sentence.unplaced > 0 === (report.coverage.unplaced_zone_records ?? 0) > 0,
      `"${report.nothing_found}" does not hold`,
    )
  })
}
