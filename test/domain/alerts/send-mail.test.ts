import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendAlertMail, stageDueMails } from '#domain/alerts/send-mail.ts'
import { erasePersonalData } from '#domain/personal-data/erase.ts'
import type { Team } from '#generated/prisma/client.ts'
import { HOUR, MINUTE, SECOND } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { type MailServer, openMailServer, textOf } from '#test/support/mail-server.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aProperty, exposures, north, storm } from '../exposures/storm.ts'
import { aRule, mails } from './alerts.ts'

let world: World
let server: MailServer
let team: Team
beforeEach(async () => {
  server = await openMailServer()
  world = await openWorld({
    config: {
      smtp_url: server.url,
      base_url: 'https://weather.example.com',
      console_url: 'https://weather.example.com/app',
      contact: 'alerts@example.com',
    },
  })
  world.clock.set('2019-03-25T17:00:00Z')
  team = await aTeam(world)
})
afterEach(async () => {
  await world.close()
  await server.close()
})

const hail = { EVENT_ID: '1', MAGNITUDE: '1.75', ...north(0.8) }

/** A storm after the place was checked, processed to the end. */
async function aStorm(label = 'HQ'): Promise<void> {
  await aProperty(world, team, { label })
  await world.drain()
  await storm(world, [hail])
}

/** Returns the id of the one mail that is queued but not yet sent. */
async function aQueuedMail(label?: string): Promise<string> {
  server.refuse = { code: 451, text: 'later' }
  await aStorm(label)
  server.refuse = null
  const [mail] = await mails(world)
  await world.app.db.alertMail.updateMany({ data: { status: 'queued', attempts: 0, failure_reason: null, send_after: world.clock.now() } })
  return mail?.id as string
}

