import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTE_KEY_TYPES, noteKeyId, signatureLine } from '#domain/fingerprint-log/signed-note.ts'
import { type AttachedFile, inclusionFiles } from '#domain/reports/document/attach.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { createApiServer } from '#rest/host.ts'
import { aToken } from '#test/support/factories.ts'
import { structureOf } from '#test/support/pdf.ts'
import { verifierKey } from '#test/support/verifier-key.ts'
import type { Check } from '../../cli/verify/checks.ts'
import { conclusionOf } from '../../cli/verify/conclusion.ts'
import { keyIdOf, readKeys } from '../../cli/verify/keys.ts'
import { compareOutside } from '../../cli/verify/outside.ts'
import { type Genuine, type Install, openInstall } from '../forgeries/genuine.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let install: Install
let api: FastifyInstance
let folder: string
let url: string
let weather: Terminal
let alone: Terminal
let genuine: Genuine
beforeAll(async () => {
  install = await openInstall()
  genuine = install.documents[0] as Genuine
  api = await createApiServer(install.world.app)
  url = await api.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(path.join(os.tmpdir(), 'weather-verify-'))
  const { team_id } = await install.world.app.db.report.findUniqueOrThrow({ where: { id: genuine.id }, select: { team_id: true } })
  const { token } = await aToken(install.world, { id: team_id })
  weather = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: token, XDG_CONFIG_HOME: folder })
  alone = await openTerminal({ WEATHER_HOME: folder, XDG_CONFIG_HOME: folder })
})
afterAll(async () => {
  await api.close()
  await install.close()
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)

async function verified(by: Terminal, name: string, bytes: Buffer | string, ...words: string[]) {
  await writeFile(at(name), bytes)
  return by('verify', at(name), ...words)
}

describe('a document', () => {
  test('exits with 0 by published keys, the fingerprint or the service, and with 10 if only the file itself confirms it', async () => {
    await writeFile(at('keys.json'), JSON.stringify({ keys: install.keys }))
    const status = async (by: Terminal, ...words: string[]) => (await verified(by, 'given.pdf', genuine.pdf, ...words)).status
    expect(await status(alone, '--keys', at('keys.json'))).toBe(0)
    expect(await status(alone, '--keys', url)).toBe(0)
    expect(await status(alone, '--fingerprint', genuine.fingerprint)).toBe(0)
    expect(await status(alone, '--service', `${url}/`)).toBe(0)
    expect(await status(weather)).toBe(0)
    expect(await status(weather, '--offline')).toBe(10)
    expect(await status(alone, '--keys', at('keys.json'), '--offline')).toBe(0)
    expect(await verified(alone, 'given.pdf', genuine.pdf, '--keys', url, '--offline')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('/.well-known/jwks.json'),
    })
    expect(await status(alone)).toBe(10)
  })

  test('is reported with its place, window, counts, largest values and stamp, and with what it was compared with', async () => {
    const run = await verified(alone, 'given.pdf', genuine.pdf)
    for (const words of [
      genuine.fingerprint,
      '33.14990, -96.82410',
      '2025-01-01 to 2025-12-31, within 5 mi',
      '14 on 6 days',
      '2.00 in (measured or estimated: not stated), 0.82 mi SW, 2025-05-28',
      '2.04 in (estimated by radar)',
      'EF1 (survey)',
      'SAMPLE',
      'agrees: the text of the pages agrees with the evidence, record by record',
    ])
      expect(run.stdout).toContain(words)
    expect(run.stderr).toContain('anybody could have made it')
    const { verdict, matches, summary, checks } = JSON.parse((await verified(alone, 'given.pdf', genuine.pdf, '--json')).stdout)
    expect((await verified(alone, 'given.pdf', genuine.pdf, '--fields', 'verdict,summary.records', '--output', 'csv')).stdout).toBe(
      'verdict,summary.records\r\nunconfirmed,14\r\n',
    )
    expect({ verdict, matches, records: summary.records, whats: checks.map(({ what }: Check) => what) }).toEqual({
      verdict: 'unconfirmed',
      matches: null,
      records: 14,
      whats: ['evidence', 'pages', 'signature', 'log'],
    })
  })

  test('from before signatures is verified by its evidence and its text, and the output says so', async () => {
    const run = await verified(alone, 'older.pdf', genuine.older, '--fingerprint', genuine.fingerprint)
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('the file is not signed as a whole')])
    expect((await verified(alone, 'older.pdf', genuine.older, '--keys', url)).status).toBe(0)
  })

  test('exits with 9 if a byte was changed, its pages are from another report, or it is not a report; a usage error exits with 2', async () => {
    const changed = Buffer.from(genuine.pdf)
    changed[5000] = (changed[5000] as number) ^ 1
    expect((await verified(alone, 'changed.pdf', changed, '--fingerprint', genuine.fingerprint)).status).toBe(9)
    const [, other] = install.documents as [Genuine, Genuine]
    expect((await verified(alone, 'other.pdf', other.pdf, '--fingerprint', genuine.fingerprint)).status).toBe(9)
    for (const bytes of ['%PDF-1.7\n', 'hello', '{}', '{"schema":"weather-report/1","records":[]}'])
      expect((await verified(alone, 'nothing.pdf', bytes)).status, bytes).toBe(9)
    expect((await alone('verify', at('nowhere.pdf'))).status).toBe(2)
    expect((await verified(alone, 'given.pdf', genuine.pdf, '--fingerprint', 'short')).status).toBe(2)
    expect((await verified(alone, 'given.pdf', genuine.pdf, '--keys', at('given.pdf'))).status).toBe(2)
    const away = await verified(alone, 'given.pdf', genuine.pdf, '--service', 'http://127.0.0.1:1')
    expect([away.status, away.stdout]).toEqual([10, expect.stringContaining('could not be queried')])
  })
})

