import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteUnusedAddresses, mailAlertAddress } from '#domain/alerts/addresses.ts'
import { createAlertRule } from '#domain/alerts/rules.ts'
import { openMail } from '#domain/engines/mail.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { type MailServer, openMailServer, type ReceivedMail, textOf } from '#test/support/mail-server.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { mails } from '../domain/alerts/alerts.ts'
import { aProperty, aTerritory, box, north, storm } from '../domain/exposures/storm.ts'

let world: World
let rest: Rest
let server: MailServer
let team: Team
let token: string
beforeAll(async () => {
  server = await openMailServer()
  world = await openWorld({ config: { smtp_url: server.url } })
  world.clock.set('2019-03-25T17:00:00Z')
  rest = await openRest(world)
})
beforeEach(async () => {
  server.mails.length = 0
  team = await aTeam(world)
  token = (await aToken(world, team)).token
})
afterAll(async () => {
  await rest.close()
  await server.close()
})

const RULE = `id name kinds least_hail_in evidence tag property_id territory_id quiet_from quiet_until pace active recipients { email state }`

// biome-ignore lint/suspicious/noExplicitAny: what any field answers
async function ask(query: string, variables: object = {}): Promise<any> {
  const answer = await rest.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ query, variables }),
  })
  return answer.json()
}

const create = (args: string) => ask(`mutation { createAlertRule(${args}) { ${RULE} } }`)
const rules = async () => (await ask(`{ alertRules { ${RULE} } }`)).data.alertRules

/** The path of the link in a mail. */
const pathIn = (mail: ReceivedMail | undefined, kind: string) =>
  new RegExp(`/alerts/${kind}/[\\w-]+`).exec(mail ? textOf(mail) : '')?.[0] ?? 'no link'

describe('an alert rule', () => {
  it('is created with its presets, changed only in the fields sent, and removed', async () => {
    const { data } = await create('name: "Hail", recipients: ["Ann@Example.com", "ann@example.com"], least_hail_in: 1.5, kinds: [hail]')
    const { id, ...made } = data.createAlertRule
    expect(made).toEqual({
      name: 'Hail',
      kinds: ['hail'],
      least_hail_in: 1.5,
      evidence: 'observed',
      tag: null,
      property_id: null,
      territory_id: null,
      quiet_from: null,
      quiet_until: null,
      pace: 'at_once',
      active: true,
      recipients: [{ email: 'ann@example.com', state: 'unconfirmed' }],
    })
    const { id: territory } = await aTerritory(world, team, box(33, -97, 33.4, -96.6))
    const change = `territory: "${territory}", least_hail_in: null, pace: digest, quiet_from: "22:00", quiet_until: "06:00"`
    const changed = await ask(`mutation { updateAlertRule(rule: "${id}", ${change}) { ${RULE} } }`)
    const after = { ...made, id, territory_id: territory, least_hail_in: null, pace: 'digest', quiet_from: '22:00', quiet_until: '06:00' }
    expect(changed.data.updateAlertRule).toEqual(after)
    expect(await rules()).toEqual([after])
    expect((await ask(`mutation { deleteAlertRule(rule: "${id}") }`)).data).toEqual({ deleteAlertRule: true })
    expect(await rules()).toEqual([])
  })

  it.each<[string, string, string]>([
    ['no recipient', 'recipients: []', 'recipients'],
    ['a recipient that is no address', 'recipients: ["ann"]', 'recipients.0'],
    ['no kind', 'recipients: ["a@example.com"], kinds: []', 'kinds'],
    ['two scopes', 'recipients: ["a@example.com"], tag: "west", property: "00000000-0000-7000-8000-000000000000"', 'property'],
    ['a property that is not there', 'recipients: ["a@example.com"], property: "00000000-0000-7000-8000-000000000000"', 'property'],
    ['half of quiet hours', 'recipients: ["a@example.com"], quiet_from: "22:00"', 'quiet_until'],
    ['quiet hours of no length', 'recipients: ["a@example.com"], quiet_from: "22:00", quiet_until: "22:00"', 'quiet_until'],
    ['a time that is none', 'recipients: ["a@example.com"], quiet_from: "24:00", quiet_until: "06:00"', 'quiet_from'],
  ])('is refused with %s', async (_, args, field) => {
    const { errors } = await create(`name: "Hail", ${args}`)
    expect(errors).toMatchObject([{ extensions: { code: 'validation_failed', status: 422 } }])
    expect(Object.keys(errors[0].extensions.errors)).toEqual([field])
    expect(await rules()).toEqual([])
  })

  it('is refused on a plan without alerts, and the refusal names the plan that has them', async () => {
    await world.app.db.team.update({ where: { id: team.id }, data: { plan: 'free', limit_overrides: {} } })
    const { errors } = await create('name: "Hail", recipients: ["ann@example.com"]')
    expect(errors).toMatchObject([{ extensions: { code: 'plan_limit', status: 402 } }])
  })

  it('can be paused, and not changed otherwise, while the plan has lapsed', async () => {
    await create('name: "Hail", recipients: ["ann@example.com"]')
    await world.drain()
    const [{ id }] = await rules()
    const change = (args: string) => ask(`mutation { updateAlertRule(rule: "${id}", ${args}) { active } }`)
    await world.app.db.team.update({ where: { id: team.id }, data: { lapsed_at: world.clock.now() } })
    expect((await change('active: false, name: "Wind"')).errors).toMatchObject([{ extensions: { status: 402 } }])
    expect((await change('active: false')).data.updateAlertRule).toMatchObject({ active: false })
    expect((await change('active: true')).errors).toMatchObject([{ extensions: { status: 402 } }])
  })

  it("cannot use another team's place", async () => {
    const { id } = await aProperty(world, await aTeam(world))
    const { errors } = await create(`name: "Hail", recipients: ["ann@example.com"], property: "${id}"`)
    expect(errors[0].extensions.errors).toEqual({ property: ['There is no property with this id.'] })
  })
})

