import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Config } from '#domain/kernel/config.ts'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import { setOperator } from '#domain/people/operators.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { chromium, launchChromium, resize } from '#test/support/chromium.ts'
import { MINUTE } from '#test/support/clock.ts'
import { freePort } from '#test/support/free-port.ts'
import { looksOf, type Scheme } from '#test/support/looks.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { prepare } from '../../scripts/prepare.mjs'

export { chromium }

/** How long a page may take to show what a test waits for, on a busy machine. */
const WAIT_MS = 60_000

/** The console as it is served, and a browser for using it. */
export interface Desk {
  world: World
  rest: Rest
  browser: Browser
  console_url: string
  /** Messages that a page should not produce: scripts that failed, and requests that its policy refused. */
  faults: string[]
  /** A person with a browser of their own. */
  newPage(): Promise<Page>
  signIn(team_id: string, email: string, role: TeamRole): Promise<Page>
  /** All roles if none are given. */
  signInOperator(email: string, roles?: readonly string[]): Promise<Page>
  close(): Promise<void>
}

/**
 * @param config settings of the service that differ from the defaults
 * @param at `port`: where it is served; `program`: the browser; `launch`: starts the browser in another way
 */
export async function openDesk(
  config: Partial<Config> = {},
  at: { port?: number; program?: string; launch?: () => Promise<Browser> } = {},
): Promise<Desk> {
  await prepare({ bundled: ['console'], tools: true })
  const port = at.port ?? (await freePort())
  const console_url = `http://localhost:${port}/app`
  const world = await openWorld({ config: { base_url: `http://127.0.0.1:${port}`, console_url, ...config } })
  const rest = await openRest(world)
  await rest.fastify.listen({ host: '127.0.0.1', port })
  const browser = await (at.launch?.() ?? launchChromium(at.program))
  const faults: string[] = []
  // The clock of the world stands still. Without this, no minute would end, and every request of a session would count against its limit.
  const minutes = setInterval(() => world.owner.query('DELETE FROM rate_hits').catch(() => {}), MINUTE)

  async function openPage(): Promise<Page> {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    await resize(page, 1440, 900)
    // A form with unsaved changes asks before its page is left.
    page.on('dialog', (dialog) => void (dialog.type() === 'beforeunload' && dialog.accept()))
    page.on('pageerror', (fault) => faults.push(String(fault)))
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.text().includes('status of 4')) faults.push(line.text())
    })
    return page
  }

  return {
    world,
    rest,
    browser,
    console_url,
    faults,
    newPage: openPage,
    async signIn(team_id, email, role) {
      const { url } = await createOperatorLink(world.app, { team_id, email, role })
      const page = await openPage()
      await page.goto(url)
      await press(page, 'Sign in')
      await page.waitForFunction(() => location.pathname === '/app/inbox')
      return page
    },
    async signInOperator(email, roles = ['all']) {
      const { link } = await setOperator(world.app, { email, roles: [...roles] })
      const page = await openPage()
      await page.goto(link?.url ?? '')
      await press(page, 'Sign in')
      await page.waitForFunction(() => location.pathname === '/app/operator')
      return page
    },
    async close() {
      clearInterval(minutes)
      await browser.close()
      await rest.close()
    },
  }
}

/** Waits for the control with this label, and presses it. */
export async function press(page: Page, label: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  await found?.click()
}

/** Follows a link. A table cell that contains only the link has the link's name. */
export async function follow(page: Page, label: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${label}"][role="link"])`)
  await found?.click()
}

/**
 * Waits until the page shows a text.
 * @param timeout milliseconds
 */
export async function says(page: Page, text: string, timeout = WAIT_MS): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout }, text)
}

/** Waits until the page takes the next action: while one runs, and its rows are read again, a key or a press does nothing. */
export async function idle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('main button[aria-disabled=true]'))
}

/** The rows of a list that are rendered in view, by the text of their link; undefined for a row that is not loaded. */
export const visibleRows = (page: Page) =>
  page.$eval('.rows', (list) => {
    const { top, bottom } = list.getBoundingClientRect()
    return [...list.querySelectorAll('tbody tr[data-index]')]
      .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
      .map((row) => row.querySelector('a')?.textContent)
  })

/** Replaces the text of a field, as if a person typed it. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  await field?.click({ count: 3 })
  await field?.press('Backspace')
  await field?.type(text)
}

/** Returns the file that a press on the button saves. */
export async function saved(page: Page, label: string): Promise<string> {
  await page.evaluate(() => {
    const made = URL.createObjectURL
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob) blob.text().then((text) => document.body.setAttribute('data-saved', text))
      return made(blob)
    }
  })
  await press(page, label)
  await page.waitForSelector('body[data-saved]')
  return page.$eval('body', (body) => {
    const text = body.getAttribute('data-saved') ?? ''
    body.removeAttribute('data-saved')
    return text
  })
}

/** Returns the map of a page once it is drawn. */
export async function drawnMap(page: Page): Promise<void> {
  await page.waitForSelector('.map-canvas[data-ready]')
}

/** Returns the accessibility faults of a page, and whether it is wider than a narrow screen. */
export async function faultsOfPage(page: Page, where: string): Promise<string[]> {
  const violations = await violationsOf(page)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [...violations.map((one) => `${where}: ${one}`), ...(over > 0 ? [`${where} is ${over} px wider than the screen`] : [])]
}

const WIDE = 1440
const NARROW = 390

async function lookAs(page: Page, width: number, scheme: Scheme): Promise<void> {
  await resize(page, width, 900)
  // Half-way between two colours the contrast is wrong: with reduced motion every colour is final at once.
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
}

/** The folder for pictures, named by CONSOLE_PICTURES, for people to look at. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`) as `${string}.png` })
}

/** Returns the faults of a page in light and dark, wide and narrow; restores the look that the tests work with. */
export async function faultsInEveryLook(page: Page, where: string): Promise<string[]> {
  const found: string[] = []
  for (const { size, scheme } of looksOf([WIDE, NARROW])) {
    await lookAs(page, size, scheme)
    await takePicture(page, `${where} ${size} ${scheme}`)
    found.push(...(await faultsOfPage(page, `${where} at ${size}, ${scheme}`)))
  }
  await lookAs(page, WIDE, 'light')
  return found
}
