import type { HTTPRequest, Page, PDFOptions } from 'puppeteer-core'
import { type BrowserSettings, type OpenBrowser, openBrowser } from '#domain/engines/browser.ts'
import type { Confinement } from '#domain/engines/browser-confinement.ts'
import { limitMemory } from '#domain/engines/browser-memory.ts'
import type { Log } from '#domain/engines/log.ts'

/** Prints the service's documents in a browser without network access. */
export interface Printer {
  /**
   * @param html a whole document; it contains all its assets as data: URLs.
   * @throws BrowserUnavailable if no browser can be started or it died; a later call starts a new one.
   */
  print(html: string, sheet: Sheet): Promise<Buffer>
  /**
   * Starts the browser before its first document.
   * @returns its confinement; null if it runs elsewhere
   * @throws BrowserUnavailable
   */
  start(): Promise<Confinement | null>
  /** Calls `observe` each time that a browser starts or cannot be started: one that died is started again for the next document. */
  onStart(observe: (start: BrowserStart) => void): void
  close(): Promise<void>
}

/** How the browser that started is confined, null if it runs elsewhere; or why none started. */
export type BrowserStart = { confinement: Confinement | null } | { fault: Error }

/** Paper format, margins and footer. The footer is an HTML template with the classes pageNumber and totalPages. */
export interface Sheet {
  format: 'Letter' | 'A4'
  footer: string
  margin: { top: string; right: string; bottom: string; left: string }
}

/** No browser is available: an outage of the service, never the caller's fault. */
export class BrowserUnavailable extends Error {}

class BrowserDied extends BrowserUnavailable {}
const STOPPED = 'The browser stopped while it rendered the document.'

/** Pages kept warm: printing is CPU-bound, and more than two would only share the CPU. */
const WARM_PAGES = 2
/** A 400-record report prints in about 5 s on a slow core; printing times out after this. */
const PRINT_DEADLINE_MS = 60_000
/** Opening and closing a page takes milliseconds. */
const PAGE_DEADLINE_MS = 15_000
/** Some thirty times the size of a document with 400 records. */
const DOCUMENT_MAX_BYTES = 128 * 1024 * 1024
/** A page is replaced after this many documents, so that the browser's memory does not grow without limit. */
const DOCUMENTS_PER_PAGE = 50
/** The document's URL: a name that never resolves (RFC 2606), served from memory. */
const DOCUMENT_URL = 'http://document.invalid/'
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface WarmPage {
  opened: OpenBrowser
  page: Page
  /** Never resolves; rejects when the page's process ends. */
  crashed: Promise<never>
  printed: number
  document: string | null
}

/** @param print_deadline_ms shorter in tests of a hanging browser */
export function openPrinter(config: BrowserSettings, log: Log, print_deadline_ms = PRINT_DEADLINE_MS): Printer {
  const idle: WarmPage[] = []
  const { running, forget, onStart } = oneBrowser(config, log, () => {
    idle.length = 0
  })
  const waiting: (() => void)[] = []
  let busyPages = 0

  async function acquirePage(): Promise<WarmPage> {
    while (busyPages >= WARM_PAGES) await new Promise<void>((resolve) => waiting.push(resolve))
    busyPages++
    try {
      const opened = await running()
      const warm = idle.pop()
      if (warm && !warm.page.isClosed()) return warm
      return await withDeadline(opened, PAGE_DEADLINE_MS, isolatedPage(opened)).catch((fault) => throwFrom(opened, fault))
    } catch (fault) {
      release()
      throw fault
    }
  }

  function release() {
    busyPages--
    waiting.shift()?.()
  }

  async function printOnce(html: string, sheet: Sheet): Promise<Buffer> {
    const warm = await acquirePage()
    const endWatch = watchMemory(warm.opened)
    try {
      const printing = printOn(warm, html, sheet)
      // `crashed` outlives the race and would keep its result in memory: race without a result, so that no document is kept.
      const ended = Promise.race([printing.then(() => {}), warm.crashed])
      const bytes = await withDeadline(
        warm.opened,
        print_deadline_ms,
        ended.then(() => printing),
      )
      if (warm.printed < DOCUMENTS_PER_PAGE) idle.push(warm)
      else await discard(warm)
      return bytes
    } catch (fault) {
      await discard(warm)
      return throwFrom(warm.opened, fault)
    } finally {
      endWatch()
      release()
    }
  }

  function watchMemory({ pid }: OpenBrowser): () => void {
    if (pid === null) return () => {}
    return limitMemory(pid, config.browser_memory_mb, (mb) =>
      log.warn({ mb }, 'the browser used too much memory: its largest process was killed'),
    )
  }

  return {
    start: async () => (await running()).confinement,
    // A browser that died took its other documents with it: each is printed once more, in a new browser.
    print: (html, sheet) =>
      printOnce(html, sheet).catch((fault) => {
        if (!(fault instanceof BrowserDied)) throw fault
        log.warn('the browser stopped; the document is printed again on a new one')
        return printOnce(html, sheet)
      }),
    onStart,
    close: forget,
  }
}

