import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

const ofTheMachine = (programs: string[]) => [process.env.PUPPETEER_EXECUTABLE_PATH, ...programs].find((one) => one && existsSync(one))
const WITH_A_WINDOW = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** The browser of the machine; undefined where it has none. One without a window does the same with a quarter less work. */
export const chromium = ofTheMachine(['/usr/bin/chromium-headless-shell', ...WITH_A_WINDOW])

/** One that shows documents, too. */
export const documentReader = ofTheMachine(WITH_A_WINDOW)

/** Maps need WebGL: without a graphics card it is drawn by the processor, which draws all else faster by itself. */
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
