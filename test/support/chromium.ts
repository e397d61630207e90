import { existsSync } from 'node:fs'

/** The browser of the machine; undefined where it has none. */
export const chromium = [process.env.PUPPETEER_EXECUTABLE_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (one) => one && existsSync(one),
)
