import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { BadSettings, type Config } from '#domain/kernel/config.ts'
import { secretKey } from '#domain/kernel/secret-ring.ts'
import { sealDocument } from '#domain/reports/document/seal-document.ts'
import { readCertificateFile } from '#domain/reports/signing/certificate-file.ts'
import { type DocumentKey, signerName } from '#domain/reports/signing/document-key.ts'
import { rotateDocumentKey, signingKeys } from '#domain/reports/signing/keys.ts'
import { makeDocumentKey } from '#domain/reports/signing/make-certificate.ts'
import { publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { DAY } from '#test/support/clock.ts'
import { hasProgram, skippedWithout } from '#test/support/pdf.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** openssl dates its certificates by the clock of this machine. */
const NOW = new Date(Date.now() + 60_000)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'signing-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string) => path.join(folder, name)

describe('the document key of an install', () => {
  // A process warns once of each kind, so this test comes before the keys of the others.
  it('is created without warnings from this version of Node.js', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    await makeDocumentKey('Weather reports', NOW)
    await setImmediate()
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('is shared by all processes and starts, sealed at rest, and its public part is published', async () => {
    const world = await openWorld()
    const others = await Promise.all([1, 2, 3].map(() => openApp(world.app.config, { clock: world.clock })))
    const keys = await Promise.all([world.app, ...others].map((app) => signingKeys(app)))
    expect(new Set(keys.map(({ document }) => document.key_id)).size).toBe(1)
    const [{ document }] = keys as [Awaited<ReturnType<typeof signingKeys>>]
    const { keys: published } = await publishedKeys(world.app)
    expect(published).toMatchObject([
      { kid: document.key_id, kty: 'EC', crv: 'P-256', alg: 'ES256', purpose: 'document', retired_at: null },
    ])
    expect(published[0]).not.toHaveProperty('d')
    expect(new X509Certificate(Buffer.from(published[0]?.x5c?.[0] as string, 'base64')).checkPrivateKey(document.private_key)).toBe(true)
    const [row] = await world.app.db.signingKey.findMany()
    const pkcs8 = document.private_key.export({ format: 'der', type: 'pkcs8' })
    expect(Buffer.from(row?.sealed_private_key as Uint8Array).includes(pkcs8.subarray(-40))).toBe(false)
    await Promise.all(others.map(closeApp))
  })

  it('is created again under another WEATHER_SECRET_KEY, and the earlier one stays published', async () => {
    const world = await openWorld()
    const before = (await signingKeys(world.app)).document.key_id
    const later = await reopened(world, { secret_keys: [secretKey(null, randomBytes(32))] })
    world.clock.advance(1000)
    const after = (await signingKeys(later)).document.key_id
    expect(after).not.toBe(before)
    const { keys } = await publishedKeys(later)
    expect(keys.map(({ kid, retired_at }) => [kid, retired_at === null])).toEqual([
      [after, true],
      [before, false],
    ])
    await closeApp(later)
  })

  it('can be rotated: every process signs with the new key, the old one stays published, and its private part is deleted', async () => {
    const world = await openWorld()
    const other = await openApp(world.app.config, { clock: world.clock })
    const before = (await signingKeys(other)).document.key_id
    // The clock of the process that rotates may be behind the clock of the one that created the first key.
    const behind = { ...world.app, clock: { ...world.clock, now: () => new Date(world.clock.now().getTime() - 60_000) } }
    const { key_id, retired } = await rotateDocumentKey(behind)
    expect(retired).toBe(before)
    for (const app of [world.app, other]) expect((await signingKeys(app)).document.key_id).toBe(key_id)
    const { keys } = await publishedKeys(world.app)
    expect(keys.map(({ kid, retired_at }) => [kid, retired_at === null])).toEqual([
      [key_id, true],
      [before, false],
    ])
    const rows = await world.app.db.signingKey.findMany()
    expect(rows.filter(({ sealed_private_key }) => sealed_private_key).map(({ id }) => id)).toEqual([key_id])
    await closeApp(other)
  })

  it('is not rotated if the operator’s certificate signs', async () => {
    const world = await openWorld()
    await writeFile(at('held.pem'), selfSigned('held', 'rsa:2048'))
    world.clock.set(NOW)
    const withOwn = await reopened(world, { certificate: at('held.pem') })
    const { key_id } = (await signingKeys(withOwn)).document
    await expect(rotateDocumentKey(world.app)).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await publishedKeys(world.app)).keys).toMatchObject([{ kid: key_id, retired_at: null }])
    await closeApp(withOwn)
  })

  it('is read again from the operator’s file once its certificate has expired', async () => {
    const world = await openWorld()
    await writeFile(at('expiring.pem'), selfSigned('expiring', 'rsa:2048'))
    world.clock.set(NOW)
    const withOwn = await reopened(world, { certificate: at('expiring.pem') })
    const { key_id } = (await signingKeys(withOwn)).document
    world.clock.set(new Date(NOW.getTime() + 3651 * DAY))
    await expect(signingKeys(withOwn)).rejects.toThrow(/WEATHER_CERTIFICATE contains a certificate that expired on 20\d\d-/)
    await writeFile(at('expiring.pem'), selfSigned('renewed', 'rsa:2048', 7300))
    expect((await signingKeys(withOwn)).document.key_id).not.toBe(key_id)
    await closeApp(withOwn)
  })

  it('is replaced by the operator’s certificate and used again without it; a fingerprint key works the same way', async () => {
    const world = await openWorld()
    const made = (await signingKeys(world.app)).document.key_id
    await writeFile(at('own.pem'), selfSigned('own', 'rsa:2048'))
    // openssl dates its certificates by the clock of this machine.
    world.clock.advance(60_000)
    const { privateKey: signing_key } = generateKeyPairSync('ed25519')
    const withOwn = await reopened(world, { certificate: at('own.pem'), signing_key })
    const own = (await signingKeys(withOwn)).document.key_id
    const current = async () => (await publishedKeys(world.app)).keys.filter(({ retired_at }) => retired_at === null)
    expect((await current()).map(({ kid, alg }) => [kid === own, alg]).sort()).toEqual([
      [false, 'EdDSA'],
      [true, 'RS256'],
    ])
    const without = await reopened(world, {})
    expect((await signingKeys(without)).document.key_id).toBe(made)
    expect((await current()).map(({ kid }) => kid)).toEqual([made])
    expect((await publishedKeys(world.app)).keys).toHaveLength(3)
    await Promise.all([withOwn, without].map(closeApp))
  })

  it('stops the start and names the setting if the operator’s certificate cannot be used', async () => {
    const world = await openWorld()
    const lost = await reopened(world, { certificate: at('nowhere.pem') })
    await expect(signingKeys(lost)).rejects.toThrow('WEATHER_CERTIFICATE cannot be read: ENOENT')
    await expect(signingKeys(lost)).rejects.toBeInstanceOf(BadSettings)
    await closeApp(lost)
  })
})

