import { describe, expect, it } from 'vitest'
import { groupBy } from '#domain/kernel/group-by.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { linesOfDocument } from '#test/support/document-lines.ts'
import { aGenuineReport } from '#test/support/genuine-reports.ts'
import { seededRandom } from '#test/support/random.ts'
import { comparePages, type PagesComparison } from '../../cli/verify/compare-pages.ts'
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
async function comparisonOf(facts: DocumentFacts, change: (lines: Line[]) => Line[] = (lines) => lines): Promise<PagesComparison> {
  const { evidence, fingerprint } = evidenceIn(facts)
  const page = linesOfDocument(await documentPage(facts, []))
  return comparePages([{ ...page, lines: change(page.lines) }], evidence, fingerprint)
}

const faultsOf = async (...args: Parameters<typeof comparisonOf>) => (await comparisonOf(...args)).faults

describe('a genuine report of random records', { timeout: SLOW_MS }, () => {
  it('agrees with its evidence, in every sentence and in its table of records', async () => {
    const refused: string[] = []
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      const pages = await comparisonOf(facts)
      const { evidence } = evidenceIn(facts)
      const tables = await Promise.all(recordsFiles(facts).map(({ bytes }) => recordsFileFaults(bytes, evidence.records, pages)))
      refused.push(...[...pages.faults, ...tables.flat()].map((fault) => `seed ${seed}: ${fault}`))
    }
    expect(refused).toEqual([])
  })

  it('is refused with a figure that no record states, in whatever sentence', async () => {
    const [accepted, places] = [[] as string[], new Set<string>()]
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      const random = seededRandom(seed)
      const faults = await faultsOf(facts, (lines) => {
        // A section first: the cited records have most of the figures.
        const bySection = [...groupBy(figuresOf(lines), ({ heading }) => heading).values()]
        const figures = bySection[Math.floor(random() * bySection.length)] ?? []
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

  it('is refused if the doubt about a record is taken away, or raised about another', async () => {
    const accepted: string[] = []
    let made = 0
    for (const seed of seeds) {
      const facts = aGenuineReport(seed)
      for (const change of [withoutDoubt, withDoubt]) {
        let is_made = false
        const pages = await comparisonOf(facts, (lines) => {
          const changed = change(lines)
          is_made = changed !== null
          return changed ?? lines
        })
        if (!is_made) continue
        made++
        const { records } = evidenceIn(facts).evidence
        const tables = await Promise.all(recordsFiles(facts).map(({ bytes }) => recordsFileFaults(bytes, records, pages)))
        if ([...pages.faults, ...tables.flat()].length === 0) accepted.push(`seed ${seed}, ${change.name}`)
      }
    }
    expect(accepted).toEqual([])
    expect(made).toBeGreaterThan(CASES / 4)
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
  // The distances in a caveat are not those of its record.
  [/(?<!^Doubted\. .*)\b\d+\.\d\d? mi\b(?! [NESW]{1,3}\b)/g, '88.8 mi'],
]

/** Returns the figures of the evidence on the pages, as far as they do not break across lines. */
function figuresOf(lines: Line[]) {
  let heading = 'Cover'
  return lines.flatMap(({ text, size }, line) => {
    if (size === 12.5) heading = text.replace(/: [\d-]+$/, '')
    if (size === 12.5 || OTHER_SECTIONS.test(heading)) return []
    return OTHERS.flatMap(([pattern, other]) =>
      [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ heading, line, at: index, length, other })),
    )
  })
}

/** Null if no printed record is doubted. */
function withoutDoubt(lines: Line[]): Line[] | null {
  const at = lines.findIndex(({ text }) => text.startsWith('Doubted. '))
  const doubt = lines[at]
  return doubt ? lines.with(at, { ...doubt, text: doubt.text.replace('Doubted. ', '') }) : null
}

/** Null if no record without a doubt is printed. */
function withDoubt(lines: Line[]): Line[] | null {
  const sources = lines.flatMap(({ text }, at) => (/, record \d/.test(text) ? [at] : []))
  const found = sources.find((at, nth) => !lines.slice(sources[nth - 1] ?? 0, at).some(({ text }) => text.startsWith('Doubted. ')))
  return found === undefined ? null : lines.toSpliced(found, 0, { text: 'Doubted. The point may be elsewhere.', size: 8 })
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
