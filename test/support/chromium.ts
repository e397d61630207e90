import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type HTTPRequest, type Page } from 'puppeteer-core'
import { onTestFinished } from 'vitest'

const ofTheMachine = (programs: string[]) => [process.env.PUPPETEER_EXECUTABLE_PATH, ...programs].find((one) => one && existsSync(one))
const WITH_A_WINDOW = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** The browser of this machine; undefined if there is none. The headless shell does the same with a quarter less work. */
export const chromium = ofTheMachine(['/usr/bin/chromium-headless-shell', ...WITH_A_WINDOW])

/** A browser that can also show documents. */
export const documentReader = ofTheMachine(WITH_A_WINDOW)

/** Maps need WebGL. Without a graphics card the processor draws it; the processor draws and composes everything else faster without it. */
export const launchChromium = (program = chromium): Promise<Browser> =>
  puppeteer.launch({
    executablePath: String(program),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--enable-unsafe-swiftshader',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--disable-gpu-rasterization',
      '--disable-gpu-compositing',
    ],
  })

/**
 * Decides on every request of a page; the returned function ends it. The end of the test ends it too: a test that fails must not fail
 * those after it.
 */
export async function interceptRequests(page: Page, decide: (request: HTTPRequest) => unknown): Promise<() => Promise<void>> {
  await page.setRequestInterception(true)
  page.on('request', decide)
  const end = async () => {
    page.off('request', decide)
    // The page may be closed by then.
    await page.setRequestInterception(false).catch(() => {})
  }
  onTestFinished(end)
  return end
}

/** Names folders for saving pictures of the pages for people to look at. */
const PICTURES = ['CONSOLE_PICTURES', 'MAP_PICTURES']
const savesPictures = PICTURES.some((name) => process.env[name])

/**
 * Sets the screen size of a page, in CSS pixels. Drawing takes processor time by the pixel and by the frame. If no
 * pictures are saved, the screen has half as many pixels in each direction, and from the next address on there are ten frames
 * a second and maps stay unpainted: they load, move and find what is under the pointer as ever, but no pixel is coloured.
 */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  if (!slowed.has(page)) {
    await page.evaluateOnNewDocument(drawSeldom, FRAME_MS)
    if (!savesPictures) await page.evaluateOnNewDocument(paintNothing)
  }
  slowed.add(page)
  await page.setViewport({ width, height, deviceScaleFactor: savesPictures ? 1 : 0.5 })
}

/** Paints the maps of a page from their next frame on, or no longer: for a test that looks at their colours. */
export const paintMaps = (page: Page, painted = true) => page.evaluate((painted) => Object.assign(window, { painted }), painted)

/** Runs in a page. A browser may have no WebGL. */
function paintNothing(): void {
  if (typeof WebGL2RenderingContext === 'undefined') return
  const paint = WebGL2RenderingContext.prototype.drawElements
  WebGL2RenderingContext.prototype.drawElements = function (...shapes) {
    if ('painted' in window && window.painted) paint.apply(this, shapes)
  }
}

/** The processor takes half as long to draw one frame of a map: sixty a second would leave it no time for anything else. */
const FRAME_MS = 100
const slowed = new WeakSet<Page>()

/** Runs in a page: an animation frame is served once the last one is this long ago. */
function drawSeldom(every_ms: number): void {
  const frame = window.requestAnimationFrame.bind(window)
  const waiting = new Map<number, FrameRequestCallback>()
  let lastHandle = 0
  let drawn_at = 0
  let scheduled = false
  const draw = (now: number) => {
    drawn_at = performance.now()
    scheduled = false
    for (const handle of [...waiting.keys()]) {
      const callback = waiting.get(handle)
      waiting.delete(handle)
      callback?.(now)
    }
  }
  window.requestAnimationFrame = (callback) => {
    if (!scheduled) setTimeout(() => frame(draw), Math.max(0, drawn_at + every_ms - performance.now()))
    scheduled = true
    waiting.set(++lastHandle, callback)
    return lastHandle
  }
  window.cancelAnimationFrame = (handle) => {
    waiting.delete(handle)
  }
}