describe('the links of alerts', () => {
  const get = (url: string) => rest.fastify.inject({ method: 'GET', url })
  const post = (url: string, payload = 'List-Unsubscribe=One-Click') =>
    rest.fastify.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload })
  const states = async () => (await rules())[0].recipients.map(({ state }: { state: string }) => state)

  it('an address is confirmed by POST, once; opening the link changes nothing, and no alert is mailed before', async () => {
    await create('name: "Hail <b>", recipients: ["new@example.com"]')
    await world.drain()
    expect(server.mails.map(({ to, headers }) => [to, headers.subject])).toEqual([[['new@example.com'], 'Confirm weather alerts']])
    expect(server.mails[0]?.raw).toMatch(/^The link works until \d{4}-\d\d-\d\d, \d{1,2}:\d\d [AP]M [A-Z]+\. /m)
    const link = pathIn(server.mails[0], 'confirm')
    for (let times = 0; times < 2; times += 1) expect((await get(link)).statusCode).toBe(200)
    expect(await states()).toEqual(['unconfirmed'])
    expect((await post(link)).statusCode).toBe(200)
    expect(await states()).toEqual(['confirmed'])
    // A second press, or opening the mail again, shows the current state.
    const before = await world.app.db.auditEntry.count()
    for (const again of [await post(link), await get(link)])
      expect([again.statusCode, again.body.includes('new@example.com has agreed to receive the alerts of')]).toEqual([200, true])
    expect(await world.app.db.auditEntry.count()).toBe(before)
  })

  it('too many requests to links are refused with a page', async () => {
    const inBrowser = () =>
      rest.fastify.inject({ url: '/alerts/stop/none', headers: { accept: 'text/html,*/*' }, remoteAddress: '192.0.2.9' })
    let answer = await inBrowser()
    for (let tries = 0; tries < 61 && answer.statusCode !== 429; tries += 1) answer = await inBrowser()
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('an expired unconfirmed address is asked again by the next rule that names it, and its first link is invalid', async () => {
    await create('name: "One", recipients: ["slow@example.com"]')
    await world.drain()
    const first = pathIn(server.mails[0], 'confirm')
    await create('name: "Two", recipients: ["slow@example.com"]')
    await world.drain()
    expect(server.mails).toHaveLength(1)
    await world.app.db.alertAddress.updateMany({ where: { team_id: team.id }, data: { expires_at: world.clock.now() } })
    expect((await post(first)).statusCode).toBe(404)
    await create('name: "Three", recipients: ["slow@example.com"]')
    await world.drain()
    expect(server.mails).toHaveLength(2)
    expect((await post(first)).statusCode).toBe(404)
    expect((await post(pathIn(server.mails[1], 'confirm'))).statusCode).toBe(200)
  })

  it('an address that rules name repeatedly is mailed once in an hour, and deleted after it', async () => {
    const countAddresses = () => world.app.db.alertAddress.count({ where: { team_id: team.id } })
    for (let times = 0; times < 3; times += 1) {
      const { data } = await create('name: "One", recipients: ["weary@example.com"]')
      await world.drain()
      await ask(`mutation { deleteAlertRule(rule: "${data.createAlertRule.id}") }`)
    }
    expect(server.mails.map(({ to }) => to)).toEqual([['weary@example.com']])
    expect(await countAddresses()).toBe(1)
    world.clock.set(new Date(world.clock.now().getTime() + 3_600_000))
    await deleteUnusedAddresses(world.app)
    expect(await countAddresses()).toBe(0)
  })

  it('confirmation mails have the limits of invitations: so many new addresses a minute for a team, and so many mails to one address', async () => {
    const named = (name: string, from: number, count: number) =>
      create(
        `name: "${name}", recipients: [${Array.from({ length: count }, (_, index) => `"stranger${from + index}@example.com"`).join()}]`,
      )
    const codeOf = async (answer: ReturnType<typeof named>) => (await answer).errors?.[0].extensions.code
    expect(await codeOf(named('One', 0, 20))).toBeUndefined()
    expect(await codeOf(named('Two', 20, 20))).toBe('rate_limited')
    expect(await rules()).toHaveLength(1)
    // An address that was already asked is not mailed again, and does not count.
    expect(await codeOf(named('Two', 10, 20))).toBeUndefined()
    expect(await codeOf(named('Three', 30, 1))).toBe('rate_limited')
    await world.drain()
    expect(server.mails).toHaveLength(30)
    world.clock.set(new Date(world.clock.now().getTime() + 60_000))
    for (const times of [1, 2, 3, 4]) {
      team = await aTeam(world)
      token = (await aToken(world, team)).token
      expect(await codeOf(create('name: "One", recipients: ["sought@example.com"]'))).toBe(times < 4 ? undefined : 'rate_limited')
    }
    await world.drain()
    expect(server.mails).toHaveLength(33)
  })

  it('a refused rule leaves the status of a document in which another rule was created: its client must not send it again', async () => {
    const rule = (name: string, suffix: string) => {
      const recipients = Array.from({ length: 20 }, (_, index) => `"${name}${index}@${suffix}"`).join()
      return `${name}: createAlertRule(name: "${name}", recipients: [${recipients}]) { name }`
    }
    const post = (query: string) =>
      rest.fastify.inject({ method: 'POST', url: '/graphql', headers: { authorization: `Bearer ${token}` }, payload: { query } })
    const both = await post(`mutation { ${rule('one', 'a.example')} ${rule('two', 'b.example')} }`)
    expect(both.json()).toMatchObject({
      data: { one: { name: 'one' }, two: null },
      errors: [
        {
          path: ['two'],
          locations: [expect.anything()],
          extensions: { code: 'rate_limited', status: 429, retry_after: expect.any(Number) },
        },
      ],
    })
    expect(both.statusCode).toBe(200)
    expect(both.json().errors[0].extensions).not.toHaveProperty('http')
    expect((await post(`mutation { ${rule('two', 'b.example')} }`)).statusCode).toBe(429)
  })

  it('an address that has reached its mail limit does not use up the limit of a team that names it after others', async () => {
    const named = (name: string, recipients: string[]) => create(`name: "${name}", recipients: ${JSON.stringify(recipients)}`)
    const otherAddresses = (name: string) => Array.from({ length: 16 }, (_, nth) => `${name}${nth}@example.com`)
    const first = team
    for (let times = 0; times < 3; times += 1) {
      team = await aTeam(world)
      token = (await aToken(world, team)).token
      expect((await named('One', ['beset@example.com'])).errors).toBeUndefined()
    }
    token = (await aToken(world, first)).token
    for (const name of ['e', 'f'])
      expect((await named(name, [...otherAddresses(name), 'beset@example.com'])).errors[0].extensions.code).toBe('rate_limited')
    expect((await named('g', otherAddresses('e'))).errors).toBeUndefined()
    await world.drain()
  })

  it('changes that are refused for another reason, or that mail nobody, do not count towards the limit', async () => {
    const otherAddresses = (name: string) => Array.from({ length: 16 }, (_, nth) => `${name}${nth}@example.com`)
    const named = (name: string, more = '') => create(`name: "${name}", recipients: ${JSON.stringify(otherAddresses(name))}${more}`)
    const unknownProperty = ', property: "00000000-0000-7000-8000-000000000000"'
    const unsent = { ...world.app, mail: openMail({ ...world.app.config, smtp_url: null }) }
    const caller = await aCaller(world, team)
    for (const name of ['a', 'b']) {
      expect((await named(name, unknownProperty)).errors[0].extensions.code).toBe('validation_failed')
      await createAlertRule(unsent, caller, { name, recipients: otherAddresses(name) })
    }
    for (let times = 0; times < 4; times += 1)
      expect((await ask('mutation { mailAlertConfirmation(email: "nobody@example.com") }')).errors[0].extensions.code).toBe('not_found')
    expect((await named('c')).errors).toBeUndefined()
    const { id } = (await rules())[0]
    const moved = `mutation { updateAlertRule(rule: "${id}", recipients: ${JSON.stringify(otherAddresses('d').slice(0, 10))}${unknownProperty}) { id } }`
    for (let times = 0; times < 2; times += 1) expect((await ask(moved)).errors[0].extensions.code).toBe('validation_failed')
    // The confirmation mails are not sent here: it takes seconds.
    await world.owner.query('DELETE FROM alert_addresses WHERE team_id = $1', [team.id])
    await world.drain()
  })

  it('an address that confirmed after its rule was deleted is deleted too', async () => {
    const { data } = await create('name: "One", recipients: ["swift@example.com"]')
    await world.drain()
    await ask(`mutation { deleteAlertRule(rule: "${data.createAlertRule.id}") }`)
    expect((await post(pathIn(server.mails[0], 'confirm'))).statusCode).toBe(200)
    await deleteUnusedAddresses(world.app)
    expect(await world.app.db.alertAddress.count({ where: { team_id: team.id } })).toBe(0)
  })

  it('two concurrent changes that conflict are refused like one change that contains both', async () => {
    const { data } = await create('name: "Two", recipients: ["two@example.com"]')
    const { id: rule } = data.createAlertRule
    const { id: property } = await aProperty(world, team)
    const lockClient = await world.owner.connect()
    await lockClient.query('BEGIN')
    await lockClient.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [team.id])
    const change = (field: string) => ask(`mutation { updateAlertRule(rule: "${rule}", ${field}) { tag property_id } }`)
    const changes = [change('tag: "north"')]
    await waitUntil(async () => (await lockWaits(world.owner)) === 1)
    changes.push(change(`property: "${property}"`))
    await waitUntil(async () => (await lockWaits(world.owner)) === 2)
    await lockClient.query('COMMIT')
    lockClient.release()
    const [first, second] = await Promise.all(changes)
    expect(first.data.updateAlertRule).toEqual({ tag: 'north', property_id: null })
    expect(second.errors[0].extensions).toMatchObject({ code: 'validation_failed', errors: { property: [expect.any(String)] } })
  })

  it('an address that a rule names again while its mail is being prepared is mailed', async () => {
    const { data } = await create('name: "One", recipients: ["anew@example.com"]')
    const rule_id = data.createAlertRule.id
    await world.owner.query('DELETE FROM alert_recipients WHERE rule_id = $1', [rule_id])
    const naming = await world.owner.connect()
    await naming.query('BEGIN')
    await naming.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [team.id])
    await naming.query("INSERT INTO alert_recipients (team_id, rule_id, email) VALUES ($1, $2, 'anew@example.com')", [team.id, rule_id])
    let done = false
    const mailing = mailAlertAddress(world.app, { team_id: team.id, email: 'anew@example.com' }).finally(() => {
      done = true
    })
    await waitUntil(async () => done || (await lockWaits(world.owner)) > 0)
    await naming.query('COMMIT')
    naming.release()
    await mailing
    expect(server.mails.map(({ to }) => to)).toEqual([['anew@example.com']])
    expect(await world.app.db.alertAddress.count({ where: { team_id: team.id } })).toBe(1)
    await world.drain()
  })

  it('a team asks at most two hundred addresses in an hour, whatever rules it creates and removes', async () => {
    const twenty = (rule: number) => JSON.stringify(Array.from({ length: 20 }, (_, nth) => `p${rule}-${nth}@example.com`))
    for (let rule = 0; rule < 10; rule += 1) {
      const { data } = await create(`name: "One", recipients: ${twenty(rule)}`)
      await ask(`mutation { deleteAlertRule(rule: "${data.createAlertRule.id}") }`)
      world.clock.advance(61_000)
    }
    const { errors } = await create('name: "One", recipients: ["one@example.com"]')
    expect(errors).toMatchObject([{ extensions: { code: 'rate_limited', status: 429, retry_after: 3600 - 610 } }])
    expect(await rules()).toEqual([])
    world.clock.advance(3_600_000)
    expect((await create('name: "One", recipients: ["one@example.com"]')).errors).toBeUndefined()
    await world.drain()
    expect(server.mails.map(({ to }) => to)).toEqual([['one@example.com']])
  })

  it('an address is asked again on request, an hour after the last mail, and its first link is invalid', async () => {
    const again = (email: string) => ask('mutation ($email: String!) { mailAlertConfirmation(email: $email) }', { email })
    const codeOf = async (email: string) => (await again(email)).errors?.[0].extensions.code
    await create('name: "One", recipients: ["late@example.com"]')
    await world.drain()
    const first = pathIn(server.mails[0], 'confirm')
    expect(await codeOf('late@example.com')).toBe('rate_limited')
    world.clock.set(new Date(world.clock.now().getTime() + 3_600_000))
    const others = await Promise.all([codeOf('nobody@example.com'), codeOf('late'), codeOf('')])
    expect(others).toEqual(['not_found', 'validation_failed', 'validation_failed'])
    const answers = await Promise.all([again('Late@Example.com'), again('late@example.com')])
    expect(answers.map(({ data }) => data?.mailAlertConfirmation ?? null).sort()).toEqual([null, true])
    await world.drain()
    expect(server.mails.map(({ to }) => to)).toEqual([['late@example.com'], ['late@example.com']])
    expect((await post(first)).statusCode).toBe(404)
    expect((await post(pathIn(server.mails[1], 'confirm'))).statusCode).toBe(200)
    expect(await codeOf('late@example.com')).toBe('not_found')
    const audited = await world.app.db.auditEntry.findMany({ where: { team_id: team.id, operation: 'mailAlertConfirmation' } })
    expect(audited).toMatchObject([{ actor_kind: 'token', target_kind: 'alert_address', target_id: null }])
    const otherToken = (await aToken(world, await aTeam(world))).token
    await create('name: "Two", recipients: ["other@example.com"]')
    world.clock.set(new Date(world.clock.now().getTime() + 3_600_000))
    token = otherToken
    expect(await codeOf('other@example.com')).toBe('not_found')
    await world.drain()
  })

  it('a recipient who has left the team is asked on request, and a member is not', async () => {
    const again = () => ask('mutation { mailAlertConfirmation(email: "gone@example.com") }')
    const { id: person_id } = await world.app.db.person.create({ data: { email: 'gone@example.com' } })
    await world.app.db.membership.create({ data: { team_id: team.id, person_id, role: 'analyst' } })
    await create('name: "One", recipients: ["gone@example.com"]')
    expect((await again()).errors[0].extensions.code).toBe('not_found')
    await world.app.db.membership.deleteMany({ where: { person_id } })
    expect((await rules())[0].recipients).toEqual([{ email: 'gone@example.com', state: 'unconfirmed' }])
    expect((await again()).data).toEqual({ mailAlertConfirmation: true })
    await world.drain()
    expect(server.mails.map(({ to }) => to)).toEqual([['gone@example.com']])
    expect((await again()).errors[0].extensions.code).toBe('rate_limited')
  })

  it('one click stops a rule for its recipient alone, permanently', async () => {
    await aProperty(world, team)
    await world.drain()
    const { data } = await create('name: "Hail", recipients: ["ann@example.com", "bob@example.com"]')
    const { id } = data.createAlertRule
    await world.app.db.alertAddress.updateMany({ where: { team_id: team.id }, data: { confirmed_at: world.clock.now() } })
    const fell = (event: string, miles: number) =>
      storm(world, [{ EVENT_ID: event, MAGNITUDE: '1.75', BEGIN_DAY: event, END_DAY: event, ...north(miles) }])
    await fell('20', 1)
    const first = server.mails.find(({ to, headers }) => to.includes('ann@example.com') && headers['list-unsubscribe'])
    const link = pathIn(first, 'stop')
    expect(first?.headers['list-unsubscribe']).toContain(link)
    const shown = await get(link)
    expect([shown.statusCode, shown.headers['content-security-policy']]).toEqual([200, expect.stringContaining("form-action 'self'")])
    expect(await states()).toEqual(['confirmed', 'confirmed'])
    for (let times = 0; times < 2; times += 1) expect((await post(link)).statusCode).toBe(200)
    expect(await states()).toEqual(['left', 'confirmed'])
    // Naming the recipient again does not restore the rule.
    await ask(`mutation { updateAlertRule(rule: "${id}", recipients: ["ann@example.com", "bob@example.com"]) { id } }`)
    await fell('21', 2)
    expect((await mails(world)).filter(({ rule_id }) => rule_id === id).map(({ email }) => email)).toEqual([
      'ann@example.com',
      'bob@example.com',
      'bob@example.com',
    ])
    const { data: log } = await ask('{ alertMails(status: sent) { total data { email status_label maybe_repeated } } }')
    expect(log.alertMails.total).toBe(3)
    const audited = await world.app.db.auditEntry.findMany({ where: { team_id: team.id, operation: 'stopAlert' } })
    expect(audited).toMatchObject([{ actor_kind: 'service', target_kind: 'alert_rule', target_id: id }])
  })

  it('a link that this install did not sign is refused, whatever it looks like', async () => {
    for (const token of ['x', 'A'.repeat(86), '%2e%2e', 'a'.repeat(99)]) {
      expect((await get(`/alerts/stop/${token}`)).statusCode).toBe(404)
      expect((await post(`/alerts/stop/${token}`)).statusCode).toBe(404)
      expect((await post(`/alerts/confirm/${token}`)).statusCode).toBe(404)
    }
    expect((await post('/alerts/stop/x', 'x'.repeat(10_000))).statusCode).toBe(404)
  })
})

it('the newest digest of a week is shown if its mail was given up', async () => {
  const failedDigest = async () => (await ask('{ failedDigest { date failed_at } }')).data.failedDigest
  const failed_at = '2019-03-25T16:58:00.000Z'
  const digest = (day: string, mail_failed_at: string | null, status = 'sent') =>
    world.app.db.digest.create({
      data: { team_id: team.id, local_date: new Date(day), status, until: `${day}T12:00:00Z`, mail_failed_at },
    })
  await digest('2019-03-25', failed_at)
  expect(await failedDigest()).toEqual({ date: '2019-03-25', failed_at })
  await digest('2019-03-26', null, 'empty')
  expect(await failedDigest()).toEqual({ date: '2019-03-25', failed_at })
  await digest('2019-03-27', null)
  expect(await failedDigest()).toBeNull()
  await world.app.db.digest.deleteMany({ where: { local_date: new Date('2019-03-27') } })
  world.clock.advance(8 * 24 * 3_600_000)
  expect(await failedDigest()).toBeNull()
  world.clock.set('2019-03-25T17:00:00Z')
})
