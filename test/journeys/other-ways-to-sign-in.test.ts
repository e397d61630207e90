import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperatorLink } from '#domain/people/operator-link.ts'
import type { Team } from '#generated/prisma/client.ts'
import { chromium, type Desk, faultsInEveryLook, fill, openDesk, press, says } from '#test/support/desk.ts'
import { aTeam } from '#test/support/factories.ts'
import { freePort } from '#test/support/free-port.ts'
import { openProvider, type TestProvider } from '#test/support/identity-provider.ts'

const skipped = chromium ? '' : ' (skipped: no browser present)'

let desk: Desk
let team: Team
beforeAll(async () => {
  if (!chromium) return
  desk = await openDesk()
  team = await aTeam(desk.world, { name: 'Roof works' })
})
afterAll(() => desk?.close())

/** A virtual fingerprint reader of the browser; it waits until the test confirms the touch. */
async function aFingerReader(page: Page): Promise<{ touched(work: () => Promise<unknown>): Promise<void> }> {
  const client = await page.createCDPSession()
  await client.send('WebAuthn.enable', { enableUI: false })
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options })
  const touch = (enabled: boolean) => client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  await touch(false)
  return {
    async touched(work) {
      await touch(true)
      await work()
      await touch(false)
    },
  }
}

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out')
  await page.waitForFunction(() => location.pathname === '/app/sign-in')
  await page.waitForSelector('main h1')
}

describe.skipIf(!chromium)(`a passkey in place of mail${skipped}`, () => {
  it('is added under Account, signs in with a fingerprint, and opens nothing once it is removed', async () => {
    const page = await desk.signIn(team.id, 'ann@example.com', 'viewer')
    const reader = await aFingerReader(page)
    await page.goto(`${desk.console_url}/account`, { waitUntil: 'networkidle2' })
    await press(page, 'Add a passkey')
    await page.waitForSelector('[role=dialog]')
    await fill(page, 'Name', 'Laptop')
    const faults = await faultsInEveryLook(page, 'the form of a passkey')
    await reader.touched(async () => {
      await press(page, 'Add passkey')
      await says(page, 'You can now sign in with Laptop.')
    })
    faults.push(...(await faultsInEveryLook(page, 'the passkeys')))

    await signOut(page)
    faults.push(...(await faultsInEveryLook(page, 'the ways in')))
    await reader.touched(async () => {
      await press(page, 'Sign in with a passkey')
      await page.waitForFunction(() => location.pathname === '/app/inbox')
    })

    await page.goto(`${desk.console_url}/account`, { waitUntil: 'networkidle2' })
    await press(page, 'Remove the passkey Laptop')
    await page.waitForSelector('[role=alertdialog], [role=dialog]')
    faults.push(...(await faultsInEveryLook(page, 'the question whether to remove it')))
    await press(page, 'Remove')
    await says(page, 'The passkey is removed.')
    await signOut(page)
    await reader.touched(async () => {
      await press(page, 'Sign in with a passkey')
      await says(page, 'This passkey was not accepted.')
    })
    // With mail there is an e-mail field, in which the browser offers it, and the person chooses it there.
    await page.evaluateOnNewDocument(() => {
      const { fetch } = window
      const ways = { mail: true, company: null }
      window.fetch = (url, init) => (String(url).endsWith('/sign-in/ways') ? Promise.resolve(Response.json(ways)) : fetch(url, init))
      PublicKeyCredential.isConditionalMediationAvailable = async () => true
      const get = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = ({ mediation: _, ...options } = {}) => get(options)
    })
    await reader.touched(async () => {
      await page.goto(`${desk.console_url}/sign-in`)
      await says(page, 'This passkey was not accepted.')
    })
    expect(faults).toEqual([])
    expect(desk.faults).toEqual([])
  })

  it('gives way to a link by mail, whose address can be corrected', async () => {
    const page = await desk.newPage()
    await page.evaluateOnNewDocument(() => {
      const { fetch } = window
      const answers = { '/sign-in/ways': { mail: true, company: null }, '/app/sign-in': { mailed: true } }
      window.fetch = async (url, init) => {
        const [, answer] = Object.entries(answers).find(([end]) => String(url).endsWith(end)) ?? []
        return answer ? Response.json(answer) : fetch(url, init)
      }
    })
    await page.goto(`${desk.console_url}/sign-in`)
    await fill(page, 'E-mail', 'ann@exmaple.com')
    await press(page, 'Send me a link')
    await says(page, 'If ann@exmaple.com has an account here, a link is on its way.')
    await press(page, 'Correct the address')
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'ann@exmaple.com')
    await page.browserContext().close()
  })

  it('is offered in the e-mail field: silently if the offer fails, and with a message if the chosen one is refused', async () => {
    const page = await desk.newPage()
    // A service with mail shows the field. This browser chooses a passkey at once, which no person has.
    await page.evaluateOnNewDocument(() => {
      const { fetch } = window
      const ways = { mail: true, company: null }
      window.fetch = async (url, init) => {
        if (String(url).endsWith('/sign-in/ways')) return Response.json(ways)
        if (String(url).endsWith('/passkey/options') && location.search === '?return_to=offline') {
          document.documentElement.dataset.offered = 'in vain'
          throw new TypeError('offline')
        }
        return fetch(url, init)
      }
      PublicKeyCredential.isConditionalMediationAvailable = async () => true
      const bytes = new ArrayBuffer(32)
      const response = { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes }
      const chosen = { id: 'unknown', rawId: bytes, type: 'public-key', response, getClientExtensionResults: () => ({}) }
      navigator.credentials.get = async () => chosen as never
    })
    await page.goto(`${desk.console_url}/sign-in?return_to=offline`)
    await page.waitForSelector('[data-offered] [name="email"]')
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.$('[role="alert"]')).toBeNull()
    await press(page, 'Sign in with a passkey')
    await says(page, 'The service did not respond.')
    await page.goto(`${desk.console_url}/sign-in`)
    await says(page, 'This passkey was not accepted.')
    expect(desk.faults).toEqual([])
    await page.browserContext().close()
  })
})

