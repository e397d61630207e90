import { misplacedDrawings, type PageContent } from './drawings.ts'
import type { Evidence, EvidenceRecord } from './evidence-shape.ts'
import type { Line } from './letters.ts'
import { matchListed } from './listed-records.ts'
import { selectionFaults, selectionIn } from './printed-records.ts'
import { type Heading, oneLine, type Sections, sectionsOf, unspaced } from './sections.ts'
import { mismatchedClauses, mismatchedDayRows, mismatchedDays, mismatchedRows, misplacedBands, unknownFigures } from './stated-figures.ts'
import { allowedStamp, figureOf, type Kind, kinds, largestOf, type Stamp, stamps, statedValue, statesFigure } from './summary.ts'

/** The comparison of a document's pages with its evidence. */
export interface PagesComparison {
  /** Differences in words; empty if the pages agree. */
  faults: string[]
  /** The stamp on the cover; null if there is none. */
  stamp: Stamp | null
  /** Records that the pages mark as doubted. */
  suspects: Set<EvidenceRecord>
  /** The caveats of the listed records, in the order of the pages, each with what follows on its line. */
  caveats: string[]
  /** The number of records with a caveat that the first page counts. */
  doubted: number
  /** Whether the pages list the records, which a layout may leave out. */
  lists_records: boolean
  /** Whether the pages leave some records to an attached table. */
  has_table: boolean
  /** Whether the pages have a section on a date of loss. */
  has_loss_section: boolean
}

/**
 * Compares the text of a document's pages with its evidence: the fixed texts must be present, every listed record must be in the evidence,
 * and every figure and date must belong to a record.
 */
export function comparePages(pages: readonly PageContent[], evidence: Evidence, fingerprint: string): PagesComparison {
  const short = shortForm(fingerprint)
  const sections = sectionsOf(
    pages.map(({ lines }) => lines),
    short,
  )
  const text = (heading: Heading) => sections.texts.get(heading) ?? ''
  const lists_records = sections.texts.has('Cited records')
  const { selection, rest } = selectionIn(text('Cited records'), sections.loss)
  const listed = matchListed(rest, lists_records ? evidence.records : [], selection?.printed)
  const lists_all = lists_records && selection === null
  const doubted = caveatCount(text('Three questions'))
  const suspects = { listed: listed.suspects, unlisted: lists_all ? 0 : Math.max(0, doubted - listed.suspects.size) }
  const stamp = stampOn(text('Cover'))
  const evidenceText = EVIDENCE_SECTIONS.map(text).join('\n') + ownCover(text('Cover'), pages[0]?.lines ?? [], evidence)
  const drawingLines = DRAWING_SECTIONS.flatMap((heading) => text(heading).split('\n')).map((line) => line.replace(SCALE_BAR, ''))
  const limits = withoutDates(text('Coverage and limits') + text('Methodology') + text('The date of loss'))
  const unmatched = [
    ...[evidenceText, limits, ...drawingLines].flatMap((words) => unknownFigures(words, evidence)),
    ...unknownFigures(listed.text, evidence, true),
  ]
  const mismatched = [
    ...mismatchedClauses(
      [rowsApart(text('Three questions')), text('Findings'), text('The date of loss'), figuresApart(text('Key figures'))].join('. '),
      evidence,
    ),
    ...mismatchedDays(text('Three questions'), evidence),
    ...mismatchedRows(text('Earlier days with records'), evidence),
    ...mismatchedDayRows(text('The date of loss'), evidence),
  ]
  return {
    faults: [
      ...misplacedDrawings(pages),
      ...sections.faults,
      ...coverFaults(text('Cover'), stamp, evidence, /Signed\s+as\s+a\s+whole/.test(text('Verification'))),
      ...verificationFaults(text('Verification'), fingerprint, short),
      ...countFaults(sections, evidence),
      ...lossFaults(sections),
      ...peakFaults(text('Three questions'), evidence, suspects),
      ...keyFigureFaults(text('Key figures'), evidence, suspects),
      ...listed.faults,
      ...(lists_all && doubted !== listed.suspects.size
        ? [`the first page counts ${doubted} records with a caveat, but the pages list ${listed.suspects.size}`]
        : []),
      ...(selection ? selectionFaults(selection, listed.records, evidence.records) : []),
      ...misplacedBands([evidenceText, limits, ...drawingLines, listed.text].join('\n'), evidence).map(
        (band) => `the pages state that the place is "${band}", but no radar estimate over it shows that`,
      ),
      ...unmatched.map((figure) => `the pages state ${figure}, but no record of the evidence does`),
      ...mismatched.map((clause) => `no record of the evidence matches "${clause}"`),
    ].filter((fault, at, all) => all.indexOf(fault) === at),
    stamp,
    suspects: listed.suspects,
    caveats: listed.caveats,
    doubted,
    lists_records,
    has_table: selection !== null,
    has_loss_section: sections.texts.has('The date of loss'),
  }
}

