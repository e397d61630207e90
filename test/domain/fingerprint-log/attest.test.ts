import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHttp } from '#domain/engines/http.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { attestNewest } from '#domain/fingerprint-log/attest.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { newestCheckpoint } from '#domain/fingerprint-log/read.ts'
import { NOTE_KEY_TYPES, noteKeyId, signatureLine } from '#domain/fingerprint-log/signed-note.ts'
import { EMPTY_ROOT, provesConsistency } from '#test/support/merkle-proofs.ts'
import { verifierKey } from '#test/support/verifier-key.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** All witnesses and authorities of a log, on one server. Each test decides the responses. */
let server: Server
let url: string
let answer: (path: string, body: Buffer) => { status: number; body: Buffer | string } | 'hangs'
const requests: string[] = []
let folder: string

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push(request.url as string)
    const reply = answer(request.url as string, Buffer.concat(chunks))
    if (reply !== 'hangs') response.writeHead(reply.status).end(reply.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(path.join(tmpdir(), 'weather-tsa-'))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

/** A witness as defined by c2sp.org/tlog-witness, which remembers one tree. */
function aWitness(name: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = { name, type: NOTE_KEY_TYPES.cosignature, key: publicKey }
  let seen: { size: number; root: Buffer } = { size: 0, root: EMPTY_ROOT }
  return {
    setting: { verifier_key: verifierKey(key), url: `${url}/${name}` },
    forget: () => {
      seen = { size: 0, root: EMPTY_ROOT }
    },
    add(body: Buffer) {
      const text = body.toString('utf8')
      const end = text.indexOf('\n\n')
      const [old = '', ...lines] = text.slice(0, end).split('\n')
      if (Number(old.slice('old '.length)) !== seen.size) return { status: 409, body: `${seen.size}\n` }
      const checkpoint = readCheckpoint(text.slice(end + 2))
      const proof = lines.map((line) => Buffer.from(line, 'base64'))
      if (!provesConsistency(seen.size, seen.root, checkpoint.size, checkpoint.root, proof)) return { status: 422, body: '' }
      seen = checkpoint
      return { status: 200, body: cosignature(checkpoint.text, privateKey, name, noteKeyId(key), Date.now()) }
    },
  }
}

function cosignature(text: string, key: KeyObject, name: string, key_id: Buffer, now: number): string {
  const seconds = BigInt(Math.floor(now / 1000))
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(seconds)
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key)
  return signatureLine({ name, key_id, signature: Buffer.concat([time, signature]) })
}

let entries = 0
async function grow({ app }: World, count: number): Promise<void> {
  const more = Array.from({ length: count }, () => logEntry(Buffer.alloc(32, 7), (entries++).toString(16).padStart(64, '0')))
  await app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [more])
  await appendPending(app)
}

const aLog = async (config: Partial<World['app']['config']>) => {
  const world = await openWorld({ config, replace: { http: openHttp({ contact: null }) } })
  await grow(world, 3)
  return world
}

const signersOf = async ({ app }: World) =>
  readCheckpoint((await newestCheckpoint(app.pool))?.note as string).signatures.map(({ name }) => name)

test('witnesses cosign a growing log, even after losing their state, and their signatures follow the log’s own', async () => {
  const [one, two] = [aWitness('one.example'), aWitness('two.example')]
  answer = (path, body) => (path === '/one.example/add-checkpoint' ? one.add(body) : two.add(body))
  const world = await aLog({ log_origin: 'weather.example.com/log', log_witnesses: [one.setting, two.setting] })
  await attestNewest(world.app)
  expect(await signersOf(world)).toEqual(['weather.example.com/log', 'one.example', 'two.example'])
  await grow(world, 300)
  two.forget()
  await attestNewest(world.app)
  expect(await signersOf(world)).toEqual(['weather.example.com/log', 'one.example', 'two.example'])
  const before = requests.length
  await attestNewest(world.app)
  expect(requests).toHaveLength(before)
})

test.each([
  ['another key', (text: string) => cosignature(text, generateKeyPairSync('ed25519').privateKey, 'w.example', Buffer.alloc(4), Date.now())],
  ['what is no note', () => '\u2014 w.example !!!\n'],
  ['more than it may', () => 'x'.repeat(64 * 1024)],
  ['nothing', () => ''],
])('a witness that returns %s is not trusted and not asked again for a while', async (_what, respond) => {
  const witness = aWitness('w.example')
  answer = (_path, body) => {
    const text = body.toString('utf8')
    return { status: 200, body: respond(readCheckpoint(text.slice(text.indexOf('\n\n') + 2)).text) }
  }
  const world = await aLog({ log_origin: 'weather.example.com/log', log_witnesses: [witness.setting] })
  const before = requests.length
  await attestNewest(world.app)
  await attestNewest(world.app)
  expect([await signersOf(world), requests.length - before]).toEqual([['weather.example.com/log'], 1])
  // It is asked again after five minutes, and a valid response is then accepted.
  answer = (_path, body) => witness.add(body)
  world.clock.advance(301_000)
  await attestNewest(world.app)
  expect(await signersOf(world)).toEqual(['weather.example.com/log', 'w.example'])
})

