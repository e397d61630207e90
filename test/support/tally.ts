import type { Page } from 'puppeteer-core'

/** What a person did with mouse and keys. */
export interface Done {
  clicks: number
  keys: number
}

/** Counts what a person does in a browser, as its pages hear it: what a script sets without a hand is not of it. */
export interface Tally {
  /** What was done since this was last asked. */
  take(): Done
}

/** @param page as yet without the pages that are to be counted */
export async function openTally(page: Page): Promise<Tally> {
  let done: Done = { clicks: 0, keys: 0 }
  await page.exposeFunction('tallied', (of: keyof Done) => {
    done[of] += 1
  })
  await page.evaluateOnNewDocument(() => {
    const { tallied } = globalThis as unknown as { tallied(of: 'clicks' | 'keys'): void }
    addEventListener('mousedown', ({ isTrusted }) => isTrusted && tallied('clicks'), true)
    addEventListener('keydown', ({ isTrusted, repeat }) => isTrusted && !repeat && tallied('keys'), true)
  })
  return {
    take() {
      const taken = done
      done = { clicks: 0, keys: 0 }
      return taken
    },
  }
}
