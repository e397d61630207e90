import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

/** A client as its author writes it against the generated types: no cast, no any, no assertions. */
const JOURNEY = `
import type { components, operations, webhooks } from './weather-api.js'

type Schemas = components['schemas']
type Body<Name extends keyof operations> = operations[Name] extends { requestBody?: { content: { 'application/json': infer Sent } } } ? Sent : undefined
type Json<Response> = Response extends { content: { 'application/json': infer Answered } } ? Answered : never
type Success<Name extends keyof operations> = Json<operations[Name]['responses'][Extract<keyof operations[Name]['responses'], 200 | 201 | 202>]>

export function client(base: string, token: string) {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
  return async function call<Name extends keyof operations>(_name: Name, method: string, path: string, body?: Body<Name>): Promise<Success<Name>> {
    const answer = await fetch(base + '/api/v1' + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return answer.json()
  }
}

export async function reports(base: string, token: string, sent: Body<'reports.create'>, wait: () => Promise<void>) {
  const call = client(base, token)
  const created = await call('reports.create', 'POST', '/reports', sent)
  const status: 'pending' | 'complete' | 'failed' = created.data.status
  await wait()
  const { data: report } = await call('reports.show', 'GET', '/reports/' + created.data.id)
  const events = await call('reports.events', 'GET', '/reports/' + report.id + '/events?per_page=2')
  const next: string | null = events.links.next
  const largest: number | null = events.data[0]?.measurements.hail_size_in ?? null
  const tier: 'free' | 'starter' | 'professional' | 'business' | 'enterprise' = report.plan_tier
  const refused: Schemas['Error'] = await (await fetch(base + '/api/v1/reports?status=lost', { headers: { authorization: 'Bearer ' + token } })).json()
  const sentences: string[] | undefined = refused.errors?.status
  return { status, headline: report.headline, statements: report.findings?.map(({ statement }) => statement) ?? [], next, largest, tier, sentences }
}

export async function territories(base: string, token: string) {
  const call = client(base, token)
  const field: GeoJSON.Feature<GeoJSON.Polygon> = {
    type: 'Feature',
    properties: { name: 'North field' },
    geometry: { type: 'Polygon', coordinates: [[[-97, 35], [-96.9, 35], [-96.9, 35.1], [-97, 35]]] },
  }
  const drawn = await call('territories.create', 'POST', '/territories', { name: 'Drawn', kind: 'polygon', geometry: field, colour: 'moss' })
  const shape: GeoJSON.Polygon | GeoJSON.MultiPolygon = drawn.data.geometry
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  const positions: number = polygons.flat(2).length
  const again = await call('territories.update', 'PATCH', '/territories/' + drawn.data.id, { geometry: drawn.data.geometry, notes: null })
  const { data: [place] } = await call('places.list', 'GET', '/places?search=Moore,%20OK')
  if (!place) throw new Error('no place')
  const towns = await call('territories.create', 'POST', '/territories', { name: 'Towns', kind: 'places', place_ids: [place.id], radius_miles: 3 })
  const around = await call('territories.quote', 'POST', '/territories/quote', { name: 'Around', kind: 'radius', latitude: 35.3, longitude: -97.5, radius_miles: 3 })
  const parts = [drawn, again, towns].flatMap(({ data }) => data.definition).map(partInWords)
  return { positions, parts, kind: towns.data.kind, colour: drawn.data.color, quoted: around.data.geometry.type, west: around.data.bounds.west }
}

function partInWords(part: Schemas['Territory']['definition'][number]): string {
  if ('place_id' in part) return part.name + ' ' + part.radius_miles
  if ('address' in part) return part.address ?? part.latitude + ', ' + part.longitude
  return part.positions + ' positions, ' + part.holes + ' holes'
}

type Post<Event extends keyof webhooks> = webhooks[Event]['post']['requestBody']['content']['application/json']

/** What a receiver does with its posts. */
export function received(post: Post<'exposure.detected'> | Post<'warning.issued'> | Post<'property.archived'> | Post<'report.pdf_ready'>): string {
  if (post.kind === 'alert') return post.data.map(({ subject, families }) => subject.name + ' ' + families.hail).join() + (post.escalation?.to_in ?? '')
  if (post.kind === 'report') return post.download?.url ?? ''
  const [property] = post.data
  if (!property || 'removed' in property) return 'gone'
  return property.contacts.map(({ email }) => email ?? '').join() + post.changed.join()
}

export async function rest(base: string, token: string) {
  const call = client(base, token)
  const property = await call('properties.create', 'POST', '/properties', { address: '1 Main St, Moore, OK 73160', kind: 'commercial', tags: ['roof'] })
  const placed = await call('properties.create', 'POST', '/properties', { latitude: 35.3, longitude: -97.5, label: 'Well 4' })
  const precision: 'point' | 'range' | 'zip' | 'city' | null = placed.data.address.precision
  const contact = await call('properties.contacts.create', 'POST', '/properties/' + property.data.id + '/contacts', { name: 'Ada', role: 'owner' })
  const hook = await call('integrations.create', 'POST', '/integrations', { name: 'CRM', channel: 'webhook', url: 'https://example.com/', events: ['warning.issued'] })
  const secret: string | null = hook.secret
  const [event] = hook.data.events
  const batch = await call('reports.batch', 'POST', '/reports/batch', { reports: [{ address: '1 Main St, Moore, OK 73160' }], window_start: '2024-01-01', window_end: '2024-02-01', layout: { sections: ['summary'], map: null } })
  const row: 'accepted' | 'rejected' | 'skipped' | undefined = batch.results[0]?.status
  const page = await call('exposures.list', 'GET', '/exposures?open=true')
  const warned: GeoJSON.Polygon | GeoJSON.MultiPolygon | null | undefined = page.data[0]?.warning?.geometry
  const account = await call('account.show', 'GET', '/account')
  const canWrite = account.token.abilities.includes('reports:write')
  return { role: contact.data.role, secret: secret?.startsWith('whsec_'), event, row, warned, canWrite, precision }
}
`

