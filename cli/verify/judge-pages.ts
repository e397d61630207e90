import { misplacedDrawings, type Seen } from './drawings.ts'
import type { Evidence, EvidenceRecord } from './evidence-shape.ts'
import { matchListed } from './listed-records.ts'
import { selectionFaults, selectionIn } from './printed-records.ts'
import { type Heading, oneLine, type Sections, sectionsOf, unspaced } from './sections.ts'
import { borrowedDayFigures, borrowedDays, borrowedFigures, borrowedRows, foreignFigures, misplacedBands } from './stated-figures.ts'
import { allowedStamp, figureOf, type Kind, kinds, largestOf, type Stamp, says, stamps, statedValue } from './summary.ts'

/** What the pages of a document say against its evidence; empty where they agree. */
export interface PagesJudgement {
  faults: string[]
  /** On the cover; null where none stands there. */
  stamp: Stamp | null
  /** Records that the pages call doubted. */
  doubted: Set<EvidenceRecord>
  /** Whether the pages list every record, which a layout may leave out. */
  lists_records: boolean
  /** Whether the pages leave some of them to an attached table. */
  has_table: boolean
  /** Whether page one answers for a date of loss. */
  answers_loss: boolean
}

/**
 * Holds the text of a document's pages to its evidence: what always stands must stand, every record that is listed must be one of the
 * evidence, and no figure or date may be of none.
 */
export function judgePages(pages: readonly Seen[], evidence: Evidence, fingerprint: string): PagesJudgement {
  const short = shortForm(fingerprint)
  const sections = sectionsOf(
    pages.map(({ lines }) => lines),
    short,
  )
  const text = (heading: Heading) => sections.texts.get(heading) ?? ''
  const lists_records = sections.texts.has('Cited records')
  const { selection, rest } = selectionIn(text('Cited records'), text('The date of loss'))
  const listed = matchListed(rest, lists_records ? evidence.records : [], selection?.printed)
  const lists_all = lists_records && selection === null
  const doubts = {
    listed: listed.doubted,
    unlisted: lists_all ? 0 : Math.max(0, leftOut(text('Three questions')) - listed.doubted.size),
  }
  const stamp = stampOn(text('Cover'))
  const held = HELD_TO_EVIDENCE.map(text).join('\n') + ownCover(text('Cover'))
  const drawn = DRAWN.flatMap((heading) => text(heading).split('\n'))
  const limits = withoutDates(text('Coverage and limits') + text('Methodology') + text('The date of loss'))
  const foreign = [
    ...[held, limits, ...drawn].flatMap((words) => foreignFigures(words, evidence)),
    ...foreignFigures(listed.text, evidence, true),
  ]
  const borrowed = [
    ...borrowedFigures(text('Three questions') + text('Findings') + text('The date of loss') + figuresApart(text('Key figures')), evidence),
    ...borrowedDays(text('Three questions'), evidence),
    ...borrowedRows(text('Earlier days with records'), evidence),
    ...borrowedDayFigures(text('The date of loss'), evidence),
  ]
  return {
    faults: [
      ...misplacedDrawings(pages),
      ...sections.faults,
      ...coverFaults(text('Cover'), stamp, evidence, /Signed\s+as\s+a\s+whole/.test(text('Verification'))),
      ...verificationFaults(text('Verification'), fingerprint, short),
      ...countFaults(sections, evidence),
      ...peakFaults(text('Three questions'), evidence, doubts),
      ...keyFigureFaults(text('Key figures'), evidence, doubts),
      ...listed.faults,
      ...(selection ? selectionFaults(selection, listed.records, evidence.records) : []),
      ...misplacedBands([held, limits, ...drawn, listed.text].join('\n'), evidence).map(
        (band) => `no radar estimate over the place makes it lie "${band}"`,
      ),
      ...foreign.map((figure) => `the pages say ${figure}, and no record does`),
      ...borrowed.map((clause) => `no record is meant by "${clause}"`),
    ].filter((fault, at, all) => all.indexOf(fault) === at),
    stamp,
    doubted: listed.doubted,
    lists_records,
    has_table: selection !== null,
    answers_loss: sections.texts.has('The date of loss'),
  }
}

