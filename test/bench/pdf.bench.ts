import assert from 'node:assert'
import { openLog } from '#domain/engines/log.ts'
import { openPrinter, type Printer, type Sheet } from '#domain/engines/printer.ts'
import { documentStyle } from '#domain/reports/document/style.ts'
import { browserSettings } from '#test/support/browser.ts'
import type { Arm, Bed, Reach } from './frame.ts'

export const claim = 'A document prints on a page that is kept warm, in a fraction of what a browser started for it takes'

/** Paragraphs: one page, and ten pages. */
export const sizes = { small: [5, 50], full: [5, 50] } as const

interface Stage {
  html: string
  warm: Printer
  cold(): Printer
}

const sheet: Sheet = {
  format: 'Letter',
  footer: '<span class="pageNumber"></span>',
  margin: { top: '14mm', right: '14mm', bottom: '20mm', left: '14mm' },
}

export async function setup(bed: Bed): Promise<Stage> {
  const cold = () => openPrinter(browserSettings({ home: bed.folder }), openLog('silent'))
  const warm = cold()
  bed.closing(() => warm.close())
  const paragraphs = Array.from(
    { length: bed.size },
    (_, n) => `<h2>Section ${n}</h2><p>${'Hail up to 1.75 in was reported. '.repeat(12)}</p>`,
  ).join('')
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench</title><style>${documentStyle()}</style></head><body>${paragraphs}</body></html>`
  return { html, warm, cold }
}

export const arms: Arm<Stage>[] = [
  {
    name: 'warm page',
    operations: 5,
    async run({ warm, html }) {
      await warm.print(html, sheet)
    },
  },
  {
    name: 'a browser of its own',
    peer: true,
    operations: 5,
    async run({ cold, html }) {
      const printer = cold()
      await printer.print(html, sheet)
      await printer.close()
    },
  },
]

export const reach: Reach[] = [{ arm: 'warm page', peer: 'a browser of its own', ratio_at_most: 0.3 }]

/** Both print the same pages; only the times and ids in a file differ. */
export async function check({ warm, cold, html }: Stage): Promise<void> {
  const fresh = cold()
  const pages = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length
  const [one, other] = [await warm.print(html, sheet), await fresh.print(html, sheet)]
  await fresh.close()
  assert.ok(pages(one))
  assert.equal(pages(one), pages(other))
}