describe('an alert mail', () => {
  it('states what was seen, how far away and the source, links to the storm day, and carries an unsubscribe link', async () => {
    const rule = await aRule(world, team, { name: 'Large hail' })
    await aStorm()
    const [day] = await exposures(world)
    const [mail] = await mails(world)
    expect(mail).toMatchObject({
      rule_id: rule.id,
      status: 'sent',
      attempts: 1,
      maybe_repeated: false,
      subject: 'Hail up to 1.75 in reported 0.8 mi N of HQ on 2019-03-24',
      sent_at: world.clock.now(),
      lease_token: null,
    })
    const [received, ...others] = server.mails
    if (!received) throw new Error('nothing arrived')
    expect(others).toEqual([])
    expect(received).toMatchObject({
      to: ['desk@example.com'],
      headers: {
        from: 'alerts@example.com',
        subject: mail?.subject,
        'message-id': `<${mail?.id}@weather.example.com>`,
        'list-unsubscribe': expect.stringMatching(/^<https:\/\/weather\.example\.com\/alerts\/stop\/[\w-]{86}>$/),
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      },
    })
    const text = textOf(received)
    for (const line of [
      'Largest hail reported or measured: 1.75 in',
      'Distance: the nearest record is 0.80 mi from HQ',
      'Sources: NOAA Storm Events',
      `https://weather.example.com/app/exposures/${day?.id}`,
      'Stop these mails: https://weather.example.com/alerts/stop/',
      'because of the alert rule "Large hail" of',
    ])
      expect(text).toContain(line)
  })

  it('gives distances from the ZIP centre, in tenths, for a place located to its ZIP, and a qualifier to figures only', async () => {
    await aRule(world, team)
    await aProperty(world, team, { label: 'HQ', precision: 'zip', postal_code: '75034' })
    await world.drain()
    await storm(world, [hail, { EVENT_ID: '2', EVENT_TYPE: 'Tornado', MAGNITUDE: '', ...north(1) }])
    const [text, ...others] = server.mails.map(textOf)
    expect(others).toEqual([])
    expect(text).toContain('Distance: the nearest record is 0.8 mi from the centre of ZIP 75034 (HQ)')
    expect(text).toContain('(not stated whether measured)')
    expect(text).not.toContain('estimated by the reporter')
  })

  it('escapes what others wrote, in HTML and in its headers', async () => {
    await aRule(world, team, { name: '<img src=x onerror=alert(1)>\r\nBcc: eve@example.com' })
    await aStorm('<script>alert("HQ")</script>\u202eevil')
    const [received] = server.mails
    if (!received) throw new Error('nothing arrived')
    const text = textOf(received)
    expect(text).toContain('&#60;script&#62;alert(&#34;HQ&#34;)&#60;/script&#62;')
    expect(text.slice(text.indexOf('text/html'))).not.toMatch(/<script|<img/)
    expect(text).not.toContain('\u202e')
    expect(received.headers).not.toHaveProperty('bcc')
    expect(received.to).toEqual(['desk@example.com'])
  })

  it('is sent once, by the worker that has its lease', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    await Promise.all(Array.from({ length: 5 }, () => sendAlertMail(world.app, id)))
    await sendAlertMail(world.app, id)
    expect(server.mails).toHaveLength(1)
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 1 }])
  })

  it('is not sent by a worker whose lease is lost; the worker with the lease sends it', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    // Another worker takes the lease while this one composes.
    const { send } = world.app.mail
    world.app.mail.send = async (message) => {
      await world.app.pool.query('UPDATE alert_mails SET lease_token = gen_random_uuid()')
      await send(message)
    }
    await sendAlertMail(world.app, id)
    expect(server.mails).toEqual([])
    expect(await mails(world)).toMatchObject([{ status: 'queued', attempts: 1 }])
    world.app.mail.send = send
    world.clock.advance(MINUTE)
    await stageDueMails(world.app)
    await world.drain()
    expect(server.mails).toHaveLength(1)
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 2, maybe_repeated: false }])
  })

  it('is sent once if its worker stopped before sending; if it stopped later, it is sent again with the same Message-ID and marked', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    for (const status of ['queued', 'sending']) {
      const lease = { lease_token: id, leased_until: new Date(world.clock.now().getTime() - SECOND), attempts: 1 }
      await world.app.db.alertMail.updateMany({ data: { status: status as 'queued', sent_at: null, ...lease } })
      await sendAlertMail(world.app, id)
      expect(await mails(world)).toMatchObject([{ status: 'sent', maybe_repeated: status === 'sending' }])
    }
    expect(new Set(server.mails.map(({ headers }) => headers['message-id'])).size).toBe(1)
  })

  it('is retried and marked as possibly repeated if the server does not respond', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    server.silent = true
    await sendAlertMail(world.app, id)
    expect(await mails(world)).toMatchObject([{ status: 'retrying', maybe_repeated: true }])
    server.silent = false
    world.clock.advance(2 * MINUTE)
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', maybe_repeated: true }])
    expect(server.mails).toHaveLength(2)
  })

  it('is retried with the service as the cause if the attempt could not be recorded, and the server has no mail then', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    const query = async (...sent: Parameters<typeof world.app.pool.query>) => {
      const [{ name }] = sent as unknown as [{ name?: string }]
      if (name === 'alert.sending') throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
      return world.app.pool.query(...sent)
    }
    const pool = new Proxy(world.app.pool, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) })
    await sendAlertMail({ ...world.app, pool }, id)
    expect(await mails(world)).toMatchObject([
      { status: 'retrying', attempts: 1, failure_reason: 'The service could not record the attempt.', maybe_repeated: false },
    ])
    expect(server.mails).toEqual([])
    world.clock.advance(2 * MINUTE)
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  it('is retried on the schedule after a temporary refusal, and fails after a permanent one', async () => {
    await aRule(world, team)
    server.refuse = { code: 451, text: 'later' }
    await aStorm()
    expect(server.mails).toEqual([])
    const [mail] = await mails(world)
    expect(mail).toMatchObject({ status: 'retrying', attempts: 1, failure_reason: 'The mail server answered 451.', maybe_repeated: false })
    server.refuse = { code: 550, text: 'nobody' }
    world.clock.advance(HOUR)
    await sendAlertMail(world.app, mail?.id as string)
    expect(await mails(world)).toMatchObject([{ status: 'failed', failure_reason: 'The mail server answered 550.', attempts: 2 }])
  })

  it('is retried if the server refuses the sender or asks for a sign-in, which the operator can mend', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    server.refuse_sender = { code: 550, text: 'sender rejected' }
    await sendAlertMail(world.app, id)
    expect(await mails(world)).toMatchObject([{ status: 'retrying', failure_reason: 'The mail server answered 550.' }])
    server.refuse_sender = null
    server.refuse = { code: 530, text: 'authentication required' }
    world.clock.advance(2 * MINUTE)
    await sendAlertMail(world.app, id)
    expect(await mails(world)).toMatchObject([{ status: 'retrying', failure_reason: 'The mail server answered 530.', attempts: 2 }])
    server.refuse = null
    world.clock.advance(HOUR)
    await sendAlertMail(world.app, id)
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 3 }])
  })

  it.each<[string, string, () => Promise<unknown>]>([
    ['who has left', 'The recipient has left', () => world.app.db.alertRecipient.updateMany({ data: { stopped_at: new Date() } })],
    ['whose rule is gone', 'The rule was removed.', () => world.app.db.alertRule.deleteMany()],
    ['whose rule is inactive', 'The rule is inactive.', () => world.app.db.alertRule.updateMany({ data: { active: false } })],
    ['whose team has no such plan', "The team's plan has no alerts.", () => world.app.db.team.updateMany({ data: { plan: 'free' } })],
    [
      'of a place that is paused',
      'their places are not watched now.',
      () => world.app.db.property.updateMany({ data: { status: 'paused' } }),
    ],
    [
      'of a day that is withdrawn',
      'Its storm days were removed or have no records left',
      () => world.app.db.exposure.updateMany({ data: { withdrawn: true } }),
    ],
  ])('is not sent to a recipient %s', async (_, why, happens) => {
    await aRule(world, team)
    const id = await aQueuedMail()
    await happens()
    await sendAlertMail(world.app, id)
    expect(server.mails).toEqual([])
    expect(await mails(world)).toMatchObject([{ status: 'skipped', failure_reason: expect.stringContaining(why) }])
  })

  it('is recorded with the storm days that it named, and without those of places that are not watched any more', async () => {
    await aRule(world, team)
    await aProperty(world, team, { label: 'Gone' })
    const id = await aQueuedMail('HQ')
    expect(await mails(world)).toMatchObject([{ exposure_ids: [expect.any(Number), expect.any(Number)] }])
    await world.app.db.property.updateMany({ where: { label: 'Gone' }, data: { status: 'archived' } })
    await sendAlertMail(world.app, id)
    const named = await world.app.db.exposure.findMany({ where: { property: { label: 'HQ' } } })
    expect(server.mails.map(textOf)).toEqual([expect.not.stringContaining('Gone')])
    expect(await mails(world)).toMatchObject([{ status: 'sent', exposure_ids: named.map((day) => day.id) }])
  })

  it('waits for its send time, and the sweeper finds it if its job is lost', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    await world.app.db.alertMail.updateMany({ data: { send_after: new Date(world.clock.now().getTime() + HOUR) } })
    await sendAlertMail(world.app, id)
    expect(server.mails).toEqual([])
    world.clock.advance(HOUR + 2 * MINUTE)
    await stageDueMails(world.app)
    await world.drain()
    expect(server.mails).toHaveLength(1)
  })

  it('waits if its job runs slightly early: no other comes before the sweep', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    const due = world.clock.now().getTime() + HOUR
    await world.app.db.alertMail.updateMany({ data: { send_after: new Date(due) } })
    world.clock.set(new Date(due - 40))
    const early = sendAlertMail(world.app, id)
    setTimeout(() => world.clock.set(new Date(due)), 20)
    await early
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 1 }])
  })
})