test('a witness that cosigned for another process, or whose response was lost, cosigns the same checkpoint again', async () => {
  const witness = aWitness('w.example')
  answer = (_path, body) => ({ ...witness.add(body), status: 502 })
  const world = await aLog({ log_origin: 'weather.example.com/log', log_witnesses: [witness.setting] })
  await attestNewest(world.app)
  world.clock.advance(301_000)
  answer = (_path, body) => witness.add(body)
  const before = requests.length
  await attestNewest(world.app)
  expect([await signersOf(world), requests.length - before]).toEqual([['weather.example.com/log', 'w.example'], 2])
})

test('a witness that keeps naming other sizes is asked at most twice', async () => {
  const witness = aWitness('w.example')
  answer = () => ({ status: 409, body: '1\n' })
  const world = await aLog({ log_witnesses: [witness.setting] })
  const before = requests.length
  await attestNewest(world.app)
  expect([requests.length - before, (await signersOf(world)).length]).toEqual([2, 1])
})

test('a witness that never responds delays the others no longer than its timeout', async () => {
  const [slow, good] = [aWitness('slow.example'), aWitness('good.example')]
  answer = (path, body) => (path.startsWith('/slow') ? 'hangs' : good.add(body))
  const world = await aLog({ log_origin: 'weather.example.com/log', log_witnesses: [slow.setting, good.setting] })
  const startedAt = Date.now()
  await attestNewest(world.app)
  expect(Date.now() - startedAt).toBeLessThan(10_000)
  expect(await signersOf(world)).toEqual(['weather.example.com/log', 'good.example'])
})

/** A timestamp authority run by OpenSSL, independent of the service's code. */
function anAuthority(): (query: Buffer) => Buffer {
  const at = (name: string) => path.join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  writeFileSync(
    at('tsa.cnf'),
    `[req]\ndistinguished_name=dn\nx509_extensions=tsa\nprompt=no\n[dn]\nCN=Made-up authority\n[tsa]\nextendedKeyUsage=critical,timeStamping\n
[tsa_config]\nserial=${at('serial')}\ncrypto_device=builtin\nsigner_cert=${at('tsa.crt')}\nsigner_key=${at('tsa.key')}\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256\naccuracy=secs:1\ness_cert_id_alg=sha256\n`,
  )
  writeFileSync(at('serial'), '01\n')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '30',
    '-config',
    at('tsa.cnf'),
    '-keyout',
    at('tsa.key'),
    '-out',
    at('tsa.crt'),
  )
  return (query) => {
    writeFileSync(at('query'), query)
    openssl('ts', '-reply', '-config', at('tsa.cnf'), '-section', 'tsa_config', '-queryfile', at('query'), '-out', at('reply'))
    return readFileSync(at('reply'))
  }
}

test('an authority stamps the checkpoint, as OpenSSL confirms, and a stamp of another text or request is rejected', async () => {
  const stamp = anAuthority()
  answer = (_path, query) => ({ status: 200, body: stamp(query) })
  const world = await aLog({ timestamp_url: `${url}/tsa` })
  world.clock.set(new Date())
  await attestNewest(world.app)
  const newest = await newestCheckpoint(world.app.pool)
  const token = path.join(folder, 'token')
  const text = path.join(folder, 'text')
  writeFileSync(token, newest?.timestamp as Buffer)
  writeFileSync(text, readCheckpoint(newest?.note as string).text)
  const output = execFileSync(
    'openssl',
    ['ts', '-verify', '-token_in', '-in', token, '-data', text, '-CAfile', path.join(folder, 'tsa.crt')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  expect(output.toString()).toContain('Verification: OK')

  const replayed = readFileSync(path.join(folder, 'reply'))
  for (const wrong of [replayed, replayed.subarray(0, 50), Buffer.alloc(0), Buffer.alloc(100, 0x30), Buffer.alloc(80 * 1024)]) {
    await grow(world, 1)
    world.clock.advance(301_000)
    answer = () => ({ status: 200, body: wrong })
    await attestNewest(world.app)
    expect((await newestCheckpoint(world.app.pool))?.timestamp).toBeNull()
  }
  const flipped = (query: Buffer) => {
    const reply = Buffer.from(stamp(query))
    reply[reply.length - 5] = (reply[reply.length - 5] as number) ^ 1
    return reply
  }
  world.clock.advance(301_000)
  answer = (_path, query) => ({ status: 200, body: flipped(query) })
  await attestNewest(world.app)
  expect((await newestCheckpoint(world.app.pool))?.timestamp).toBeNull()
})
