import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

/** What a client's author writes against the generated types. */
const JOURNEY = `
import type { components, operations } from './weather-api.js'

type Report = components['schemas']['Report']
type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { 'application/json': infer Sent } } } ? Sent : never
type Answer<Name extends keyof operations, Status extends keyof operations[Name]['responses']> =
  operations[Name]['responses'][Status] extends { content: { 'application/json': infer Answered } } ? Answered : never

export async function journey(base: string, token: string, sent: Body<'reports.create'>, wait: () => Promise<void>) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
    return (await fetch(base + '/api/v1' + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
  }
  const created = (await call('POST', '/reports', sent)) as Answer<'reports.create', 202>
  const status: 'pending' | 'complete' | 'failed' = created.data.status
  await wait()
  const { data: report } = (await call('GET', '/reports/' + created.data.id)) as Answer<'reports.show', 200>
  const findings: Report['findings'] = report.findings
  const events = (await call('GET', '/reports/' + report.id + '/events?per_page=2')) as Answer<'reports.events', 200>
  const next: string | null = events.links.next
  const largest: number | null = events.data[0]?.measurements.hail_size_in ?? null
  const refused = (await call('GET', '/reports?status=lost')) as components['schemas']['Error']
  const sentences: string[] | undefined = refused.errors?.status
  return { status, headline: report.headline, statements: findings?.map(({ statement }) => statement) ?? [], next, largest, sentences }
}
`

it('a client of generated types compiles, and runs the journey', async () => {
  const world = await openWorld()
  const rest = await openRest(world)
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-client-'))
  try {
    await seedSample(world.app)
    const { token } = await aToken(world, await aTeam(world))
    const { text } = await rest.call('GET', '/openapi.json', { token })
    await writeFile(path.join(folder, 'weather-api.d.ts'), astToString(await openapiTS(text)))
    await writeFile(path.join(folder, 'journey.ts'), JOURNEY)
    expect(faultsIn(path.join(folder, 'journey.ts'))).toEqual([])
    await writeFile(path.join(folder, 'wrong.ts'), JOURNEY.replace('report.headline', 'report.heading'))
    expect(faultsIn(path.join(folder, 'wrong.ts'))).toHaveLength(1)

    await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${(rest.fastify.server.address() as AddressInfo).port}`
    const compiled = ts.transpileModule(JOURNEY, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } })
    await writeFile(path.join(folder, 'journey.mjs'), compiled.outputText)
    const { journey } = await import(path.join(folder, 'journey.mjs'))
    const { address, window_start, window_end, radius_miles } = sampleStorm
    const told = await journey(base, token, { address, window_start, window_end, radius_miles }, () => world.drain())
    expect(told).toMatchObject({ status: 'pending', headline: expect.stringContaining('hail'), next: expect.stringContaining('page=2') })
    expect(told.statements.length).toBeGreaterThan(0)
    expect(told.sentences).toEqual(['The status must be one of pending, complete, failed.'])
  } finally {
    await rest.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)

function faultsIn(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
  })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
