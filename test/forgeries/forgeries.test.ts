import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram, skippedWithout } from '#test/support/pdf.ts'
import { checkOnPage } from '#test/support/verification-page.ts'
import { checkFile } from '../../cli/verify/check-file.ts'
import { conclusionOf } from '../../cli/verify/conclusion.ts'
import { readKeys } from '../../cli/verify/keys.ts'
import { type Install, openInstall } from './genuine.ts'
import { kinds } from './kinds.ts'
import { tryForgeries } from './try.ts'

/** `npm run test:forgeries` makes a thousand; here each kind is made at least once. */
const CASES = Number(process.env.FORGERIES ?? 20)
const SEED = Number(process.env.PROPERTY_SEED ?? 20250528)
/** A browser prints, and half of the forgeries are read page by page. */
const SLOW_MS = 120_000 + CASES * 1000

let folder: string
let install: Install
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'forgeries-'))
  install = await openInstall()
}, SLOW_MS)
afterAll(async () => {
  await install.close()
  await rm(folder, { recursive: true, force: true })
})

describe('verification', { timeout: SLOW_MS }, () => {
  it('accepts genuine documents on the page of their fingerprint, and pages from before signatures as unsigned', async () => {
    for (const { pdf, older, evidence, fingerprint } of install.documents) {
      const foundIn = async (bytes: Buffer) => (await checkOnPage(bytes, fingerprint, install.keys)).found
      expect([await foundIn(pdf), await foundIn(Buffer.from(evidence)), await foundIn(older)]).toEqual(['same', 'same', ''])
    }
  })

  it('accepts genuine documents, signed or from before signatures', async () => {
    const keys = { from: 'the service', list: readKeys(JSON.stringify({ keys: install.keys }), 'the service') }
    for (const { pdf, older, evidence, fingerprint, answers_loss } of install.documents) {
      const statusOf = async (bytes: Buffer, outside: object) =>
        conclusionOf((await checkFile(bytes, { fingerprint: null, keys: null, ask: null, ...outside })).checks)
      expect(await statusOf(pdf, { keys })).toMatchObject({ verdict: 'verified' })
      expect(await statusOf(pdf, { fingerprint })).toMatchObject({ verdict: 'verified' })
      expect(await statusOf(pdf, {})).toMatchObject({ verdict: 'unconfirmed', status: 10 })
      expect(await statusOf(older, { keys })).toMatchObject(answers_loss ? { status: 9 } : { verdict: 'verified' })
      expect(await statusOf(older, {})).toMatchObject(answers_loss ? { status: 9 } : { verdict: 'unconfirmed' })
      expect(await statusOf(Buffer.from(evidence), { fingerprint: fingerprint.slice(0, 16) })).toMatchObject({ verdict: 'verified' })
    }
  })

  it(`refuses forgeries of every kind, and so does poppler for those that it can detect${skippedWithout('pdfsig')}`, async () => {
    const { kinds: fared, faults } = await tryForgeries(install, CASES, SEED, hasProgram('pdfsig') ? folder : null)
    if (process.env.FORGERIES) console.table(Object.fromEntries(fared))
    expect(faults).toEqual([])
    expect([...fared.keys()].sort()).toEqual(Object.keys(kinds).sort())
  })
})