describe('quiet hours', () => {
  const quiet = { quiet_from: '22:00', quiet_until: '07:00' }
  const localTime = (time: string) => world.clock.set(`2019-03-25T${time}-05:00`)
  const seven = new Date('2019-03-26T07:00:00-05:00')

  it('hold back a retry, which costs no attempt', async () => {
    await aRule(world, team, quiet)
    localTime('21:59:30')
    server.refuse = { code: 451, text: 'later' }
    await aStorm()
    server.refuse = null
    expect(await mails(world)).toMatchObject([{ status: 'retrying', attempts: 1 }])
    world.clock.advance(2 * MINUTE)
    await world.drain()
    expect(server.mails).toEqual([])
    expect(await mails(world)).toMatchObject([
      { status: 'retrying', attempts: 1, send_after: seven, lease_token: null, failure_reason: 'The mail server answered 451.' },
    ])
    world.clock.set(seven)
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 2 }])
    expect(server.mails).toHaveLength(1)
  })

  it('hold back a mail of a late worker, or of a rule that got them after the mail was queued', async () => {
    await aRule(world, team)
    const id = await aQueuedMail()
    await world.app.db.alertRule.updateMany({ data: quiet })
    localTime('23:00')
    await sendAlertMail(world.app, id)
    expect(await mails(world)).toMatchObject([{ status: 'queued', attempts: 0, send_after: seven, lease_token: null }])
    expect(server.mails).toEqual([])
    world.clock.set(seven)
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 1 }])
  })
})