/** "58FE 7270 52C5 20A9" */
const shortForm = (fingerprint: string) => (fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ')

/**
 * Sections whose figures and dates all come from records. Station observations and warnings are not evidence; drawings are checked
 * separately.
 */
const EVIDENCE_SECTIONS: Heading[] = ['Three questions', 'Key figures', 'Summary', 'Findings', 'Earlier days with records']

/** Drawings and their labels, which are checked line by line: a scale beside a compass is not a distance. */
const DRAWING_SECTIONS: Heading[] = ['Map', 'Timeline']
/** The length of a map's scale bar, where it is no whole number of miles. */
const SCALE_BAR = /(?<![\d.])0\.5 mi$/

/**
 * The cover without the team's name and the address, the customer's own text and the day on which the report was generated: none of
 * them is evidence, and any of them may look like it: "EF5 Restoration", "1200 F2 Rd".
 */
function ownCover(cover: string, lines: readonly Line[], evidence: Evidence): string {
  const own = withoutNames(cover.split('\n'), lines, windowWords(evidence))
  const from = own.findIndex((line) => /^(Recipient|Reference|Address as sent) /.test(line))
  const until = own.findIndex((line) => line.startsWith(locatedWords(evidence)))
  return own
    .filter((_, at) => !(from >= 0 && at >= from && at < until))
    .map((line) => (line.startsWith('Generated ') ? withoutDates(line) : line))
    .join('\n')
}

/**
 * Removes the team's name above the words "Weather report" and the address below them, as far as they look like those of a document: a
 * name of one line in the size of the text, and an address in that of a title, up to its state. The rest is the document's own.
 */
function withoutNames(cover: string[], lines: readonly Line[], window: string): string[] {
  const kind = cover.findIndex((line) => /^weather report$/i.test(line))
  const end = cover.findIndex((line) => line.startsWith(window))
  if (kind < 0 || end <= kind) return cover
  const start = cover[0]?.startsWith('SAMPLE, MADE UP:') ? 1 : 0
  const name = { text: cover.slice(start, kind).join(' '), sizes: lines.slice(start, kind) }
  const address = { text: cover.slice(kind + 1, end).join(' '), sizes: lines.slice(kind + 1, end) }
  const is_name = name.text.length <= NAME_MAX && name.sizes.every(({ size }) => size < TITLE_SIZE_MIN)
  const is_address = ADDRESS.test(address.text) && address.sizes.every(({ size }) => size > TITLE_SIZE_MIN)
  return [
    ...cover.slice(0, start),
    ...(is_name ? [] : cover.slice(start, kind)),
    ...(is_address ? [] : cover.slice(kind + 1, end)),
    ...cover.slice(end),
  ]
}

/** The most characters of a team's name. */
const NAME_MAX = 80
/** Points: an address is in letters of 19, a section's heading in 12.5, and all other text is smaller. */
const TITLE_SIZE_MIN = 16
/** "1200 Main St, Frisco, TX 75034", "33.14990, -96.82410, TX" */
const ADDRESS = /^.+, [A-Z]{2}(?: \d{5}(?:-\d{4})?)?$/

const windowWords = ({ window }: Evidence) => `${window.start} to ${window.end}, within ${Number(window.radius_miles)} mi`
const locatedWords = ({ place }: Evidence) => `Located ${place.latitude}, ${place.longitude}:`

/**
 * Removes dates that need not belong to a record: that of the report's own making, days of compilation and months with data in the
 * coverage, the days since which a rule applies in the methodology, a date of loss, the days around it and the times of warnings.
 */
const withoutDates = (text: string) => text.replace(/\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g, '')

const STAMP = new RegExp(`^(?:${stamps.join('|')})$`, 'm')
const stampOn = (cover: string) => stamps.find((stamp) => stamp === STAMP.exec(cover)?.[0]) ?? null

function coverFaults(cover: string, stated: Stamp | null, evidence: Evidence, is_signed: boolean): string[] {
  const stamp = allowedStamp(evidence)
  const line = oneLine(cover)
  const expected = [windowWords(evidence), locatedWords(evidence)]
  return [
    ...expected.filter((words) => !line.includes(words)).map((words) => `the cover does not state "${words}"`),
    ...(stated && finalityOf(stated, is_signed) <= finalityOf(stamp, is_signed)
      ? []
      : [`the stamp on the cover is ${stated ?? 'missing'}, but by the evidence it must be ${stamp}`]),
  ]
}

/**
 * The rank of a stamp; the most cautious is 0. A document may be more cautious than its evidence, which does not contain all reasons for
 * that, but never less. Before documents were signed, PROVISIONAL meant INCOMPLETE too.
 */
function finalityOf(stamp: Stamp, is_signed: boolean): number {
  return stamps.indexOf(is_signed || stamp !== 'PROVISIONAL' ? stamp : 'INCOMPLETE')
}

function verificationFaults(section: string, fingerprint: string, short: string): string[] {
  const flat = unspaced(section)
  return [fingerprint, unspaced(short)].every((words) => flat.includes(words))
    ? []
    : ['the section "Verification" does not state the fingerprint']
}

/** Checks the number of records on the first page and, if present, in the key figures. */
function countFaults({ texts }: Sections, { records }: Evidence): string[] {
  const opening = oneLine(texts.get('Three questions') ?? '')
  const counted = [...opening.matchAll(/\b(\d+) records? cited (?:within|that)\b/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  const figure = /\b(\d+) Records cited\b/.exec(oneLine(texts.get('Key figures') ?? ''))?.[1]
  const statedCounts = [counted, ...(figure === undefined ? [] : [Number(figure)])]
  return statedCounts
    .filter((count) => count !== records.length)
    .map((count) => `the pages count ${count} records, but the evidence contains ${records.length}`)
}

/** Checks that the sentences on a date of loss are about the date that their heading names. */
function lossFaults({ texts, loss }: Sections): string[] {
  const section = oneLine(texts.get('The date of loss') ?? '')
  const date = /\bOn (\S+), the date of loss, /.exec(section)?.[1] ?? /\bThe date of loss, (\S+), had not begun\b/.exec(section)?.[1]
  return date === undefined || date === loss
    ? []
    : [`the heading names ${loss ?? 'no date'} as the date of loss, but the sentences below it ${date}`]
}

/**
 * Records that give no largest value: those that the pages list as doubted, and the number of others if the pages do not list the records.
 */
interface Suspects {
  listed: ReadonlySet<EvidenceRecord>
  unlisted: number
}

const caveatCount = (opening: string) => Number(/\b(\d+) records? with a caveat gives? no figure here\b/.exec(oneLine(opening))?.[1] ?? 0)

/** Checks the answer to "What size?": a row for each kind with its largest value, place and date. */
function peakFaults(opening: string, { records }: Evidence, suspects: Suspects): string[] {
  const answer = /\nWhat size\?\n([\s\S]*?)\nWere there earlier ones\?\n/.exec(`\n${opening}`)?.[1]
  if (answer === undefined) return ['the first page does not answer "What size?"']
  const rows = oneLine(answer).match(/.*?\b\d{4}-\d{2}-\d{2}\b/g) ?? []
  return kinds.flatMap((kind) => {
    const largest = largestCandidates(records, kind, suspects)
    const [first] = largest
    const stated = [...largest, ...largestStated(records, kind, suspects)]
    if (!first || largest.length <= suspects.unlisted || rows.some((row) => stated.some((one) => isRowOf(row, one, kind, records))))
      return []
    return [`the first page does not give ${figureOf(first, kind)} as the largest value of ${NAMES[kind]}`]
  })
}

const NAMES: Record<Kind, string> = {
  hail_reported: 'reported hail',
  hail_by_radar: 'hail estimated by radar',
  wind: 'wind',
  tornado: 'tornado',
}

/** A record without a place gives no largest value if its family has records with one. */
const isLeftOut = ({ family, relevance }: EvidenceRecord, records: readonly EvidenceRecord[]) =>
  relevance.distance_miles === null && records.some((other) => other.family === family && other.relevance.distance_miles !== null)

/**
 * The largest records, in order: one, and one more for each doubted record that is not listed, because each of these may be the largest.
 */
function largestCandidates(records: readonly EvidenceRecord[], kind: Kind, { listed, unlisted }: Suspects): EvidenceRecord[] {
  const found: EvidenceRecord[] = []
  while (found.length <= unlisted) {
    const next = largestOf(records, kind, new Set([...listed, ...found]))
    if (!next || isLeftOut(next, records)) break
    found.push(next)
  }
  return found
}

/**
 * What a document may give as the largest: of undoubted records with a place, or of all records in documents that do not distinguish these.
 */
function largestStated(records: readonly EvidenceRecord[], kind: Kind, { listed }: Suspects): EvidenceRecord[] {
  const sets = [listed, new Set<EvidenceRecord>()]
  return sets
    .flatMap((without) => [largestOf(records, kind, without), largestOf(records, kind, without, 'anywhere')])
    .filter((record) => record !== null)
}

/** Whether a row is that of a largest value, or of another record with the same value. */
function isRowOf(row: string, largest: EvidenceRecord, kind: Kind, records: readonly EvidenceRecord[]): boolean {
  return records.some(
    (record) =>
      statedValue(record, kind) === statedValue(largest, kind) &&
      row.endsWith(record.occurred_on) &&
      statesFigure(row, record, kind) &&
      / by radar/.test(row) === (kind === 'hail_by_radar'),
  )
}

/** Separates the rows of the largest values, each of which begins with its label. */
const rowsApart = (section: string) => oneLine(section).replace(/\b(?:Largest hail|Strongest (?:wind|tornado))\b/g, '. $&')

/** Separates the key figures, each of which is before its label. */
const figuresApart = (section: string) => oneLine(section).replace(FIGURE, '. $&')
const FIGURE = /(?<![\d.])(?:\d+\.\d\d in|(?:gust |sustained )?\d+(?:\.\d+)? mph|E?F[0-5U]) (?=Largest|Strongest)/g

const LABELS: Record<Kind, string> = {
  hail_reported: 'Largest hail reported',
  hail_by_radar: 'Largest hail estimated by radar',
  wind: 'Strongest wind',
  tornado: 'Strongest tornado',
}

/** Checks that each key figure, if present, is the largest of its kind. */
function keyFigureFaults(section: string, { records }: Evidence, suspects: Suspects): string[] {
  const line = oneLine(section)
  return kinds.flatMap((kind) => {
    const stated = new RegExp(`(\\S+(?: in| mph)?) ${LABELS[kind]}(?!,)`).exec(line)?.[1]
    if (stated === undefined) return []
    return [...largestCandidates(records, kind, suspects), ...largestStated(records, kind, suspects)].some((one) =>
      statesFigure(stated, one, kind),
    )
      ? []
      : [`the key figures give ${stated} as the largest value of ${NAMES[kind]}, but it is not`]
  })
}
