import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import type { Tx } from '#domain/engines/database.ts'
import { emit } from '#domain/events/emit.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openReceiver, type Post } from '#test/support/receiver.ts'
import { openWorld } from '#test/support/world.ts'

/** `npm run test:signatures` sends a thousand. Here, each name is sent at least twice. */
const POSTS = Number(process.env.SIGNED_POSTS ?? 50)
/** Posts are verified while they are new: both libraries refuse signatures older than five minutes. */
const AT_ONCE = 50
/** Each is drained from the outbox in turn. This bounds a hang. */
const TIMEOUT_MS = 60_000 + POSTS * 500
/** A character of each length in UTF-8, a quote and a line end: these break a signature over text instead of bytes. */
const names = ['HQ', 'Ærø', '水戸', '🌪️ 3', 'the "old" mill\n2nd line', 'a\\b', '\u2028']

it(`stripe and standardwebhooks each accept ${POSTS} real posts, and no other body, id or secret`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  const caller = await aCaller(world, await aTeam(world))
  const receiver = await openReceiver()
  const input = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['exposure.detected' as const] }
  const { secret } = await registerDestination(world.app, caller, input)
  const emitSome = (from: number) => async (tx: Tx) => {
    for (let nth = from; nth < Math.min(from + AT_ONCE, POSTS); nth++) {
      const content = exposureContent(`${names[nth % names.length]} ${nth}`)
      await emit(tx, 'exposure.detected', { team_id: caller.team.id, subject: `Storm day ${nth}`, exposure_ids: [nth] }, content)
    }
  }

  const { webhooks } = new Stripe('sk_test_unused')
  const standard = new Webhook(secret as string)
  const seen = { stripe: 0, standard: 0, ids: new Set<string>() }
  const verify = ({ headers, body }: Post) => {
    const header = String(headers['x-service-signature'])
    const asSent = headers as Record<string, string>
    const { id } = webhooks.constructEvent(body, header, secret as string) as unknown as { id: string }
    seen.stripe++
    expect(standard.verify(body, asSent)).toMatchObject({ id })
    seen.standard++
    seen.ids.add(id)
    expect([asSent['webhook-id'], asSent['x-service-delivery']]).toEqual([id, id])
    const changed = body.replace('1.75', '1.76')
    expect(() => webhooks.constructEvent(changed, header, secret as string)).toThrow()
    expect(() => standard.verify(changed, asSent)).toThrow()
    expect(() => standard.verify(body, { ...asSent, 'webhook-id': `${id}0` })).toThrow()
  }
  for (let from = 0; from < POSTS; from += AT_ONCE) {
    // The libraries use the system's clock.
    world.clock.set(new Date())
    await world.app.db.$transaction(emitSome(from), { timeout: 60_000 })
    await world.drain()
    for (const post of receiver.posts.slice(from)) verify(post)
  }
  await receiver.close()
  expect([seen.stripe, seen.standard, seen.ids.size]).toEqual([POSTS, POSTS, POSTS])
})
