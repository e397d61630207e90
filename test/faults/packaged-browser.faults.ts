import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packagedBrowser } from '#domain/engines/packaged-browser.ts'
import { openPrinter } from '#domain/engines/printer.ts'
import { browserSettings } from '#test/support/browser.ts'
import { structureOf } from '#test/support/pdf.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'packaged-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runs = process.platform === 'linux' && process.arch === 'x64'

it.skipIf(!runs)(
  `a machine without a browser prints with the packaged one${runs ? '' : ' (skipped: not Linux on x64)'}`,
  {
    timeout: 120_000,
  },
  async () => {
    const before = { ...process.env }
    const [one, other] = await Promise.all([packagedBrowser(folder), packagedBrowser(folder)])
    expect(one).toEqual(other)
    expect(process.env).toEqual(before)
    expect((await readdir(path.join(folder, 'browser'))).filter((name) => name.startsWith('draft'))).toEqual([])
    const program = path.join(folder, 'program')
    const set = Object.entries(one.env).map(([name, value]) => `export ${name}='${value}'\n`)
    await writeFile(program, `#!/bin/sh\n${set.join('')}exec '${one.executablePath}' "$@"\n`)
    await chmod(program, 0o755)
    const printer = openPrinter(browserSettings({ browser_path: program, home: folder }), pino({ level: 'silent' }))
    const page =
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Title</title></head><body><h1>Hail</h1><code>0f</code></body></html>'
    const sheet = {
      format: 'Letter' as const,
      footer: '<span class="pageNumber"></span>',
      margin: { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' },
    }
    // Two at once: a browser with a single process cannot have a second page.
    const printed = await Promise.all([printer.print(page, sheet), printer.print(page, sheet)])
    await printer.close()
    for (const bytes of printed) {
      const structure = await structureOf(bytes)
      expect(structure).toMatchObject({ has_tags: true, draws_text: true, fonts_outside: [] })
      expect(structure.fonts).toBeGreaterThan(0)
    }
  },
)
