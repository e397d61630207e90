import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A planted fault that no test noticed. */
export interface Survivor {
  file: string
  /** The text of its first line, which identifies it when other lines move. */
  line: string
  from: string
  to: string
}

/** Why a survivor may stay; the file's head explains each reason. */
export const reasons = ['owed', 'equivalent', 'guard', 'order', 'words', 'bound', 'shortcut'] as const

type Listed = Survivor & { reason: string }

const file = path.join(import.meta.dirname, 'survivors.tsv')
const HEAD = `# Mutants that survive \`npm run test:mutation\`: file, line, what stands there, what it became, and why it may stay.
# owed: a test is wanted. equivalent: no input distinguishes it from the code. guard: what it guards against, types or callers rule out.
# order: of alike things, an order that nothing shows. words: the text of a fault of ours. bound: of numbers that are never exactly there.
# shortcut: the same, more slowly.
`

export const keyOf = ({ file, line, from, to }: Survivor) => [file, line, from, to].join('\t')

/** Enough of a text to identify it, without tabs and line ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 160)
}

/** The stored list, by the key of each. */
export async function readSurvivors(): Promise<Map<string, Listed>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))
  return new Map(
    rows.map((row) => {
      const [of, line, from, to, reason] = row.split('\t') as [string, string, string, string, string]
      const listed = { file: of, line, from, to, reason }
      return [keyOf(listed), listed]
    }),
  )
}

/** Replaces the listed survivors of some modules. */
export async function writeSurvivors(survivors: Listed[], modules: string[]): Promise<void> {
  const others = [...(await readSurvivors()).values()].filter((listed) => !modules.includes(listed.file))
  const rows = [...others, ...survivors].map((listed) => `${keyOf(listed)}\t${listed.reason}`)
  await writeFile(file, `${HEAD}${[...new Set(rows)].sort().join('\n')}\n`)
}
