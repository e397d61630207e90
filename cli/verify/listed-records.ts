import { documentNames } from '../type-name.ts'
import { contradictions } from './caveats.ts'
import type { EvidenceRecord } from './evidence-shape.ts'
import { oneLine, unspaced } from './sections.ts'
import { otherFigures } from './stated-figures.ts'
import { kinds, statedValue, statesFigure } from './summary.ts'

/** The records that a document lists, matched with the evidence. */
export interface ListedRecords {
  faults: string[]
  /** The records of the evidence that are listed. */
  records: EvidenceRecord[]
  /** Records that the document marks as doubted. */
  suspects: Set<EvidenceRecord>
  /** What the document states behind "Doubted." of each listed record, in its order: the caveats and the source. Empty if it states none. */
  caveats: string[]
  /** The document's own words: the listing without quoted narratives, caveats and addresses. */
  text: string
}

/** Matches the listed records with those of the evidence, one to one. @param expected the number of records that must be listed */
export function matchListed(section: string, records: readonly EvidenceRecord[], expected = records.length): ListedRecords {
  const blocks = blocksOf(section)
  const left = new Set(records)
  const faults: string[] = []
  const listed: EvidenceRecord[] = []
  const suspects = new Set<EvidenceRecord>()
  const caveats: string[] = []
  const texts: string[] = []
  if (blocks.length !== expected) faults.push(`the pages list ${blocks.length} records, but must list ${expected}`)
  for (const [index, block] of blocks.entries()) {
    const flat = unspaced(block)
    const line = oneLine(block)
    const found = [...left].find(
      (record) =>
        isNamedIn(flat, record) &&
        marksOf(record).every((mark) => flat.includes(unspaced(mark))) &&
        kinds.every((kind) => statedValue(record, kind) === null || statesFigure(line, record, kind)),
    )
    const [own, doubt] = ownWords(block, found?.description ?? '')
    caveats.push(doubt)
    if (!found) faults.push(`the listed record ${index + 1} is not in the evidence: ${line.slice(0, 90)} ...`)
    else {
      left.delete(found)
      listed.push(found)
      if (doubt !== '') suspects.add(found)
      texts.push(own)
      faults.push(
        ...borrowed(own, found, records).map((figure) => `the listed record ${index + 1} states ${figure}, which is of another record`),
      )
      faults.push(
        ...contradictions(doubt, found).map((words) => `the listed record ${index + 1} has a caveat that is not of it: "${words}"`),
      )
    }
  }
  return { faults, records: listed, suspects, caveats, text: texts.join('\n') }
}

/** Figures of other records. One that no record has is found among all figures of the pages. */
const borrowed = (own: string, record: EvidenceRecord, records: readonly EvidenceRecord[]) =>
  otherFigures(own, record).filter((figure) => records.some((other) => otherFigures(figure, other).length === 0))

/** Splits the listing into records. Each ends with the URL of its source, which wraps at any letter; the next begins with its number. */
function blocksOf(section: string): string[] {
  const ends = [...section.matchAll(/, record\s\d+\sof\sthe\sarchive:\s/g)].map(({ index, 0: { length } }) => index + length)
  return ends.map((end, at) => {
    const from = at === 0 ? 0 : addressEnd(section, ends[at - 1] as number)
    return section.slice(from, addressEnd(section, end))
  })
}

/** The position where the next record's number and type begin, or the section ends. */
function addressEnd(section: string, from: number): number {
  const next = /\n\d{1,4} [A-Z]/.exec(section.slice(from))
  return next ? from + next.index : section.length
}

/** Whether the listing names the type of a record, which begins it with a capital letter. */
const isNamedIn = (flat: string, { type }: EvidenceRecord) => documentNames(type).some((name) => flat.includes(unspaced(name.slice(1))))

/** Other texts that the document must state for a record. */
function marksOf(record: EvidenceRecord): string[] {
  const { severity, begins_at, relevance, location, provenance } = record
  const { latitude, longitude, county, state } = location
  return [
    `${begins_at.slice(0, 'YYYY-MM-DD'.length)} ${begins_at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)}`,
    ...(relevance.bearing === null ? [] : [` mi ${relevance.bearing} (${relevance.relevance})`]),
    `Severity ${severity}.`,
    ...(latitude === null ? [] : [`${latitude}, ${longitude}`]),
    ...(county === null ? [] : [[county, state].filter((name) => name !== null).join(', ')]),
    provenance.citation_url,
  ]
}

/** A listed record without its narrative, which may contain any text, and its URL; and apart from it what follows "Doubted." on its own line. */
function ownWords(block: string, narrative: string): [own: string, doubt: string] {
  const [words = ''] = block.split(/, record\s\d+\sof\sthe\sarchive:\s/)
  const [own = '', ...doubts] = withoutLines(words, narrative).split(/(?:^|\n)\s*Doubted\.\s/)
  return [oneLine(own), oneLine(doubts.join(' '))]
}

/**
 * Removes the last whole lines of a text that are a passage, wherever its lines break: a narrative may be as short as "5", and is printed
 * on lines of its own behind the figures, or not at all.
 */
function withoutLines(text: string, passage: string): string {
  const letters = [...text.matchAll(/\S/g)].map(({ index }) => index)
  const [flat, words] = [unspaced(text), unspaced(passage.normalize('NFKC').replace(UNPRINTED, ''))]
  for (let from = flat.lastIndexOf(words); words !== '' && from >= 0; from = from === 0 ? -1 : flat.lastIndexOf(words, from - 1)) {
    const [first, last] = [letters[from] as number, letters[from + words.length - 1] as number]
    const [before, after] = [text.slice(0, first), text.slice(last + 1)]
    if (/(?:^|\n)\s*$/.test(before) && /^\s*(?:\n|$)/.test(after)) return `${before} ${after}`
  }
  return text
}

/** Characters that change the direction of writing, which no page has. */
const UNPRINTED = /[\u202a-\u202e\u2066-\u2069]/g