/** An unsigned file with further files in it: anyone with the file can add some. */
async function withFiles(pdf: Buffer, files: AttachedFile[]): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  for (const { bytes, name, media_type, description } of files) await document.attach(bytes, name, { mimeType: media_type, description })
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

describe('an unsigned file with other evidence beside the true one', () => {
  const falseEvidence = () => Buffer.from(genuine.evidence.replaceAll('"hail_size_in":"2.00"', '"hail_size_in":"4.00"'))
  const withSecond = (bytes: Buffer) =>
    withFiles(genuine.older, [{ name: 'evidence.json', media_type: 'application/json', description: 'The evidence', bytes }])
  const runVerify = (name: string, pdf: Buffer) => verified(alone, name, pdf, '--fingerprint', genuine.fingerprint)

  test('is refused if a second file has the same name, whichever of them a viewer opens', async () => {
    expect((await runVerify('once.pdf', genuine.older)).status).toBe(0)
    const after = await withSecond(falseEvidence())
    // The files are in the order of their names; those of one name in the order in which they were attached.
    const document = await PDFDocument.load(after, { updateMetadata: false })
    const list = attachedNames(document)
    const pairs = Array.from({ length: list.size() / 2 }, (_, at) => [list.get(2 * at), list.get(2 * at + 1)] as const)
    for (const [at, [key, file]] of pairs.reverse().entries()) {
      list.set(2 * at, key)
      list.set(2 * at + 1, file)
    }
    const before = Buffer.from(await document.save({ useObjectStreams: false }))
    for (const [name, pdf] of Object.entries({ after, before })) {
      const { status, stdout } = await runVerify(`${name}.pdf`, pdf)
      expect([status, stdout], name).toEqual([9, expect.stringContaining('two attached files have the same name')])
    }
  })

  test('is refused if one file has two contents, or its objects are packed', async () => {
    const document = await PDFDocument.load(genuine.older, { updateMetadata: false })
    const other = document.context.register(document.context.flateStream(falseEvidence()))
    const file = document.context.lookup(attachedNames(document).get(1)) as PDFDict
    const contents = file.lookup(PDFName.of('EF'), PDFDict)
    contents.set(PDFName.of('UF'), contents.get(PDFName.of('F')) as PDFRef)
    contents.set(PDFName.of('F'), other)
    const two = Buffer.from(await document.save({ useObjectStreams: false }))
    const packed = Buffer.from(await (await PDFDocument.load(genuine.older, { updateMetadata: false })).save({ useObjectStreams: true }))
    for (const [name, pdf, words] of [
      ['two', two, 'one has several contents'],
      ['packed', packed, 'its objects are packed'],
    ] as const) {
      const { status, stdout } = await runVerify(`${name}.pdf`, pdf)
      expect([status, stdout], name).toEqual([9, expect.stringContaining(words)])
    }
  })

  /** The list of attached files: a name and a file in turn. */
  const attachedNames = (document: PDFDocument) =>
    document.catalog.lookup(PDFName.of('Names'), PDFDict).lookup(PDFName.of('EmbeddedFiles'), PDFDict).lookup(PDFName.of('Names'), PDFArray)
})

