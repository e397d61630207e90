import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

/** The browser of the machine; undefined where it has none. One without a window would work less, and shows no documents. */
export const chromium = [process.env.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (one) => one && existsSync(one),
)

/** Maps need WebGL: without a graphics card it is drawn by the processor, which draws all else faster by itself. */
export const launchChromium = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath: String(chromium),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--enable-unsafe-swiftshader',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--disable-gpu-rasterization',
    ],
  })

/** Names folders for whoever wants to look at the pages of the tests. */
const PICTURES = ['CONSOLE_PICTURES', 'MAP_PICTURES']

/**
 * Gives a page the size of a screen, CSS pixels. Drawing takes the processor time by the pixel of the screen: it has half as many each
 * way where nobody looks.
 */
export const resize = (page: Page, width: number, height: number): Promise<void> =>
  page.setViewport({ width, height, deviceScaleFactor: PICTURES.some((name) => process.env[name]) ? 1 : 0.5 })
