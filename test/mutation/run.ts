import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { type Area, areas } from './areas.ts'
import { keyOf, readSurvivors, reasons, type Survivor, writeSurvivors } from './survivors.ts'

/**
 * `npm run test:mutation [AREA...]`: plants every fault that Stryker knows into the pure core, one at a time, and runs the tests of its
 * area. Fails where an area's score is below the least, or a fault survives that `survivors.tsv` gives no reason for. `-- --write`
 * brings that file up to date; a new survivor is put down as one that a test is owed for.
 */

/** Per cent of the mutants of an area that its tests notice. */
const SCORE_MIN = 85
/** Two, on two processors: each holds a server of vitest's own. */
const AT_ONCE = 2
/** Beyond what a test took: an endless loop is as good as noticed. */
const TIMEOUT_MS = 10_000

/** What Stryker's report says of a file; lines and columns count from 1. */
interface ReportedFile {
  source: string
  mutants: {
    status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'CompileError' | 'RuntimeError'
    replacement: string
    location: Record<'start' | 'end', { line: number; column: number }>
  }[]
}

interface Outcome {
  noticed: number
  survivors: Survivor[]
}

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean', default: false } }, allowPositionals: true })
const asked = positionals.length > 0 ? positionals : Object.keys(areas)
const unknown = asked.filter((name) => !areas[name])
if (unknown.length > 0) throw new Error(`no area is called ${unknown.join(', ')}: there are ${Object.keys(areas).join(', ')}`)

let failed = false
for (const name of asked) {
  const { noticed, survivors } = await mutate(areas[name] as Area)
  const score = (100 * noticed) / (noticed + survivors.length)
  const listed = await readSurvivors()
  if (values.write) await writeSurvivors(withReasons(survivors, listed), (areas[name] as Area).modules)
  const unlisted = values.write ? [] : survivors.filter((survivor) => !listed.has(keyOf(survivor)))
  console.log(
    `${name}: ${score.toFixed(1)} % of ${noticed + survivors.length} mutants noticed, ${unlisted.length} survivors without a reason`,
  )
  for (const { file, line, from, to } of unlisted) console.log(`  ${file}: ${line}\n    ${from} -> ${to}`)
  if (score < SCORE_MIN || unlisted.length > 0) failed = true
}
process.exitCode = failed ? 1 : 0

/** Runs Stryker over the modules of an area. What is evaluated once, when a module is loaded, it cannot switch, and leaves out. */
async function mutate({ modules, tests }: Area): Promise<Outcome> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mutation-'))
  const fileName = path.join(folder, 'report.json')
  process.env.MUTATION_TESTS = tests.join(',')
  try {
    await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'vitest.mutation.config.ts' },
      mutate: modules,
      ignoreStatic: true,
      disableTypeChecks: false,
      concurrency: AT_ONCE,
      timeoutMS: TIMEOUT_MS,
      ignorePatterns: ['/.weather*', '/dist', '/test/golden'],
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName },
      tempDirName: path.join(folder, 'sandboxes'),
    }).runMutationTest()
    const { files } = JSON.parse(await readFile(fileName, 'utf8')) as { files: Record<string, ReportedFile> }
    const outcomes = Object.entries(files).map(([file, reported]) => outcomeOf(file, reported))
    return {
      noticed: outcomes.reduce((sum, { noticed }) => sum + noticed, 0),
      survivors: outcomes.flatMap(({ survivors }) => survivors),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function outcomeOf(file: string, { source, mutants }: ReportedFile): Outcome {
  const lines = source.split('\n')
  const survivors = mutants.flatMap(({ status, replacement, location: { start, end } }) => {
    if (status !== 'Survived' && status !== 'NoCoverage') return []
    const line = lines[start.line - 1] as string
    const from = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} ...`
    return [{ file, line: oneLine(line), from: oneLine(from), to: oneLine(replacement) }]
  })
  return { noticed: mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length, survivors }
}

/** As much of a text as distinguishes it, without tabs and ends of lines. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 160)
}

function withReasons(survivors: Survivor[], listed: ReadonlyMap<string, Survivor & { reason: string }>) {
  return survivors.map((survivor) => ({ ...survivor, reason: listed.get(keyOf(survivor))?.reason ?? reasons[0] }))
}