describe(`a certificate file${skippedWithout('openssl')}`, () => {
  if (!hasProgram('openssl')) return

  it.each(['rsa:2048', 'ec:prime256v1', 'ec:secp384r1'])('of %s signs documents, and poppler finds every byte valid', async (kind) => {
    const pem = selfSigned(kind.replace(':', '-'), kind)
    const key = await readCertificateFile(Buffer.from(pem), null, NOW)
    const pdf = await aSignedDocument(key)
    if (!hasProgram('pdfsig')) return
    await writeFile(at('signed.pdf'), pdf)
    const output = execFileSync('pdfsig', ['-nocert', at('signed.pdf')]).toString()
    expect(output).toContain('Signature is Valid')
    expect(output).toContain('Total document signed')
    expect(output).toContain('ETSI.CAdES.detached')
    expect(output).toContain(`Common Name: ${signerName(key)}`)
  })

  it('is read from PKCS #12 with its chain, only with its password', async () => {
    const { pem, key, chain } = issued('leaf')
    openssl('pkcs12', '-export', '-out', at('leaf.p12'), '-inkey', key, '-in', pem, '-certfile', chain, '-passout', 'pass:söme words')
    const bytes = await readFile(at('leaf.p12'))
    const read = await readCertificateFile(bytes, 'söme words', NOW)
    expect(read.certificates.map(({ subject }) => subject)).toEqual(['CN=leaf', 'CN=authority'])
    await expect(readCertificateFile(bytes, 'other', NOW)).rejects.toThrow('WEATHER_CERTIFICATE_PASSWORD')
    await expect(readCertificateFile(bytes, null, NOW)).rejects.toThrow('WEATHER_CERTIFICATE_PASSWORD')
    expect((await aSignedDocument(read)).length).toBeGreaterThan(1000)
  })

  it('is refused with the reason and without its content', async () => {
    const good = selfSigned('good', 'rsa:2048')
    const [certificate] = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n/.exec(good) as RegExpExecArray
    const key = good.replace(certificate, '')
    const short = selfSigned('short', 'rsa:1024')
    const locked = openssl('pkey', '-in', at('good.key'), '-aes256', '-passout', 'pass:words').toString()
    const faultOf = (text: string | Buffer, password: string | null = null, now = NOW) =>
      readCertificateFile(Buffer.from(text), password, now).then(
        () => null,
        ({ message }) => message,
      )
    expect(await faultOf(good)).toBeNull()
    expect(await faultOf(certificate)).toBe('contains no private key')
    expect(await faultOf(key)).toBe('contains no certificate for its private key')
    expect(await faultOf(short)).toContain('RSA of 2048 bits or more')
    expect(await faultOf(good, null, new Date('2046-01-01'))).toMatch(/^contains a certificate that expired on 20\d\d-/)
    expect(await faultOf(good, null, new Date('2020-01-01'))).toMatch(/^contains a certificate that is valid only from 20\d\d-/)
    expect(await faultOf(certificate + locked)).toContain('does not open with WEATHER_CERTIFICATE_PASSWORD')
    expect(await faultOf(certificate + locked, 'words')).toBeNull()
    expect(await faultOf('nonsense')).toContain('is neither PEM nor PKCS #12')
    expect(await faultOf(`${certificate.slice(0, 100)}\n-----END CERTIFICATE-----\n${key}`)).toBe(
      'contains a certificate that cannot be read',
    )
  })
})