describe('an erasure while an alert mail is composed', () => {
  const EMAIL = 'jane.quillfeather@example.org'
  const named = async () =>
    [...(await mails(world)), ...server.mails.map((mail) => [mail, textOf(mail)])].filter((one) =>
      JSON.stringify(one).includes('quillfeather'),
    )
  const erase = async () => erasePersonalData(world.app, await aCaller(world, team), EMAIL)

  it('removes the person from the mail and the ledger if composing began first', async () => {
    await aRule(world, team, {})
    const mail = await aQueuedMail(`Home of ${EMAIL}`)
    const mailer = {
      ...world.app.mail,
      async send(letter: Parameters<typeof world.app.mail.send>[0]) {
        await erase()
        return world.app.mail.send(letter)
      },
    }
    await sendAlertMail({ ...world.app, mail: mailer }, mail)
    expect(await named()).toEqual([])
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', attempts: 1, subject: expect.stringContaining('Home of [erased]') }])
    expect(server.mails).toHaveLength(1)
  })

  it('removes the person from both if the erasure began first', async () => {
    await aRule(world, team, {})
    const mail = await aQueuedMail(`Home of ${EMAIL}`)
    const writer = await world.owner.connect()
    await writer.query('BEGIN')
    await writer.query('SELECT FROM properties FOR UPDATE')
    const erased = erase()
    await waitUntil(async () => (await lockWaits(world.owner)) > 0)
    const mailer = {
      ...world.app.mail,
      async send(letter: Parameters<typeof world.app.mail.send>[0]) {
        await writer.query('COMMIT')
        await erased
        return world.app.mail.send(letter)
      },
    }
    await sendAlertMail({ ...world.app, mail: mailer }, mail)
    await writer.query('COMMIT')
    writer.release()
    await erased
    expect(await named()).toEqual([])
    await world.drain()
    expect(await mails(world)).toMatchObject([{ status: 'sent', subject: expect.stringContaining('Home of [erased]') }])
  })

  it('leaves the address of a mail that waits for a person who receives alerts, and names it as kept', async () => {
    await aRule(world, team, {}, [EMAIL, 'left@example.org'])
    await aQueuedMail('HQ')
    await world.app.db.alertRecipient.updateMany({ where: { email: 'left@example.org' }, data: { stopped_at: world.clock.now() } })
    const [waiting, stopped] = await mails(world)
    const { mentions, kept } = await erase()
    const ofMails = (all: { record: string; id: string; field: string }[]) =>
      all.filter(({ record }) => record === 'alert_mail').map(({ id, field }) => [id, field])
    expect([ofMails(mentions), ofMails(kept)]).toEqual([[], [[waiting?.id, 'email']]])
    const gone = await erasePersonalData(world.app, await aCaller(world, team), 'left@example.org')
    expect([ofMails(gone.mentions), ofMails(gone.kept)]).toEqual([[[stopped?.id, 'email']], []])

    await sendAlertMail(world.app, waiting?.id as string)
    expect(server.mails.map(({ to }) => to)).toEqual([[EMAIL]])
    expect(await world.app.db.alertMail.findUnique({ where: { id: waiting?.id as string } })).toMatchObject({
      status: 'sent',
      email: EMAIL,
    })
    const after = await erase()
    expect([ofMails(after.mentions), ofMails(after.kept)]).toEqual([[[waiting?.id, 'email']], []])
  })
})
