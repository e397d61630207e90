import type { Page } from 'puppeteer-core'

/** What a person did with mouse and keys. */
export interface InputCounts {
  clicks: number
  keys: number
}

/** Counts a person's actions in a browser, as its pages receive them; values set by script alone are not counted. */
export interface InputCounter {
  /** Returns the actions since the last call. */
  take(): InputCounts
}

/** @param page before the pages to be counted are loaded */
export async function openInputCounter(page: Page): Promise<InputCounter> {
  let done: InputCounts = { clicks: 0, keys: 0 }
  await page.exposeFunction('tallied', (of: keyof InputCounts) => {
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