/** The compiler reads the DOM library, on a busy machine. */
const TIMEOUT_MS = 180_000

/** Mistakes that the types must not allow, each replacing a correct line. */
const WRONG: [right: string, wrong: string][] = [
  ['report.headline', 'report.heading'],
  ["colour: 'moss'", "colour: 'pink'"],
  ["kind: 'places', place_ids", "kind: 'circles', place_ids"],
  ['geometry: field,', "geometry: { type: 'Point', coordinates: [1, 2] },"],
  ['coordinates: [[[-97, 35]', 'coordinates: [[[[-97, 35]]'],
  ['radius_miles: 3 })\n  const around', "radius_miles: '3' })\n  const around"],
  ["events: ['warning.issued']", "events: ['storm.seen']"],
  ["name: 'Towns', ", ''],
  ["if ('place_id' in part) return part.name", "if ('place_id' in part) return part.title"],
  ["abilities.includes('reports:write')", "abilities.includes('reports:all')"],
  ['post.escalation?.to_in', 'post.escalation?.to'],
  ["sections: ['summary']", "sections: ['cover']"],
  ["[{ address: '1 Main St, Moore, OK 73160' }]", "[{ address: '1 Main St, Moore, OK 73160', radius: 5 }]"],
  ["[{ address: '1 Main St, Moore, OK 73160' }]", '[{ radius_miles: 5 }]'],
  ["address: '1 Main St, Moore, OK 73160', kind", 'kind'],
  ['longitude: -97.5, label', 'label'],
  ["label: 'Well 4'", "lable: 'Well 4'"],
]

it(
  'a client of generated types compiles, and runs the journey',
  async () => {
    const world = await openWorld()
    const rest = await openRest(world)
    const folder = await mkdtemp(path.join(tmpdir(), 'weather-client-'))
    try {
      await seedSample(world.app)
      const { token } = await aToken(world, await aTeam(world))
      const { text } = await rest.call('GET', '/openapi.json', { token })
      await writeFile(path.join(folder, 'weather-api.d.ts'), astToString(await openapiTS(text)))
      await writeFile(path.join(folder, 'journey.ts'), JOURNEY)
      expect(JOURNEY).not.toMatch(/ as |\bany\b|!\.|@ts-/)
      for (const [right] of WRONG) expect([right, JOURNEY.split(right).length]).toEqual([right, 2])
      const invalidFiles = WRONG.map(([right, wrong], nth) => ({
        file: path.join(folder, `wrong-${nth}.ts`),
        text: JOURNEY.replace(right, wrong),
        wrong,
      }))
      for (const { file, text } of invalidFiles) await writeFile(file, text)
      const found = faultsByFile([path.join(folder, 'journey.ts'), ...invalidFiles.map(({ file }) => file)])
      expect(found.get(path.join(folder, 'journey.ts')) ?? []).toEqual([])
      expect(invalidFiles.filter(({ file }) => !found.has(file)).map(({ wrong }) => wrong)).toEqual([])

      await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
      const base = `http://127.0.0.1:${(rest.fastify.server.address() as AddressInfo).port}`
      const compiled = ts.transpileModule(JOURNEY, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } })
      await writeFile(path.join(folder, 'journey.mjs'), compiled.outputText)
      const journey = await import(path.join(folder, 'journey.mjs'))
      const { address, window_start, window_end, radius_miles } = sampleStorm
      const reported = await journey.reports(base, token, { address, window_start, window_end, radius_miles }, () => world.drain())
      expect(reported).toMatchObject({
        status: 'pending',
        headline: expect.stringContaining('Hail 2.00 in'),
        tier: 'enterprise',
        next: expect.stringContaining('page=2'),
      })
      expect(reported.statements.length).toBeGreaterThan(0)
      expect(reported.sentences).toEqual(['The status must be one of pending, complete, failed.'])
      expect(await journey.territories(base, token)).toEqual({
        positions: 4,
        parts: ['4 positions, 0 holes', '4 positions, 0 holes', 'Moore 3'],
        kind: 'places',
        colour: '#5C7A3A',
        quoted: 'Polygon',
        west: expect.any(Number),
      })
      expect(await journey.rest(base, token)).toMatchObject({
        role: 'owner',
        secret: true,
        event: 'warning.issued',
        row: 'accepted',
        canWrite: true,
        precision: 'point',
      })
    } finally {
      await rest.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  TIMEOUT_MS,
)

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipDefaultLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
  types: ['geojson'],
}

/** Returns the compiler's messages for each file at fault; the types are read once for all. */
function faultsByFile(files: string[]): Map<string, string[]> {
  const faults = new Map<string, string[]>()
  for (const { file, messageText } of ts.getPreEmitDiagnostics(ts.createProgram(files, OPTIONS))) {
    const name = file?.fileName ?? ''
    faults.set(name, [...(faults.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, '\n')])
  }
  return faults
}
