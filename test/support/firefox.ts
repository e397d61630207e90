import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'

/** The Firefox of this machine; undefined if there is none. */
export const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((one) => existsSync(one))

/** Without maps: few machines without a screen can draw them in Firefox, and the pictures should be the same everywhere. */
export const launchFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath: String(firefox), extraPrefsFirefox: { 'webgl.disabled': true } })
