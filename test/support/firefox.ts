import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'

/** The Firefox of the machine; undefined where it has none. */
export const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((one) => existsSync(one))

/** Without maps: few machines without a screen have what Firefox draws them by, and each is to show the same. */
export const launchFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath: String(firefox), extraPrefsFirefox: { 'webgl.disabled': true } })
