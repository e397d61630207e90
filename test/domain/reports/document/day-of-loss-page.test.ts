import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { type OwnPrinter, openOwnPrinter } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { faultsOf, flat, hasProgram, skippedWithout, textsOf, wordsOf } from '#test/support/pdf.ts'
import { openWorld } from '#test/support/world.ts'
import { plantStorms, stormyPlace } from '../storms.ts'

let own: OwnPrinter
beforeAll(async () => {
  own = await openOwnPrinter()
})
afterAll(() => own.close())

it.skipIf(!hasProgram('pdftotext'))(`page one answers for the date of loss in full${skippedWithout('pdftotext')}`, async () => {
  const world = await openWorld({ replace: { printer: own.printer } })
  try {
    await plantStorms(world, 60)
    const caller = await aCaller(world, await aTeam(world))
    const { years: _, ...place } = stormyPlace
    const window = { ...place, window_start: '2022-01-01', window_end: '2024-12-31' }
    const first = (await requestReport(world.app, caller, window, null)).report.id
    await world.drain()
    const date = (await findReport(world.app, caller, first)).findings?.[0]?.dates[0] as string
    const { id } = (await requestReport(world.app, caller, { ...window, date_of_loss: date }, null)).report
    await world.drain()
    const report = await findReport(world.app, caller, id)
    const found = await reportPdf(world.app, caller, id)
    if (!('bytes' in found)) throw new Error('the document is not rendered')
    const file = path.join(own.folder, 'loss.pdf')
    await writeFile(file, found.bytes)
    const [page = ''] = textsOf(file)
    const [boxes] = wordsOf(file)
    expect(boxes && faultsOf(boxes)).toEqual([])
    expect(page).toContain(flat(`The date of loss: ${date}`))
    expect(page).toContain(flat(report.day_of_loss?.statement as string))
    for (const day of report.days ?? []) expect(page).toContain(flat(day.date))
    expect(report.days?.length).toBeGreaterThan(5)
    expect(page).not.toContain(flat('Three questions'))
  } finally {
    await world.close()
  }
})
