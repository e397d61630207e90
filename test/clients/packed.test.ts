import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { newSigningSecret, signatureHeaders } from '#domain/integrations/signature.ts'
import { openSample, type SampleService } from '#test/cli/sample.ts'
import { keepWorking } from './keep-working.ts'

const run = promisify(execFile)

let sample: SampleService
let folder: string
beforeAll(async () => {
  sample = await openSample()
  folder = mkdtempSync(path.join(os.tmpdir(), 'weather-client-'))
})
afterAll(async () => {
  await sample?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** As a user of the installed package writes it: typed, without a cast. */
const JOURNEY = `
import { createWeatherClient, verifyPost, WeatherApiError } from 'weather-report-client'

export async function journey(baseUrl: string, token: string, headers: Record<string, string>, post: string, secret: string) {
  const weather = createWeatherClient({ baseUrl, token })
  const body = { address: '${sampleStorm.address}', window_start: '${sampleStorm.window_start}', window_end: '${sampleStorm.window_end}' }
  const { data: ordered } = await weather.post('/api/v1/reports', { body })
  const report = await weather.waitForReport(ordered.id)
  const sizes: (number | null)[] = []
  const params = { path: { report: report.id }, query: { per_page: 1 } }
  for await (const record of weather.each('/api/v1/reports/{report}/events', { params })) sizes.push(record.measurements.hail_size_in)
  const refused = await weather.delete('/api/v1/reports/{report}', { params: { path: { report: 'none' } } }).catch((fault) => fault)
  const read = await verifyPost(headers, post, secret)
  return {
    status: report.status, count: report.event_count, records: sizes.length, largest: Math.max(...sizes.map((size) => size ?? 0)),
    refused: refused instanceof WeatherApiError ? refused.code : null, event: read.event,
  }
}
`

it('the package, installed alone in an empty folder, makes its first report', async () => {
  await run(process.execPath, ['scripts/build/pack.mjs', 'client', '--lay-out'])
  const packages = ['dist/packages/client', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers']
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', [...args, ...packages.map((name) => `./${name}`)])
  const tarballs = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => path.join(folder, filename))
  const empty = path.join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(path.join(empty, 'package.json'), '{"type": "module"}')
  // Without a network: there is nothing to fetch.
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: empty })
  const installed = readdirSync(path.join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(installed).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'weather-report-client'])
  const manifest = JSON.parse(readFileSync(path.join(empty, 'node_modules/weather-report-client/package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch'])

  const file = path.join(empty, 'journey.ts')
  writeFileSync(file, JOURNEY)
  expect(faultsOf(file)).toEqual([])
  writeFileSync(path.join(empty, 'wrong.ts'), JOURNEY.replace('measurements.hail_size_in', 'measurements.hail_size'))
  expect(faultsOf(path.join(empty, 'wrong.ts')).join()).toContain('hail_size')

  const compiled = ts.transpileModule(JOURNEY, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } })
  const [secret, post] = [newSigningSecret(), '{"event":"report.completed"}']
  const journeyArguments = [sample.url, sample.token, signatureHeaders(secret, 'delivery', post, new Date()), post, secret]
  const call = `console.log(JSON.stringify(await journey(...${JSON.stringify(journeyArguments)})))`
  writeFileSync(path.join(empty, 'journey.js'), `${compiled.outputText}\n${call}\n`)
  const workers = keepWorking(sample.world)
  const { stdout: answered } = await run(process.execPath, ['journey.js'], { cwd: empty }).finally(() => workers.stop())
  const { count, records, ...rest } = JSON.parse(answered)
  expect(rest).toEqual({ status: 'complete', largest: 2.04, refused: 'not_found', event: 'report.completed' })
  expect([count > 1, records]).toEqual([true, count])
})

/** The compiler's messages with only a browser's types, including the package's own declarations. */
function faultsOf(file: string): string[] {
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipDefaultLibCheck: true, exactOptionalPropertyTypes: true, types: [] },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  }
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
  return found.map(({ messageText, file: at }) => `${at?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}
