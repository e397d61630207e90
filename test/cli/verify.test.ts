import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { attachEvidence } from '#domain/reports/document/attach.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { reportPdf } from '#domain/reports/pdf.ts'
import { requestReport } from '#domain/reports/request.ts'
import { openApi } from '#rest/host.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { structureOf } from '#test/support/pdf.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signing_key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

let world: World
let api: FastifyInstance
let folder: string
let weather: Terminal
let id: string
let fingerprint: string
let evidence: string
let pdf: Buffer
beforeAll(async () => {
  world = await openWorld({ config: { signing_key } })
  await seedSample(world.app)
  api = await openApi(world.app)
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(path.join(os.tmpdir(), 'weather-verify-'))
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  weather = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: (await aToken(world, team)).token, XDG_CONFIG_HOME: folder })
  const { address, window_start, window_end } = sampleStorm
  id = (await requestReport(world.app, caller, { address, window_start, window_end }, null)).report.id
  await world.drain()
  const found = await reportPdf(world.app, caller, id)
  const facts = await readDocumentFacts(world.app, id)
  if (!facts || !('bytes' in found)) throw new Error('the report is not complete')
  ;({ fingerprint } = facts.report)
  pdf = found.bytes
  evidence = evidenceDocument(facts.report, facts.records)
})
afterAll(async () => {
  await api.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function verified(name: string, bytes: Buffer | string, ...words: string[]) {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return (await weather('verify', file, ...words)).status
}

test('a document as it was given is 0; with a changed fact, a changed byte or no evidence it is 9', async () => {
  expect(await verified('given.pdf', pdf)).toBe(0)
  const changed = evidence.replace('"hail_size_in":"2.00"', '"hail_size_in":"2.50"')
  expect(changed).not.toBe(evidence)
  const stated = { title: 'Weather report', fingerprint, at: new Date(), signature: null }
  const blank = await blankPrinter.print('', { format: 'Letter', footer: '', margin: { top: '0', right: '0', bottom: '0', left: '0' } })
  expect(await verified('same.pdf', await attachEvidence(blank, { ...stated, evidence }))).toBe(0)
  expect(await verified('changed.pdf', await attachEvidence(blank, { ...stated, evidence: changed }))).toBe(9)
  const at = pdf.indexOf('stream', pdf.toString('latin1').search(/\/EmbeddedFile\b/)) + 40
  expect(
    await verified('byte.pdf', Buffer.concat([pdf.subarray(0, at), Buffer.from([(pdf[at] as number) ^ 1]), pdf.subarray(at + 1)])),
  ).toBe(9)
  expect(await verified('blank.pdf', blank)).toBe(9)
})

test('the evidence by itself is held to the fingerprint that it should have', async () => {
  expect(await verified('evidence.json', evidence, '--fingerprint', fingerprint)).toBe(0)
  expect(await verified('evidence.json', JSON.stringify(JSON.parse(evidence), null, 2), '--fingerprint', fingerprint)).toBe(0)
  expect(await verified('changed.json', evidence.replace('2025-05-28', '2025-05-27'), '--fingerprint', fingerprint)).toBe(9)
  expect(await verified('other.json', '{}', '--fingerprint', fingerprint)).toBe(9)
})

test('the signature of the install’s key stands on the page and in the file', async () => {
  const facts = await readDocumentFacts(world.app, id)
  const signature = facts?.signature
  if (!facts || !signature) throw new Error('nothing is signed')
  const signed = Buffer.from(signature.ed25519, 'base64url')
  expect(verify(null, Buffer.from(fingerprint), createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })), signed)).toBe(true)
  expect((await documentPage(facts, [])).html).toContain(signature.ed25519)
  expect((await structureOf(pdf)).keywords).toContain(`ed25519:${signature.ed25519} key:${signature.key_id}`)
})

test('a report of the service is rebuilt from its records: 0, 9 once one was changed behind its back, 3 where there is none', async () => {
  expect((await weather('verify', id)).status).toBe(0)
  // Only past the triggers: the database itself refuses it.
  await world.app.db.$transaction([
    world.app.db.$executeRaw`SET LOCAL session_replication_role = replica`,
    world.app.db.$executeRaw`UPDATE report_records SET tornado_ef_scale = 4 WHERE type = 'tornado'`,
  ])
  const run = await weather('verify', id)
  expect([run.status, run.stderr]).toEqual([9, expect.stringContaining('another fingerprint')])
  expect((await weather('verify', '00000000-0000-7000-8000-000000000000')).status).toBe(3)
})