/** "58FE 7270 52C5 20A9" */
const shortForm = (fingerprint: string) => (fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ')

/** Whose figures and dates are all of records. Station observations and warnings are no evidence, and pictures have their own words. */
const HELD_TO_EVIDENCE: Heading[] = ['Three questions', 'Key figures', 'Summary', 'Findings', 'Earlier days with records']

/** Pictures and the words beside them: each line stands by itself, a scale beside a compass is no distance. */
const DRAWN: Heading[] = ['Map', 'Timeline']

/** The cover without what the customer wrote and when the report was made. */
const ownCover = (cover: string) =>
  cover.replace(/^(Recipient|Reference|Address as sent) [\s\S]*?(?=^(County|Located) )/m, '').replace(/^Generated .*$/m, '')

/**
 * Coverage names days of compilation and months that are held; methodology the days since when a rule is in force. A date of loss, the
 * days around it and the times of warnings need have no record.
 */
const withoutDates = (text: string) => text.replace(/\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g, '')

const STAMP = new RegExp(`^(?:${stamps.join('|')})$`, 'm')
const stampOn = (cover: string) => stamps.find((stamp) => stamp === STAMP.exec(cover)?.[0]) ?? null

function coverFaults(cover: string, stated: Stamp | null, evidence: Evidence, is_signed: boolean): string[] {
  const { place, window } = evidence
  const stamp = allowedStamp(evidence)
  const line = oneLine(cover)
  const expected = [
    `${window.start} to ${window.end}, within ${Number(window.radius_miles)} mi`,
    `Located ${place.latitude}, ${place.longitude}:`,
  ]
  return [
    ...expected.filter((words) => !line.includes(words)).map((words) => `the cover does not say "${words}"`),
    ...(stated && caution(stated, is_signed) <= caution(stamp, is_signed)
      ? []
      : [`the cover is stamped ${stated ?? 'with nothing'}, and the evidence makes it ${stamp}`]),
  ]
}

/**
 * The most careful is 0. A document may be more careful than its evidence, which does not hold all reasons for it, and never less. Before
 * documents were signed, PROVISIONAL stood for INCOMPLETE too.
 */
function caution(stamp: Stamp, is_signed: boolean): number {
  return stamps.indexOf(is_signed || stamp !== 'PROVISIONAL' ? stamp : 'INCOMPLETE')
}

function verificationFaults(section: string, fingerprint: string, short: string): string[] {
  const flat = unspaced(section)
  return [fingerprint, unspaced(short)].every((words) => flat.includes(words))
    ? []
    : ['the section on verification does not state the fingerprint']
}

/** Records are counted on the first page and, where they stand, among the key figures. */
function countFaults({ texts }: Sections, { records }: Evidence): string[] {
  const opening = oneLine(texts.get('Three questions') ?? '')
  const counted = [...opening.matchAll(/\b(\d+) records? cited (?:within|that)\b/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  const figure = /\b(\d+) Records cited\b/.exec(oneLine(texts.get('Key figures') ?? ''))?.[1]
  const said = [counted, ...(figure === undefined ? [] : [Number(figure)])]
  return said
    .filter((count) => count !== records.length)
    .map((count) => `the pages count ${count} records, and the evidence holds ${records.length}`)
}

/** Records on which no largest value rests: those that the pages list as doubted, and how many they count where they list none. */
interface Doubts {
  listed: ReadonlySet<EvidenceRecord>
  unlisted: number
}

const leftOut = (opening: string) => Number(/\b(\d+) records? with a caveat gives? no figure here\b/.exec(oneLine(opening))?.[1] ?? 0)

/** Under "What size?" the largest of each kind stands with its place and date, each on a row. */
function peakFaults(opening: string, { records }: Evidence, doubts: Doubts): string[] {
  const answer = /\nWhat size\?\n([\s\S]*?)\nWere there earlier ones\?\n/.exec(`\n${opening}`)?.[1]
  if (answer === undefined) return ['the first page does not answer "What size?"']
  const rows = oneLine(answer).match(/.*?\b\d{4}-\d{2}-\d{2}\b/g) ?? []
  return kinds.flatMap((kind) => {
    const largest = largestFew(records, kind, doubts)
    const [first] = largest
    const stated = [...largest, ...largestStated(records, kind, doubts)]
    if (!first || largest.length <= doubts.unlisted || rows.some((row) => stated.some((one) => isRowOf(row, one, kind, records)))) return []
    return [`the first page does not give ${figureOf(first, kind)} as the largest: ${NAMES[kind]}`]
  })
}

const NAMES: Record<Kind, string> = {
  hail_reported: 'hail reported',
  hail_by_radar: 'hail estimated by radar',
  wind: 'wind',
  tornado: 'tornado',
}

/** A record without a place gives no largest value where its family has records with one. */
const isLeftOut = ({ family, relevance }: EvidenceRecord, records: readonly EvidenceRecord[]) =>
  relevance.distance_miles === null && records.some((other) => other.family === family && other.relevance.distance_miles !== null)

/** The largest first: one, and one more for each doubted record that is not listed, since any of them may be it. */
function largestFew(records: readonly EvidenceRecord[], kind: Kind, { listed, unlisted }: Doubts): EvidenceRecord[] {
  const found: EvidenceRecord[] = []
  while (found.length <= unlisted) {
    const next = largestOf(records, kind, new Set([...listed, ...found]))
    if (!next || isLeftOut(next, records)) break
    found.push(next)
  }
  return found
}

/** What a document may give as the largest: of records with a place that nobody doubts, and before those were distinguished, of all. */
function largestStated(records: readonly EvidenceRecord[], kind: Kind, { listed }: Doubts): EvidenceRecord[] {
  const sets = [listed, new Set<EvidenceRecord>()]
  return sets
    .flatMap((without) => [largestOf(records, kind, without), largestOf(records, kind, without, 'anywhere')])
    .filter((record) => record !== null)
}

/** The row of a largest value, or of another record that has the same one. */
function isRowOf(row: string, largest: EvidenceRecord, kind: Kind, records: readonly EvidenceRecord[]): boolean {
  return records.some(
    (record) =>
      statedValue(record, kind) === statedValue(largest, kind) &&
      row.endsWith(record.occurred_on) &&
      says(row, record, kind) &&
      / by radar/.test(row) === (kind === 'hail_by_radar'),
  )
}

/** Each key figure stands before its label. */
const figuresApart = (section: string) => `. ${oneLine(section).replace(FIGURE, '. $&')}`
const FIGURE = /\b(?:\d+\.\d\d in|(?:gust |sustained )?\d+ mph|E?F[0-5U]) (?=Largest|Strongest)/g

const LABELS: Record<Kind, string> = {
  hail_reported: 'Largest hail reported',
  hail_by_radar: 'Largest hail estimated by radar',
  wind: 'Strongest wind',
  tornado: 'Strongest tornado',
}

/** A figure under its label, where it stands, is the largest of its kind. */
function keyFigureFaults(section: string, { records }: Evidence, doubts: Doubts): string[] {
  const line = oneLine(section)
  return kinds.flatMap((kind) => {
    const said = new RegExp(`(\\S+(?: in| mph)?) ${LABELS[kind]}(?!,)`).exec(line)?.[1]
    if (said === undefined) return []
    return [...largestFew(records, kind, doubts), ...largestStated(records, kind, doubts)].some((one) => says(said, one, kind))
      ? []
      : [`the key figures give ${said} as the largest: ${NAMES[kind]}`]
  })
}