/** A process of the same install with these settings, before it opens its keys. */
const reopened = (world: World, settings: Partial<Config>): Promise<App> =>
  openApp({ ...world.app.config, ...settings }, { clock: world.clock })

async function aSignedDocument(key: DocumentKey): Promise<Buffer> {
  const sheet = { format: 'Letter', footer: '', margin: { top: '0', right: '0', bottom: '0', left: '0' } } as const
  const attached = {
    title: 'Weather report',
    fingerprint: '0'.repeat(64),
    methodology_version: null,
    evidence: '{}',
    at: NOW,
    signature: null,
    attachments: [],
  }
  return sealDocument(await blankPrinter.print('', sheet), attached, key, NOW)
}

const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'pipe'] })

/** A self-signed certificate and its key, as PEM. @param kind rsa:BITS or ec:CURVE */
function selfSigned(name: string, kind: string, days = 3650): string {
  const [type, of] = kind.split(':') as [string, string]
  const newkey = type === 'rsa' ? ['-newkey', `rsa:${of}`] : ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${of}`]
  const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)]
  openssl('req', '-x509', ...newkey, '-nodes', '-days', String(days), '-subj', `/CN=${name}`, ...files)
  return execFileSync('cat', [at(`${name}.crt`), at(`${name}.key`)]).toString()
}

/** A certificate issued by its own authority. */
function issued(name: string): { pem: string; key: string; chain: string } {
  selfSigned('authority', 'ec:prime256v1')
  openssl('req', '-new', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`))
  const issuer = ['-CA', at('authority.crt'), '-CAkey', at('authority.key'), '-CAcreateserial']
  openssl('x509', '-req', '-in', at(`${name}.csr`), ...issuer, '-days', '3000', '-out', at(`${name}.crt`))
  return { pem: at(`${name}.crt`), key: at(`${name}.key`), chain: at('authority.crt') }
}