/** Manages the single browser: starts it when first needed, and again when it is gone. Calls `onRelease` when it is released. */
function oneBrowser(config: BrowserSettings, log: Log, onRelease: () => void) {
  let browser: Promise<OpenBrowser> | null = null
  const observers: ((start: BrowserStart) => void)[] = []

  function launch(): Promise<OpenBrowser> {
    const opening = openBrowser(config)
    const report = (start: BrowserStart) => {
      for (const observe of observers) observe(start)
    }
    opening.then(
      ({ confinement }) => report({ confinement }),
      (fault) => report({ fault }),
    )
    return opening
  }

  async function running(): Promise<OpenBrowser> {
    browser ??= launch()
    const opening = browser
    const opened = await opening.catch((fault) => {
      if (browser === opening) browser = null
      log.error({ err: fault }, 'no browser could be started to print documents')
      throw new BrowserUnavailable('No browser could be started to render the document.', { cause: fault })
    })
    if (opened.browser.connected) return opened
    if (browser === opening) await forget()
    return running()
  }

  async function forget() {
    const closing = browser
    browser = null
    onRelease()
    await closing?.then((opened) => opened.close()).catch(() => {})
  }

  return { running, forget, onStart: (observe: (start: BrowserStart) => void) => void observers.push(observe) }
}

/** Opens an isolated page. Four layers: no scripts, every request handled here, no network, and a policy that loads nothing. */
async function isolatedPage(opened: OpenBrowser): Promise<WarmPage> {
  const context = await opened.browser.createBrowserContext()
  const page = await context.newPage()
  const crashed = new Promise<never>((_, reject) => {
    page.once('error', () =>
      reject(new Error('The page stopped while it rendered the document, usually because it reached its memory limit.')),
    )
  })
  crashed.catch(() => {})
  const warm: WarmPage = { opened, page, crashed, printed: 0, document: null }
  await page.setJavaScriptEnabled(false)
  await page.setRequestInterception(true)
  page.on('request', (request) => handleRequest(request, warm))
  await page.setOfflineMode(true)
  return warm
}

function throwFrom({ browser }: OpenBrowser, fault: unknown): never {
  throw browser.connected ? fault : new BrowserDied(STOPPED)
}

/** Closes a page with its context, which closing the page alone would leave behind. A browser that died has lost both. */
const discard = ({ opened, page }: WarmPage) => withDeadline(opened, PAGE_DEADLINE_MS, page.browserContext().close()).catch(() => {})

/**
 * Waits for work of a browser. At the deadline a hanging browser is killed and the work fails. The work also fails when the browser
 * exits: otherwise a page that was being opened would wait half a minute.
 */
async function withDeadline<Result>(opened: OpenBrowser, within_ms: number, work: Promise<Result>): Promise<Result> {
  const { browser } = opened
  const timer = setTimeout(() => opened.end(), within_ms)
  let onDisconnected = () => {}
  const disconnected = new Promise<never>((_, reject) => {
    onDisconnected = () => reject(new BrowserDied(STOPPED))
  })
  // Not `once`: `off` does not find its listener, so each document would stay in memory as long as the browser.
  browser.on('disconnected', onDisconnected)
  if (!browser.connected) onDisconnected()
  return Promise.race([work, disconnected]).finally(() => {
    clearTimeout(timer)
    browser.off('disconnected', onDisconnected)
  })
}

function handleRequest(request: HTTPRequest, { document }: WarmPage) {
  const handled = respondTo(request, document)
  // The page may close while one of its requests is still being handled.
  handled.catch(() => {})
}

function respondTo(request: HTTPRequest, document: string | null): Promise<void> {
  if (!request.isNavigationRequest()) return request.abort('blockedbyclient')
  const isDocument = request.url() === DOCUMENT_URL && request.frame()?.parentFrame() === null && document !== null
  if (isDocument)
    return request.respond({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': POLICY },
      body: document,
    })
  // 204 keeps the current page; an aborted refresh would show an error page.
  return request.respond({ status: 204 })
}

async function printOn(warm: WarmPage, html: string, sheet: Sheet): Promise<Buffer> {
  warm.document = html
  warm.printed++
  await warm.page.goto(DOCUMENT_URL, { waitUntil: 'load', timeout: 0 })
  const bytes = await readDocument(await warm.page.createPDFStream(pdfOptions(sheet)))
  warm.document = null
  await warm.page.goto('about:blank')
  return bytes
}

async function readDocument(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > DOCUMENT_MAX_BYTES) throw new Error(`The document has more than ${DOCUMENT_MAX_BYTES / 1024 / 1024} MB.`)
  }
  return Buffer.concat(pieces)
}

function pdfOptions({ format, footer, margin }: Sheet): PDFOptions {
  return {
    format,
    margin,
    printBackground: true,
    displayHeaderFooter: true,
    headerTemplate: '<span></span>',
    footerTemplate: footer,
    tagged: true,
    outline: true,
    timeout: 0,
  }
}
