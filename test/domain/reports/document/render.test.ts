import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openPrinter, type Printer } from '#domain/engines/printer.ts'
import { returnStarts } from '#domain/kernel/starts.ts'
import { openLink, reportPdf, reportPdfLink } from '#domain/reports/document-store/pdf.ts'
import { findReport } from '#domain/reports/find.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { browserSettings, type OwnPrinter, openOwnPrinter } from '#test/support/browser.ts'
import { MINUTE, SECOND } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { performer } from '#workers/perform.ts'
import { sweep } from '#workers/sweeper.ts'

const poppler = existsSync('/usr/bin/pdftotext')
let own: OwnPrinter
beforeAll(async () => {
  own = await openOwnPrinter()
})
afterAll(() => own.close())

/** A browser starts in one second on an idle machine, and in twenty on a busy one. */
const SLOW_MS = 60_000

const hostile = '<script>fetch("http://127.0.0.1:9/")</script><img src=x onerror=alert(1)> & "Acme" <iframe src="file:///etc/passwd">'

describe('the document of a report', { timeout: SLOW_MS }, () => {
  it('contains every figure of the report as text, with tags, language, title and its evidence', async () => {
    const { world, caller } = await install(own.printer)
    const id = await reported(world, caller, {
      recipient: hostile,
      layout: { sections: ['summary', 'findings', 'map', 'timeline', 'events', 'observations', 'warnings', 'methodology'] },
    })
    const found = await reportPdf(world.app, caller, id)
    if (!('bytes' in found)) throw new Error('not rendered')
    const { bytes } = found
    expect(bytes.length).toBeLessThan(1_000_000)
    const text = bytes.toString('latin1')
    expect(text).toContain('/StructTreeRoot')
    expect(text).toContain('/Lang')
    expect(text).toContain('/Outlines')
    expect(text).toContain('evidence.json')
    const report = await findReport(world.app, caller, id)
    expect(report.pdf).toEqual({ status: 'ready', rendered_at: expect.any(String) })
    if (!poppler) return
    const file = path.join(own.folder, 'report.pdf')
    writeFileSync(file, bytes)
    const printed = execFileSync('pdftotext', ['-raw', file, '-']).toString().replace(/\s+/g, ' ')
    const flat = printed.replace(/ /g, '')
    const holds = (value: string) => expect(flat, value).toContain(value.replace(/\s+/g, ''))
    holds(hostile)
    holds(report.fingerprint as string)
    for (const finding of report.findings ?? []) holds(finding.confidence_label)
    holds('Was there an event?')
    holds('SAMPLE, MADE UP')
    expect(printed).not.toMatch(/\b(proves|guarantee|certified|verified hail fell)\b/i)
  })

  it('is rendered once, announced once, linked for a quarter of an hour, and deleted with its report', async () => {
    const { world, caller } = await install()
    const id = await reported(world, caller)
    await world.drain()
    const events = await world.app.db.event.findMany({ orderBy: { created_at: 'asc' } })
    expect(events.map(({ name }) => name)).toEqual(['report.completed', 'report.pdf_ready'])
    const link = await reportPdfLink(world.app, caller, id)
    if (link.object !== 'download') throw new Error('not rendered')
    const token = link.url.split('/').at(-1) as string
    expect(await openLink(world.app, token)).toMatchObject({ filename: `weather-report-${id}.pdf` })
    await expect(openLink(world.app, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).rejects.toMatchObject({
      code: 'not_found',
    })
    world.clock.advance(15 * 60_000)
    await expect(openLink(world.app, token)).rejects.toMatchObject({ code: 'link_expired' })
    const fresh = await reportPdfLink(world.app, caller, id)
    await removeReport(world.app, caller, id)
    if (fresh.object !== 'download') throw new Error('not rendered')
    await expect(openLink(world.app, fresh.url.split('/').at(-1) as string)).rejects.toMatchObject({ code: 'not_found' })
    const { key } = (await world.app.db.document.findFirst()) ?? { key: null }
    expect(key).toBeNull()
  })

  it('is preparing at first, unavailable without a browser, and available once a browser is back', async () => {
    let lost = true
    const lazy: Printer = {
      ...own.printer,
      print: (...args) => (lost ? unavailable.print(...args) : own.printer.print(...args)),
      close: async () => {},
    }
    const unavailable = openPrinter(browserSettings({ browser_ws: 'ws://127.0.0.1:1/none', home: own.folder }), pino({ level: 'silent' }))
    const { world, caller } = await install(lazy)
    const { report } = await requestReport(world.app, caller, request(), null)
    await expect(reportPdf(world.app, caller, report.id)).rejects.toMatchObject({ code: 'report_not_ready' })
    await world.drain().catch(() => {})
    const attempts = async () => (await world.app.pool.query("SELECT FROM outbox WHERE name = 'report.render'")).rowCount
    const before = await attempts()
    for (const seconds of [61, 0, 0]) {
      world.clock.advance(seconds * SECOND)
      await expect(reportPdf(world.app, caller, report.id)).rejects.toMatchObject({
        code: 'engine_unavailable',
        details: { retry_after: 60 },
      })
    }
    expect(await attempts()).toBe((before ?? 0) + 1)
    lost = false
    await world.drain()
    expect(await reportPdf(world.app, caller, report.id)).toHaveProperty('bytes')
  })

  it('is printed only once an hour if its process died each time, until it succeeds; failing and stopping are not counted', async () => {
    let outcome: 'dies' | 'fails' | 'prints' = 'dies'
    let begun = () => {}
    const print: Printer['print'] = async (...args) => {
      begun()
      if (outcome === 'dies') await new Promise(() => {})
      if (outcome === 'fails') throw new Error('fails')
      return blankPrinter.print(...args)
    }
    const { world, caller } = await install({ ...blankPrinter, print })
    const { report } = await requestReport(world.app, caller, request(), null)
    const { pool } = world.app
    const starts = async () => (await pool.query('SELECT render_starts FROM reports WHERE id = $1', [report.id])).rows[0].render_starts
    const staged = async () => (await pool.query("SELECT FROM outbox WHERE name = 'report.render'")).rowCount
    const die = async (count: number) => {
      const printing = new Promise<void>((resolve) => (begun = resolve))
      void world.drain()
      await printing
      expect(await starts()).toBe(count)
    }
    await die(1)
    await returnStarts(world.app)
    expect(await starts()).toBe(0)
    await pool.query('UPDATE reports SET render_starts = 18')
    world.clock.advance(MINUTE + 1)
    await sweep(world.app)
    await die(19)
    outcome = 'fails'
    world.clock.advance(MINUTE + 1)
    await sweep(world.app)
    await expect(world.drain()).rejects.toThrow('fails')
    expect(await starts()).toBe(0)
    outcome = 'dies'
    await pool.query('UPDATE reports SET render_starts = 19')
    world.clock.advance(MINUTE + 1)
    await sweep(world.app)
    await die(20)
    outcome = 'prints'
    await performer(world.app)(
      { name: 'report.render', payload: { report_id: report.id }, id: '1', due_at: new Date(), restarted: true },
      false,
    )
    expect(await starts()).toBe(20)
    world.clock.advance(59 * MINUTE)
    await sweep(world.app)
    expect(await reportPdf(world.app, caller, report.id)).toMatchObject({ status: 'preparing' })
    expect(await staged()).toBe(0)
    world.clock.advance(MINUTE + 1)
    await sweep(world.app)
    await world.drain()
    expect(await starts()).toBe(0)
    expect((await findReport(world.app, caller, report.id)).pdf.status).toBe('ready')
  })

  it('is printed once a browser is back, without a request', async () => {
    let lost = true
    const unavailable = openPrinter(browserSettings({ browser_ws: 'ws://127.0.0.1:1/none', home: own.folder }), pino({ level: 'silent' }))
    const { world, caller } = await install({ ...blankPrinter, print: (...args) => (lost ? unavailable : blankPrinter).print(...args) })
    const { report } = await requestReport(world.app, caller, request(), null)
    await expect(world.drain()).rejects.toThrow('No browser')
    expect((await findReport(world.app, caller, report.id)).pdf).toEqual({ status: 'failed', rendered_at: null })
    lost = false
    world.clock.advance(10 * MINUTE)
    await sweep(world.app)
    await world.drain()
    expect((await findReport(world.app, caller, report.id)).pdf.status).toBe('failed')
    world.clock.advance(1)
    await sweep(world.app)
    await world.drain()
    expect((await findReport(world.app, caller, report.id)).pdf.status).toBe('ready')
  })
})

const request = (extra: object = {}) => ({
  address: sampleStorm.address,
  window_start: sampleStorm.window_start,
  window_end: sampleStorm.window_end,
  radius_miles: sampleStorm.radius_miles,
  ...extra,
})

async function install(replaced?: Printer): Promise<{ world: World; caller: Caller }> {
  const world = await openWorld(replaced ? { replace: { printer: replaced } } : {})
  await seedSample(world.app)
  return { world, caller: await aCaller(world, await aTeam(world)) }
}

async function reported(world: World, caller: Caller, extra: object = {}): Promise<string> {
  const { report } = await requestReport(world.app, caller, request(extra), null)
  await world.drain()
  return report.id
}
