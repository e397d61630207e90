import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserStart, openPrinter, type Printer } from '#domain/engines/printer.ts'
import { browserSettings, notedBrowser } from '#test/support/browser.ts'
import { pngOf } from '#test/support/pictures.ts'

const sheet = {
  format: 'Letter' as const,
  footer: '<span class="pageNumber"></span>',
  margin: { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' },
}
const page = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A document</title></head><body>${body}</body></html>`
const log = pino({ level: 'silent' })

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** A process that has exited and waits to be reaped, which may take long in a container, no longer runs. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

let home: string
let printer: Printer
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'printer-'))
  printer = openPrinter(browserSettings({ home }), log)
})
afterAll(async () => {
  await printer.close()
  await rm(home, { recursive: true, force: true })
})

describe('the printer', () => {
  it('prints a tagged document, and the next one on the same page without a trace of the first', async () => {
    const first = await printer.print(page('<h1>First</h1>'), sheet)
    const second = await printer.print(page('<h1>Second</h1>'), sheet)
    expect(first.subarray(0, 5).toString()).toBe('%PDF-')
    expect(second.toString('latin1')).toContain('/StructTreeRoot')
    expect(second.toString('latin1')).toContain('/Lang')
  })

  it('does not retain a document that it has printed', async () => {
    const printed = new WeakRef(await printer.print(page('<h1>Gone</h1>'), sheet))
    await setTimeout(100)
    collectGarbage()
    expect(printed.deref()).toBeUndefined()
  })

  it('opens no connection, whatever the document contains', async () => {
    let connections = 0
    const listener = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    const { port } = listener.address() as { port: number }
    const at = `http://127.0.0.1:${port}`
    const hostile = `<meta http-equiv="refresh" content="0;url=${at}/refresh"><link rel="prefetch" href="${at}/prefetch"><link rel="preconnect" href="${at}">
      <link rel="dns-prefetch" href="${at}"><link rel="stylesheet" href="${at}/style"><script src="${at}/script"></script><script>fetch('${at}/inline')</script>
      <img src="${at}/image" srcset="${at}/set 2x"><iframe src="${at}/frame"></iframe><iframe src="file:///etc/passwd"></iframe><object data="${at}/object"></object>
      <embed src="${at}/embed"><video src="${at}/video" poster="${at}/poster"></video><svg><image href="${at}/svg"/><use href="${at}/use#a"/></svg>
      <style>@import url(${at}/import); body { background: url(${at}/background) } @font-face { font-family: x; src: url(${at}/font) } p { font-family: x }</style><p>text</p>
      <form action="${at}/form"><button autofocus>go</button></form><a ping="${at}/ping" href="${at}/">link</a>`
    const bytes = await printer.print(page(hostile), sheet)
    expect(bytes.length).toBeGreaterThan(1000)
    await new Promise((done) => listener.close(done))
    expect(connections).toBe(0)
  })

  it('prints twenty documents at once', async () => {
    const printed = await Promise.all(Array.from({ length: 20 }, (_, i) => printer.print(page(`<p>${i}</p>`), sheet)))
    expect(printed.every((bytes) => bytes.subarray(0, 5).toString() === '%PDF-')).toBe(true)
  })

  it('reprints on a new browser if a browser is killed while printing', async () => {
    const noted = await notedBrowser(home)
    const survivor = openPrinter(browserSettings({ browser_path: noted.program, home }), log)
    const starts: BrowserStart[] = []
    survivor.onStart((start) => starts.push(start))
    await survivor.print(page('warm'), sheet)
    const long = page(Array.from({ length: 1_000 }, (_, n) => `<p>Paragraph ${n}</p>`).join(''))
    const printing = Promise.all([survivor.print(long, sheet), survivor.print(long, sheet)])
    const [first] = await noted.started()
    process.kill(first as number, 'SIGKILL')
    const printed = await printing
    expect(printed.map((bytes) => bytes.length > 100_000)).toEqual([true, true])
    expect(await noted.started()).toHaveLength(2)
    expect(starts).toMatchObject([{ confinement: {} }, { confinement: {} }])
    await survivor.close()
    // A page that was opening in the killed browser would otherwise take half a minute to time out.
  })

  it('kills every process of a stalled browser and reprints on a new one', async () => {
    const noted = await notedBrowser(await mkdtemp(path.join(home, 'still-')))
    const limited = openPrinter(browserSettings({ browser_path: noted.program, home }), log, 5_000)
    await limited.print(page('warm'), sheet)
    const [still] = (await noted.started()) as [number]
    process.kill(-still, 'SIGSTOP')
    const printed = await Promise.all([limited.print(page('<h1>One</h1>'), sheet), limited.print(page('<h1>Two</h1>'), sheet)])
    expect(printed.map((bytes) => bytes.subarray(0, 5).toString())).toEqual(['%PDF-', '%PDF-'])
    expect(await noted.started()).toHaveLength(2)
    expect(runs(still)).toBe(false)
    await limited.close()
  })

  it('stops a page that takes too much memory and prints the next document', async () => {
    const little = openPrinter(browserSettings({ home, browser_memory_mb: 1024 }), log)
    await little.print(page('warm'), sheet)
    // Half a megabyte as a file, and 1.9 GB when decoded.
    const eats = page(`<img src="data:image/png;base64,${pngOf(22_000, 22_000).toString('base64')}">`)
    await expect(little.print(eats, sheet)).rejects.toThrow()
    expect((await little.print(page('next'), sheet)).subarray(0, 5).toString()).toBe('%PDF-')
    await little.close()
  })

  it('leaves no browser behind when its process is killed', async () => {
    const program = `
      import { openBrowser } from '#domain/engines/browser.ts'
      import { browserSettings } from '#test/support/browser.ts'
      const { pid } = await openBrowser(browserSettings({ home: ${JSON.stringify(home)} }))
      console.log(pid)
    `
    const owner = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = (await once(owner.stdout, 'data')) as [Buffer]
    owner.kill('SIGKILL')
    await expect.poll(() => runs(Number(output.toString()))).toBe(false)
  })

  it('reports that no browser could be started', async () => {
    const lost = openPrinter(browserSettings({ browser_ws: 'ws://127.0.0.1:1/none', home }), log)
    const starts: BrowserStart[] = []
    lost.onStart((start) => starts.push(start))
    await expect(lost.print(page('x'), sheet)).rejects.toThrow('No browser could be started')
    expect(starts).toMatchObject([{ fault: {} }])
    await lost.close()
  })
})
