import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Config } from '#domain/kernel/config.ts'
import { giveLink } from '#domain/people/give-link.ts'
import { setOperator } from '#domain/people/operators.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { chromium, launchChromium, resize } from '#test/support/chromium.ts'
import { freePort } from '#test/support/free-port.ts'
import { looksOf, type Scheme } from '#test/support/looks.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { prepare } from '../../scripts/prepare.mjs'

export { chromium }

/** The console as it is served, and a browser to sit at it. */
export interface Desk {
  world: World
  rest: Rest
  browser: Browser
  console_url: string
  /** What a page said that it should not: scripts that failed, and what its policy refused. */
  faults: string[]
  /** A person at a browser of their own. */
  sitDown(): Promise<Page>
  signIn(team_id: string, email: string, role: TeamRole): Promise<Page>
  /** Of all roles where none are given. */
  signInOperator(email: string, roles?: readonly string[]): Promise<Page>
  close(): Promise<void>
}

/**
 * @param config what of the service's settings is another than usual
 * @param at `port`: where it is served; `program`: the browser; `launch`: one that is started in another way
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

  async function sitDown(): Promise<Page> {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    await resize(page, 1440, 900)
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
    sitDown,
    async signIn(team_id, email, role) {
      const { url } = await giveLink(world.app, { team_id, email, role })
      const page = await sitDown()
      await page.goto(url)
      await press(page, 'Sign in')
      await page.waitForFunction(() => location.pathname === '/app/inbox')
      return page
    },
    async signInOperator(email, roles = ['all']) {
      const { link } = await setOperator(world.app, { email, roles: [...roles] })
      const page = await sitDown()
      await page.goto(link?.url ?? '')
      await press(page, 'Sign in')
      await page.waitForFunction(() => location.pathname === '/app/operator')
      return page
    },
    async close() {
      await browser.close()
      await rest.close()
    },
  }
}

/** Waits for what is labelled so, and presses it. */
export async function press(page: Page, label: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  await found?.click()
}

/** Follows a link; a cell that holds nothing else has its name. */
export async function follow(page: Page, label: string): Promise<void> {
  const found = await page.waitForSelector(`::-p-aria([name="${label}"][role="link"])`)
  await found?.click()
}

/** Waits until the page says a text. @param timeout milliseconds */
export async function says(page: Page, text: string, timeout = 30_000): Promise<void> {
  await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout }, text)
}

/** The rows of a list that are drawn within its sight, by what their link says; undefined of one that was not read. */
export const inSight = (page: Page) =>
  page.$eval('.rows', (list) => {
    const { top, bottom } = list.getBoundingClientRect()
    return [...list.querySelectorAll('tbody tr[data-index]')]
      .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
      .map((row) => row.querySelector('a')?.textContent)
  })

/** Puts a text in the place of what stands in a field, as somebody who types it. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"])`)
  await field?.click({ count: 3 })
  await field?.press('Backspace')
  await field?.type(text)
}

/** What a press on the button saves as a file. */
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

/** The map of a page, once it is drawn. */
export async function drawnMap(page: Page): Promise<void> {
  await page.waitForSelector('.map-canvas[data-ready]')
}

/** What is wrong with a page for those who do not see it, and whether it is wider than a narrow screen. */
export async function faultsOfPage(page: Page, where: string): Promise<string[]> {
  const violations = await violationsOf(page)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [...violations.map((one) => `${where}: ${one}`), ...(over > 0 ? [`${where} is ${over} px wider than the screen`] : [])]
}

const WIDE = 1440
const NARROW = 390

async function lookAs(page: Page, width: number, scheme: Scheme): Promise<void> {
  await resize(page, width, 900)
  // Half-way between two colours is neither: whoever wants no motion sees each at once.
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ])
}

/** For whoever wants to look: CONSOLE_PICTURES names a folder. */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`) as `${string}.png` })
}

/** The faults of a page by day and in the dark, wide and narrow; it is left as it is worked with. */
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
