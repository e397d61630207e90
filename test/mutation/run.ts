import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { type Area, areas } from './areas.ts'
import { keyOf, oneLine, readSurvivors, reasons, type Survivor, writeSurvivors } from './survivors.ts'

/**
 * `npm run test:mutation [AREA...]` plants every fault that Stryker knows into the pure core, one at a time, and
 * runs the tests of its area. It fails if an area's score is below the minimum, or if a fault survives without a
 * reason in `survivors.tsv`. `-- --write` updates that file; a new survivor is listed as one that still needs a
 * test.
 */

/** Minimum percentage of an area's mutants that its tests must notice. */
const SCORE_MIN = 85
/** Two, on two processors: each has its own vitest server. */
const AT_ONCE = 2
/** Milliseconds beyond the usual time of a test: an endless loop counts as noticed. */
const TIMEOUT_MS = 10_000

/** The part of Stryker's report about a file; lines and columns count from 1. */
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
const areaNames = positionals.length > 0 ? positionals : Object.keys(areas)
const unknown = areaNames.filter((name) => !areas[name])
if (unknown.length > 0) throw new Error(`no area is called ${unknown.join(', ')}: there are ${Object.keys(areas).join(', ')}`)

let failed = false
for (const name of areaNames) {
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

/** Runs Stryker over the modules of an area. Code that runs once, when a module is loaded, cannot be switched and is left out. */
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

function withReasons(survivors: Survivor[], listed: ReadonlyMap<string, Survivor & { reason: string }>) {
  return survivors.map((survivor) => ({ ...survivor, reason: listed.get(keyOf(survivor))?.reason ?? reasons[0] }))
}
