import type { EvidenceRecord } from './evidence-shape.ts'
import { oneLine, unspaced } from './sections.ts'
import { kinds, says, statedValue } from './summary.ts'

/** The records that a document lists, each found in the evidence. */
export interface ListedRecords {
  faults: string[]
  /** The records of the evidence that are listed. */
  records: EvidenceRecord[]
  /** Those of whom the document says that they are doubted. */
  doubted: Set<EvidenceRecord>
  /** The listing without quoted narratives and addresses: what is left is the document's own words. */
  text: string
}

/** Matches the listed records with those of the evidence, one to one. @param expected how many there must be */
export function matchListed(section: string, records: readonly EvidenceRecord[], expected = records.length): ListedRecords {
  const blocks = blocksOf(section)
  const left = new Set(records)
  const faults: string[] = []
  const listed: EvidenceRecord[] = []
  const doubted = new Set<EvidenceRecord>()
  const texts: string[] = []
  if (blocks.length !== expected) faults.push(`${blocks.length} records are listed, and there must be ${expected}`)
  for (const [index, block] of blocks.entries()) {
    const flat = unspaced(block)
    const line = oneLine(block)
    const found = [...left].find(
      (record) =>
        marksOf(record).every((mark) => flat.includes(unspaced(mark))) &&
        kinds.every((kind) => statedValue(record, kind) === null || says(line, record, kind)),
    )
    if (!found) faults.push(`record ${index + 1} as it is listed is not in the evidence: ${line.slice(0, 90)} ...`)
    else {
      left.delete(found)
      listed.push(found)
      if (/\bDoubted\. /.test(line)) doubted.add(found)
      texts.push(ownWords(block, found))
    }
  }
  return { faults, records: listed, doubted, text: texts.join('\n') }
}

/** Each record ends with where it can be looked up. The addresses wrap at any letter, and the next record begins with its number. */
function blocksOf(section: string): string[] {
  const ends = [...section.matchAll(/, record\s\d+\sof\sthe\sarchive:\s/g)].map(({ index, 0: { length } }) => index + length)
  return ends.map((end, at) => {
    const from = at === 0 ? 0 : addressEnd(section, ends[at - 1] as number)
    return section.slice(from, addressEnd(section, end))
  })
}

/** Where the next record's number and type begin, or the section ends. */
function addressEnd(section: string, from: number): number {
  const next = /\n\d{1,4} [A-Z]/.exec(section.slice(from))
  return next ? from + next.index : section.length
}

/** What the document must say of a record. */
function marksOf(record: EvidenceRecord): string[] {
  const { type, severity, begins_at, relevance, location, provenance } = record
  const { latitude, longitude, county, state } = location
  return [
    type.replaceAll('_', ' ').slice(1),
    `${begins_at.slice(0, 'YYYY-MM-DD'.length)} ${begins_at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)}`,
    ...(relevance.bearing === null ? [] : [` mi ${relevance.bearing} (${relevance.relevance})`]),
    `Severity ${severity}.`,
    ...(latitude === null ? [] : [`${latitude}, ${longitude}`]),
    ...(county === null ? [] : [`${county}, ${state}`]),
    provenance.citation_url,
  ]
}

/** A listed record without its narrative, which may say anything, its caveats and its address. */
function ownWords(block: string, { description }: EvidenceRecord): string {
  return oneLine(without(block, description.normalize('NFKC')))
    .replace(/, record \d+ of the archive: .*$/, '')
    .replace(/\bDoubted\. .*$/, '')
}

/** Cuts a passage out of a text, wherever the lines of the text end. */
function without(text: string, passage: string): string {
  const letters = [...text.matchAll(/\S/g)].map(({ index }) => index)
  const words = unspaced(passage)
  const from = words === '' ? -1 : unspaced(text).indexOf(words)
  if (from < 0) return text
  return `${text.slice(0, letters[from])} ${text.slice((letters[from + words.length - 1] as number) + 1)}`
}
