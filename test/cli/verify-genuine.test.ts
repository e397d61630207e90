import { describe, expect, it } from 'vitest'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { linesOfDocument } from '#test/support/document-lines.ts'
import { aGenuineReport } from '#test/support/genuine-reports.ts'
import { seededRandom } from '#test/support/random.ts'
import { comparePages } from '../../cli/verify/compare-pages.ts'
import { readEvidence } from '../../cli/verify/evidence.ts'
import type { Evidence } from '../../cli/verify/evidence-shape.ts'
import type { Line } from '../../cli/verify/letters.ts'
import { recordsFileFaults } from '../../cli/verify/records-file.ts'

/** `PROPERTY_CASES=2000` takes a minute or two. */
const CASES = Number(process.env.PROPERTY_CASES ?? 40)
const SEED = Number(process.env.PROPERTY_SEED ?? 20250528)
const SLOW_MS = 60_000 + CASES * 200

const seeds = Array.from({ length: CASES }, (_, nth) => SEED + nth)

function evidenceIn({ report, records }: DocumentFacts) {
  return readEvidence(evidenceDocument(report, records))
}

/** @param change the lines of the pages, changed by a forger */
async function faultsOf(facts: DocumentFacts, change: (lines: Line[]) => Line[] = (lines) => lines): Promise<string[]> {
  const { evidence, fingerprint } = evidenceIn(facts)
  const page = linesOfDocument(await documentPage(facts, []))
  return comparePages([{ ...page, lines: change(page.lines) }], evidence, fingerprint).faults
}

describe('a genuine report of random records', { timeout: SLOW_MS }, () => {
  it('agrees with its evidence, in every sentence and in its table of records', async () => {
    const refused: string[] = []
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      const tables = await Promise.all(recordsFiles(facts).map(({ bytes }) => recordsFileFaults(bytes, evidenceIn(facts).evidence.records)))
      refused.push(...[...(await faultsOf(facts)), ...tables.flat()].map((fault) => `seed ${seed}: ${fault}`))
    }
    expect(refused).toEqual([])
  })

  it('is refused with a figure that no record states, in whatever sentence', async () => {
    const [accepted, places] = [[] as string[], new Set<string>()]
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      const random = seededRandom(seed)
      const faults = await faultsOf(facts, (lines) => {
        const figures = figuresOf(lines)
        const figure = figures[Math.floor(random() * figures.length)]
        if (!figure)
          return lines.toSpliced(lines.findIndex(({ text }) => text === 'Three questions') + 1, 0, { text: 'Hail 9.13 in', size: 9.5 })
        places.add(figure.heading)
        const { text, size } = lines[figure.line] as Line
        return lines.with(figure.line, { text: text.slice(0, figure.at) + figure.other + text.slice(figure.at + figure.length), size })
      })
      if (faults.length === 0) accepted.push(`seed ${seed}`)
    }
    expect(accepted).toEqual([])
    expect([...places]).toEqual(expect.arrayContaining(['Three questions', 'Findings', 'Key figures', 'Cited records', 'The date of loss']))
  })

  it('is refused with a figure of another day in the list of a day', async () => {
    const accepted: string[] = []
    let made = 0
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      const { day_of_loss } = facts.report
      const statement = day_of_loss && withOtherDay(day_of_loss.statement, evidenceIn(facts).evidence)
      if (!statement) continue
      made++
      const report = { ...facts.report, day_of_loss: { ...day_of_loss, statement } }
      if ((await faultsOf({ ...facts, report })).length === 0) accepted.push(`seed ${seed}: ${statement}`)
    }
    expect(accepted).toEqual([])
    expect(made).toBeGreaterThan(CASES / 20)
  })
})

/** The sections whose figures are not of the evidence: the customer's words, warnings, stations, and how the file is verified. */
const OTHER_SECTIONS = /^(?:Cover|Official warnings|Station observations|Imagery|Verification|Appendix)/
/** A value that no made-up record has. */
const OTHERS: [RegExp, string][] = [
  [/\d+\.\d\d in\b/g, '9.13 in'],
  [/(?<![\d.])\d+(?:\.\d+)? mph\b/g, '133 mph'],
  [/\b\d+\.\d+ mi [NESW]{1,3}\b/g, '8.88 mi SW'],
]

/** Returns the figures of the evidence on the pages, as far as they do not break across lines. */
function figuresOf(lines: Line[]) {
  let [heading, is_doubt] = ['Cover', false]
  return lines.flatMap(({ text, size }, line) => {
    if (size === 12.5) heading = text.replace(/: [\d-]+$/, '')
    // What follows a doubt, up to the source, is in no evidence.
    is_doubt = text.startsWith('Doubted.') || (is_doubt && !/, record$|, record \d/.test(text))
    if (size === 12.5 || is_doubt || OTHER_SECTIONS.test(heading)) return []
    return OTHERS.flatMap(([pattern, other]) =>
      [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ heading, line, at: index, length, other })),
    )
  })
}

/** Returns the statement with a size in the list of a day that only records of other days have; null if there is none. */
function withOtherDay(statement: string, { records }: Evidence): string | null {
  for (const [list, day] of statement.matchAll(
    /(?:\bon |, newest first: |\), | and )(\d{4}-\d\d-\d\d) \(?(?:hail|wind|tornado) (?:(?!\d{4}-)[^;])*?\d\.\d\d in\b/g,
  )) {
    const sizes = (of: boolean) =>
      records.filter(({ occurred_on }) => (occurred_on === day) === of).map(({ measurements }) => measurements.hail_size_in)
    const other = sizes(false).find((size) => size !== null && !sizes(true).includes(size))
    if (other) return statement.replace(list, list.replace(/\d\.\d\d in$/, `${other} in`))
  }
  return null
}