describe.skipIf(!chromium)(`the company's own sign-in${skipped}`, () => {
  let own: Desk
  let provider: TestProvider
  beforeAll(async () => {
    if (!chromium) return
    const port = await freePort()
    provider = await openProvider(['roofers.example'], [`http://localhost:${port}`])
    own = await openDesk({ oidc: provider.settings }, { port })
  })
  afterAll(async () => {
    await own?.close()
    await provider?.close()
  })

  it('leads to the provider and back to the requested page, or says why not', async () => {
    const { id } = await aTeam(own.world, { name: 'Roof works' })
    provider.current = 'ann'
    provider.accounts.ann = { email: 'ann@roofers.example', email_verified: true, teams: id }
    const page = await own.newPage()
    await page.goto(`${own.console_url}/reports`, { waitUntil: 'networkidle2' })
    await page.waitForFunction(() => location.pathname === '/app/sign-in')
    await says(page, 'Sign in with 127.0.0.1')
    expect(await faultsInEveryLook(page, 'sign-in')).toEqual([])
    await press(page, 'Sign in with 127.0.0.1')
    await page.waitForFunction(() => location.pathname === '/app/reports')
    await says(page, 'No reports yet')
    const other = await own.newPage()
    provider.accounts.ann = { email: 'ann@roofers.example', email_verified: true }
    provider.current = 'bea'
    provider.accounts.bea = { email: 'bea@roofers.example', email_verified: true }
    await other.goto(`${own.console_url}/sign-in`)
    await press(other, 'Sign in with 127.0.0.1')
    await says(other, 'You are not in a team yet.')
    // Invited, she is signed in, and joins the teams that she chooses.
    const [gutters, pools] = [await aTeam(own.world, { name: 'Gutter works' }), await aTeam(own.world, { name: 'Pool works' })]
    for (const one of [gutters, pools])
      await createOperatorLink(own.world.app, { team_id: one.id, email: 'bea@roofers.example', role: 'analyst' })
    await press(other, 'Sign in with 127.0.0.1')
    await says(other, 'You are not in a team')
    await says(other, 'Gutter works invites you to join as analyst.')
    expect(await faultsInEveryLook(other, 'invitations')).toEqual([])
    await press(other, 'Join Gutter works')
    await says(other, 'No open exposures')
    await says(other, 'Pool works invites you to join as analyst.')
    // The inbox loads its parts first, and is drawn anew with them.
    await other.waitForNetworkIdle()
    await press(other, 'Decline')
    await other.waitForFunction(() => !document.body.innerText.includes('Pool works'))
    expect(own.faults).toEqual([])
  })
})
