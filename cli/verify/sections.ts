import type { Line } from './letters.ts'

/** The headings of a document. Text under any other heading belongs to the section before it. */
const HEADINGS = [
  'The date of loss',
  'Three questions',
  'Key figures',
  'Coverage and limits',
  'Summary',
  'Findings',
  'Map',
  'Timeline',
  'Cited records',
  'Station observations',
  'Official warnings over the address',
  'Imagery',
  'Methodology',
  'Earlier days with records',
  'Verification',
  'Appendix: how this file can be authenticated',
] as const

export type Heading = (typeof HEADINGS)[number] | 'Cover'

/** A document's text by section, without the footer of each page. */
export interface Sections {
  texts: Map<Heading, string>
  /** The date of loss that its heading names; null for none. */
  loss: string | null
  faults: string[]
}

/** @param short the first 16 digits of the fingerprint as documents print them: four groups of four */
export function sectionsOf(pages: readonly Line[][], short: string): Sections {
  const faults: string[] = []
  const lines = pages.flatMap((page, index) => {
    const text = page.map(markedLine).join('\n')
    const foot = FOOT.exec(text)
    if (foot?.[1] !== short || Number(foot[2]) !== index + 1 || Number(foot[3]) !== pages.length)
      faults.push(`page ${index + 1} does not end with its number and the short form of the fingerprint`)
    return text.replace(FOOT, '').split('\n')
  })
  const texts = new Map<Heading, string>()
  let heading: Heading = 'Cover'
  let loss: string | null = null
  for (const line of lines) {
    const next = HEADINGS.find((known) => line.replace(LOSS_DATE, '').replace(CENTRE, 'the address') === HEADING_MARK + known)
    if (next === 'The date of loss') loss = LOSS_DATE.exec(line)?.[1] ?? null
    if (!next) texts.set(heading, `${texts.get(heading) ?? ''}${line.replace(HEADING_MARK, '')}\n`)
    else {
      if (texts.has(next)) faults.push(`the heading "${next}" appears twice`)
      heading = next
      texts.set(heading, '')
    }
  }
  return { texts, loss, faults }
}

/** Marks a line of a heading's size; no document contains this character. */
const HEADING_MARK = '\u0002'

/** The date after a heading: "The date of loss: 2025-05-28" */
const LOSS_DATE = /(?<=^.The date of loss): (\d{4}-\d\d-\d\d)$/
/** What a heading names instead of an address for a ZIP code or city: "Official warnings over the centre of ZIP 75034" */
const CENTRE = /(?<=^.Official warnings over )the centre of .+$/

/** Points: headings of sections have a size of 12.5. */
const HEADING_SIZE = { min: 12, max: 13 }

/** Splits ligatures into letters, and marks lines of a heading's size. */
function markedLine({ text, size }: Line): string {
  const plain = text.normalize('NFKC').replaceAll(HEADING_MARK, '')
  return size > HEADING_SIZE.min && size < HEADING_SIZE.max ? HEADING_MARK + plain : plain
}

/** The footer of every page, word for word, up to the short form of the fingerprint. */
const FOOTER =
  'This report compiles archived public weather records. It is not an inspection, an engineering or meteorological opinion, legal advice or insurance adjusting, and does not address damage, cause or policy terms. Radar values are estimates. Not affiliated with any agency.'
const FOOT = new RegExp(
  `(?:SAMPLE,\\s+MADE\\s+UP\\.\\s+)?${FOOTER.replaceAll('.', '\\.').replaceAll(' ', '\\s+')}\\s+((?:[0-9A-F]{4} ){3}[0-9A-F]{4})\\s+(\\d+)/(\\d+)`,
)

/** Text on one line, with each run of white space replaced by one space. */
export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Text without white space, because a line break may be inside a word or URL. */
export const unspaced = (text: string) => text.replace(/\s+/g, '')