describe('an unsigned file with a proof of the log in it', () => {
  const logOf = async ({ id }: Genuine) => {
    const log = (await readDocumentFacts(install.world.app, id))?.verification.log
    if (!log) throw new Error('the report is not in the log')
    return log
  }
  const runChecks = async (files: AttachedFile[], ...words: string[]) => {
    const { status, stdout } = await verified(alone, 'logged.pdf', await withFiles(genuine.older, files), '--json', ...words)
    const checks = (JSON.parse(stdout).checks as Check[]).filter(({ what }) => ['log', 'timestamp', 'witness'].includes(what))
    return [status, checks.map(({ what, outcome, detail }) => `${what} ${outcome}: ${detail}`)]
  }

  test('is in the log by its own proof, and not by the proof of another report', async () => {
    const [, other] = install.documents as [Genuine, Genuine]
    expect(await runChecks(inclusionFiles(await logOf(genuine)))).toEqual([
      10,
      [expect.stringMatching(/^log agrees: the fingerprint is entry \d of the \d in the log /)],
    ])
    expect(await runChecks(inclusionFiles(await logOf(other)))).toEqual([
      9,
      [expect.stringMatching(/^log differs: the fingerprint is not entry \d of .*: the attached proof is for something else$/)],
    ])
  })

  test('exits with 0 by a known witness, with 9 if a line under its name is from another, and names an invalid time stamp', async () => {
    const log = await logOf(genuine)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = { name: 'witness.example/w1', type: NOTE_KEY_TYPES.cosignature, key: publicKey }
    const text = log.checkpoint.slice(0, log.checkpoint.lastIndexOf('\n\n') + 1)
    const cosigned = (by = privateKey) => {
      const time = Buffer.alloc(8)
      time.writeBigUInt64BE(1_790_000_000n)
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime 1790000000\n${text}`), by)
      const line = signatureLine({ name: key.name, key_id: noteKeyId(key), signature: Buffer.concat([time, signature]) })
      return { ...log, checkpoint: log.checkpoint + line }
    }
    const in_log = expect.stringMatching(/^log agrees/)
    const seen = /^witness agrees: witness\.example\/w1 cosigned this checkpoint of .* at 2026-09-21T14:13:20\.000Z/
    const known = ['--witness', verifierKey(key)]
    expect(await runChecks(inclusionFiles(cosigned()), ...known)).toEqual([0, [in_log, expect.stringMatching(seen)]])
    expect(await runChecks(inclusionFiles(cosigned()))).toEqual([
      10,
      [in_log, expect.stringContaining('witness not_compared: the checkpoint has signature lines of witness.example/w1')],
    ])
    expect(await runChecks(inclusionFiles(log), ...known)).toEqual([
      10,
      [in_log, 'witness not_compared: the checkpoint has no signature line of witness.example/w1'],
    ])
    const forged = cosigned(generateKeyPairSync('ed25519').privateKey)
    expect(await runChecks(inclusionFiles(forged), ...known)).toEqual([
      9,
      [in_log, expect.stringContaining('that witness.example/w1 did not sign')],
    ])
    const stamp = { ...log, timestamp: Buffer.alloc(300, 0x30).toString('base64') }
    expect(await runChecks(inclusionFiles(stamp))).toEqual([
      9,
      [in_log, expect.stringMatching(/^timestamp differs: the attached time stamp /)],
    ])
    expect(await runChecks(inclusionFiles(stamp).slice(1))).toEqual([
      9,
      [
        expect.stringContaining(
          'timestamp differs: the attached checkpoint.tst is for a checkpoint, but the file has no valid proof that this report is in it',
        ),
      ],
    ])
    expect((await alone('verify', at('logged.pdf'), '--witness', 'witness.example')).status).toBe(2)
  })
})

test('the evidence alone is compared with the given fingerprint', async () => {
  const { evidence, fingerprint } = genuine
  const status = async (text: string, ...words: string[]) => (await verified(alone, 'evidence.json', text, ...words)).status
  expect(await status(evidence, '--fingerprint', fingerprint)).toBe(0)
  expect(await status(evidence, '--fingerprint', fingerprint.slice(0, 16).toUpperCase())).toBe(0)
  expect(await status(JSON.stringify(JSON.parse(evidence), null, 2), '--fingerprint', fingerprint)).toBe(0)
  expect(await status(evidence.replace('2025-05-28', '2025-05-27'), '--fingerprint', fingerprint)).toBe(9)
  expect(await status(evidence)).toBe(10)
})

test('evidence that states a key twice is refused, since its readers may see another value', async () => {
  const { evidence, fingerprint } = genuine
  for (const twice of [
    evidence.replace('"hail_size_in":"', '"hail_size_in":"9.00","hail_size_in":"'),
    evidence.replace('"hail_size_in":"', '"hail\\u005fsize_in" : "9.00","hail_size_in":"'),
  ]) {
    expect(twice).not.toBe(evidence)
    const { status, stderr } = await verified(alone, 'evidence.json', twice, '--fingerprint', fingerprint)
    expect([status, stderr]).toEqual([9, expect.stringContaining('states a key twice')])
  }
})

test('the signature of the install’s key is on the page and in the file', async () => {
  const facts = await readDocumentFacts(install.world.app, genuine.id)
  const signature = facts?.signature
  if (!facts || !signature) throw new Error('nothing is signed')
  const key = createPublicKey(install.world.app.config.signing_key as never)
  expect(signature.key_id).toBe(keyIdOf(key))
  expect(verify(null, Buffer.from(genuine.fingerprint), key, Buffer.from(signature.ed25519, 'base64url'))).toBe(true)
  expect((await documentPage(facts, [])).html).toContain(signature.ed25519)
  expect((await structureOf(genuine.pdf)).keywords).toContain(`ed25519:${signature.ed25519} key:${signature.key_id}`)
})

describe('a response of the service', () => {
  const serviceUrl = 'https://weather.example.com'
  const claims = { fingerprint: 'a'.repeat(64), fingerprint_signature: null, inclusion: null, document_key: null, service: serviceUrl }
  const outcomeFor = async (
    named: string | null,
    standing: 'held' | 'withdrawn' | 'unknown',
    key: 'published' | 'another' | 'same id' | 'none',
  ) => {
    const [published] = readKeys(JSON.stringify({ keys: install.keys.filter(({ purpose }) => purpose === 'document') }), 'the list')
    const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    const document_key = key === 'none' ? null : key === 'published' ? (published?.key ?? null) : another
    const listed = published && key === 'same id' ? { ...published, id: keyIdOf(another) } : published
    const log = { checkpoint: () => Promise.reject(new Error('not asked')), tile: () => Promise.reject(new Error('not asked')) }
    const ask = async () => ({ url: serviceUrl, report_status: standing, keys: listed ? [listed] : [], log })
    return conclusionOf(await compareOutside({ ...claims, service: named, document_key }, { fingerprint: null, keys: null, ask })).verdict
  }

  test('confirms only files that name the service: every install gives the same evidence the same fingerprint', async () => {
    expect(await outcomeFor(serviceUrl, 'held', 'published')).toBe('verified')
    expect(await outcomeFor(serviceUrl, 'withdrawn', 'published')).toBe('verified')
    expect(await outcomeFor(serviceUrl, 'held', 'none')).toBe('verified')
    expect(await outcomeFor(serviceUrl, 'held', 'another')).toBe('differs')
    expect(await outcomeFor(serviceUrl, 'held', 'same id')).toBe('differs')
    expect(await outcomeFor(serviceUrl, 'unknown', 'published')).toBe('differs')
    expect(await outcomeFor(null, 'unknown', 'none')).toBe('differs')
    expect(await outcomeFor('https://elsewhere.example', 'held', 'another')).toBe('verified')
    expect(await outcomeFor('https://elsewhere.example', 'unknown', 'another')).toBe('unconfirmed')
  })
})

test('a report of the service is compared with the given fingerprint, and refuses options that need a file', async () => {
  const { id, fingerprint } = genuine
  expect((await weather('verify', id, '--fingerprint', fingerprint)).status).toBe(0)
  expect((await weather('verify', id, '--fingerprint', fingerprint.slice(0, 16).toUpperCase())).status).toBe(0)
  const wrong = await weather('verify', id, '--fingerprint', '0'.repeat(16))
  expect([wrong.status, wrong.stderr]).toEqual([9, `The records have the fingerprint ${fingerprint}, but 0000000000000000 was given.\n`])
  expect((await weather('verify', id, '--fingerprint', 'short')).status).toBe(2)
  for (const words of [['--keys', url], ['--service', url], ['--offline'], ['--source', at('none.csv')]]) {
    const { status, stdout, stderr } = await weather('verify', id, ...words)
    expect({ words, status, stdout, stderr }).toEqual({
      words,
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(`^weather: ${words[0]} needs `),
    })
  }
})

test('a report of the service is rebuilt from its records: 0, 9 after a hidden change to one, 3 if it does not exist', async () => {
  expect((await weather('verify', genuine.id)).status).toBe(0)
  // Only with the triggers off: otherwise the database refuses the change.
  await install.world.owner.query(
    "BEGIN; SET LOCAL session_replication_role = replica; UPDATE report_records SET tornado_ef_scale = 4 WHERE type = 'tornado'; COMMIT",
  )
  const run = await weather('verify', genuine.id)
  expect([run.status, run.stderr]).toEqual([9, expect.stringContaining('different fingerprint')])
  expect((await weather('verify', '00000000-0000-7000-8000-000000000000')).status).toBe(3)
})
