import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { requestReport } from '#domain/reports/request.ts'
import { present, skipped } from '#test/domain/archive/files.ts'
import { type OwnPrinter, openOwnPrinter } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { hasProgram, skippedWithout } from '#test/support/pdf.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { checkFile } from '../../../../cli/verify/check-file.ts'
import { aroundOklahomaCity, importOklahoma } from '../oklahoma.ts'

const PAGES_MAX = 12
/** A page with fewer letters, including its footer, only has a line or two that spilled over. */
const PAGE_LETTERS_MIN = 600
/** Imports six yearly files of a state and prints two documents. */
const SLOW_MS = 120_000

describe.skipIf(!present)(`the document of 298 records${skipped}`, { timeout: SLOW_MS }, () => {
  let own: OwnPrinter
  let world: World
  const documents: Buffer[] = []

  beforeAll(async () => {
    own = await openOwnPrinter()
    world = await openWorld({ replace: { printer: own.printer } })
    await importOklahoma(world)
    const caller = await aCaller(world, await aTeam(world))
    for (const date_of_loss of [null, '1992-09-06']) {
      const { id } = (await requestReport(world.app, caller, { ...aroundOklahomaCity, date_of_loss }, null)).report
      await world.drain()
      const found = await reportPdf(world.app, caller, id)
      if (!('bytes' in found)) throw new Error('the document is not rendered')
      documents.push(found.bytes)
    }
  }, SLOW_MS)
  afterAll(async () => {
    await world?.close()
    await own.close()
  })

  it.skipIf(!hasProgram('pdftotext'))(`is short enough to read: at most ${PAGES_MAX} pages${skippedWithout('pdftotext')}`, async () => {
    for (const [at, bytes] of documents.entries()) {
      const file = path.join(own.folder, `${at}.pdf`)
      await writeFile(file, bytes)
      const text = execFileSync('pdftotext', ['-layout', file, '-']).toString()
      const pages = text.split('\f').slice(0, -1)
      expect(pages.length).toBeLessThanOrEqual(PAGES_MAX)
      for (const page of pages) expect(page.replace(/\s+/g, '').length).toBeGreaterThan(PAGE_LETTERS_MIN)
      expect(text.replace(/\s+/g, ' ')).toContain('The 60 nearest and strongest of 298 records are printed')
      for (const town of ['Midwest City', 'Del City', 'Nichols Hills', 'Spencer']) expect(text).toContain(town)
    }
    // The document with a date of loss lists the records of that day first.
    const text = execFileSync('pdftotext', ['-layout', path.join(own.folder, '1.pdf'), '-']).toString()
    const [first = '', second = ''] = text.split('\f')
    expect(first).toContain('A record counts for the local day of its own place')
    expect(second.trimStart()).toMatch(/^Three questions/)
    const listed = text.slice(text.indexOf('Cited records\n')).match(/^ +\d{4}-\d\d-\d\d(?=, .*CDT|; )/gm) ?? []
    expect(listed.slice(0, 5).map((date) => date.trim())).toEqual(Array.from({ length: 5 }, () => '1992-09-06'))
    expect(listed[5]?.trim()).not.toBe('1992-09-06')
  })

  it('agrees with its evidence, in the pages and in the attached table', async () => {
    for (const bytes of documents) {
      const { checks } = await checkFile(bytes, { fingerprint: null, keys: null, ask: null })
      expect(checks.filter(({ outcome }) => outcome === 'differs')).toEqual([])
      expect(checks.map(({ what, detail }) => `${what}: ${detail}`)).toContain(
        'records: records.csv contains the 298 records of the evidence',
      )
    }
  })
})
