import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { anExposure } from '#test/support/exposures.ts'
import { aToken } from '#test/support/factories.ts'
import { openLine } from './line.ts'
import { openSample, type SampleService } from './sample.ts'
import { bundledProgram, openTerminal, type Terminal } from './terminal.ts'

const WINDOW = ['--start', sampleStorm.window_start, '--end', sampleStorm.window_end]
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

/**
 * One service for all tests, in order: a place that is watched at the storm adds exposures, which are counted
 * before territories are created.
 */
let sample: SampleService
let settings: Record<string, string>
let folder: string
let weather: Terminal
// biome-ignore lint/suspicious/noExplicitAny: what each command prints is what its test looks at
const json = async (...words: string[]): Promise<any> => {
  const { status, stdout, stderr } = await weather(...words, '--json')
  expect({ words, status, stderr }).toMatchObject({ status: 0 })
  return stdout === '' ? null : JSON.parse(stdout)
}

beforeAll(async () => {
  sample = await openSample()
  folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
  settings = { WEATHER_URL: sample.url, WEATHER_TOKEN: sample.token }
  weather = await openTerminal(settings)
})
afterAll(async () => {
  await sample?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('destinations and deliveries', () => {
  test('a destination that the service switched off stays in the status until someone acknowledges it', async () => {
    const { data } = await json(
      'destinations',
      'add',
      '--name',
      'Gone',
      '--channel',
      'webhook',
      '--url',
      'https://example.com/in',
      '--event',
      'digest.sent',
    )
    expect((await weather('status')).stderr).not.toContain('switched off')
    const off = {
      active: false,
      switched_off_at: sample.world.clock.now(),
      switched_off_for: 'The destination answered 410: it is gone for good.',
    }
    await sample.world.app.db.integration.updateMany({ where: { id: data.id }, data: off })
    const notice = `Destination "Gone" was switched off on 2026-06-21 12:00 UTC. The destination answered 410: it is gone for good.`
    const status = await weather('status')
    expect(status).toMatchObject({ status: 0, stderr: expect.stringContaining(notice) })
    expect(status.stderr).toContain(`weather destinations acknowledge ${data.id}`)
    const { token } = await aToken(sample.world, sample.team, ['account:read'])
    const blind = await openTerminal({ ...settings, WEATHER_TOKEN: token })
    expect(await blind('status')).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Gone') })
    expect(await json('destinations', 'acknowledge', data.id)).toMatchObject({
      id: data.id,
      active: false,
      switched_off: { acknowledged_at: expect.any(String) },
    })
    expect((await weather('status')).stderr).not.toContain('Gone')
    expect((await weather('destinations', 'acknowledge', UNKNOWN)).status).toBe(3)
    await json('destinations', 'delete', data.id, '--yes')
  })

  test('a destination from registration to removal', async () => {
    const add = [
      'destinations',
      'add',
      '--name',
      'CRM',
      '--channel',
      'webhook',
      '--url',
      'https://receiver.invalid/in',
      '--event',
      'report.completed',
    ]
    const { data, secret } = await json(...add)
    expect(secret).toMatch(/^whsec_/)
    expect((await json('destinations', 'secret', data.id)).secret).toBe(secret)
    const rows = await weather(...add, '--output', 'ndjson', '--fields', 'name,secret')
    expect([JSON.parse(rows.stdout), rows.stderr]).toEqual([{ name: 'CRM', secret: expect.stringMatching(/^whsec_/) }, ''])
    expect((await weather(...add, '--output', 'csv')).stdout).toMatch(/whsec_/)
    expect((await json('destinations', 'rotate', data.id, '--yes')).secret).not.toBe(secret)
    const tested = await weather('destinations', 'test', data.id, '--json')
    expect({ status: tested.status, answer: JSON.parse(tested.stdout) }).toMatchObject({
      status: 1,
      answer: { object: 'integration_test', delivered: false },
    })
    expect((await json('deliveries', 'list', '--destination', data.id)).data).toMatchObject([{ kind: 'test' }])
    expect(await json('destinations', 'delete', data.id, '--yes')).toBeNull()
  })

  test('a delivery is sent again once its destination is active', async () => {
    const failed: { id: string; kind: string; integration_id: string }[] = (await json('deliveries', 'list', '--status', 'failed')).data
    const { id, integration_id } = failed.find(({ kind }) => kind === 'event')!
    const refused = await weather('deliveries', 'resend', id)
    expect(refused).toMatchObject({ status: 7, stdout: '', stderr: expect.stringContaining('inactive') })
    await json('destinations', 'edit', integration_id, '--active', 'true')
    expect(await json('deliveries', 'resend', id)).toMatchObject({ id, status: 'queued' })
    await json('destinations', 'edit', integration_id, '--active', 'false')
  })
})

describe('properties and their contacts', () => {
  test('a person can be found, exported and erased by e-mail address, after confirmation', async () => {
    const { data } = await json(
      'properties',
      'add',
      '--address',
      '9 Elm Street, Frisco, TX 75034',
      '--label',
      'Oak',
      '--notes',
      'call jo@example.org',
    )
    await json('contacts', 'add', data.id, '--name', 'Jo Quill', '--email', 'Jo@example.org', '--phone', '+1 555 555 0100')
    const found = await weather('contacts', 'find', '--email', 'jo@example.org')
    expect(found).toMatchObject({ status: 0, stderr: expect.stringContaining('1 contact and 1 mention of jo@example.org.') })
    expect(found.stdout).toMatch(/contact +\d+ +- +Jo Quill, Oak/)
    expect(found.stdout).toMatch(/property +\S+ +notes +call jo@example\.org/)
    const exported = JSON.parse((await weather('contacts', 'export', '--email', 'jo@example.org')).stdout)
    expect(exported).toMatchObject({
      object: 'personal_data',
      contacts: [{ contact: { name: 'Jo Quill', phone: '+1 555 555 0100' }, property_id: data.id }],
      mentions: [{ record: 'property', field: 'notes' }],
    })
    const unconfirmed = await weather('contacts', 'erase', '--email', 'jo@example.org')
    expect(unconfirmed).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('It cannot be undone. There is no terminal to ask on: give --yes.'),
    })
    const erased = await weather('contacts', 'erase', '--email', 'jo@example.org', '--yes')
    expect(erased).toMatchObject({ status: 0, stderr: expect.stringContaining('1 contact, 1 mention and 0 documents erased.') })
    expect(erased.stdout).toContain(`removed from ${data.id}`)
    expect((await json('properties', 'show', data.id)).data).toMatchObject({ notes: 'call [erased]', contacts: [] })
    const again = await weather('contacts', 'find', '--email', 'jo@example.org')
    expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('Nothing is stored about jo@example.org.') })
    expect((await weather('contacts', 'find', '--email', 'jo')).status).toBe(7)
    const reader = await openTerminal({ ...settings, WEATHER_TOKEN: (await aToken(sample.world, sample.team, ['properties:read'])).token })
    expect((await reader('contacts', 'erase', '--email', 'jo@example.org', '--yes')).status).toBe(4)
    await json('properties', 'delete', data.id, '--yes')
  })

  test('the account of a member is found and named as kept, with the reason', async () => {
    const { app } = sample.world
    const person = await app.db.person.create({ data: { email: 'mo@example.org', name: 'Mo Quill' } })
    await app.db.membership.create({ data: { team_id: sample.team.id, person_id: person.id, role: 'viewer' } })
    const found = await weather('contacts', 'find', '--email', 'mo@example.org')
    expect(found.stderr).toContain('0 contacts and 2 mentions of mo@example.org, 2 of which erasing leaves.')
    expect(found.stdout).toMatch(/member +\S+ +name +Mo Quill +They are in the team\./)
    const erased = await weather('contacts', 'erase', '--email', 'mo@example.org', '--yes')
    expect(erased.stderr).toContain('0 contacts, 0 mentions and 0 documents erased; 2 mentions left.')
    expect(erased.stdout).toMatch(/member +\S+ +email +They are in the team\. An owner can remove them/)
  })

  test('a property from creation to removal, with a contact and a report', async () => {
    const { data } = await json(
      'properties',
      'add',
      '--address',
      '5 Elm Street, Frisco, TX 75034',
      '--label',
      'Elm',
      '--tag',
      'a',
      '--tag',
      'b',
    )
    expect(data).toMatchObject({ name: 'Elm', tags: ['a', 'b'] })
    expect((await json('properties', 'edit', data.id, '--watch-radius-miles', '2')).data.watch_radius_miles).toBe(2)
    const contact = await json('contacts', 'add', data.id, '--name', 'Site office', '--role', 'site_contact', '--phone', '+1 555 0100')
    expect((await json('contacts', 'edit', data.id, String(contact.data.id), '--primary')).data).toMatchObject({
      name: 'Site office',
      primary: true,
    })
    expect((await json('contacts', 'list', data.id)).data).toHaveLength(1)
    expect(await json('contacts', 'delete', data.id, String(contact.data.id), '--yes')).toBeNull()
    expect((await json('properties', 'report', data.id, ...WINDOW)).data).toMatchObject({ status: 'pending', property_id: data.id })
    const unknown = await weather('properties', 'report', data.id, ...WINDOW, '--as-of', '2999-01-01T00:00:00Z')
    expect(unknown.stdout + unknown.stderr).toContain('The moment to report as of must not be in the future.')
    expect((await json('properties', 'archive', data.id)).data.status).toBe('archived')
    expect(await json('properties', 'delete', data.id, '--yes')).toBeNull()
    expect((await weather('properties', 'show', data.id)).status).toBe(3)
  })

  test('many properties from a file, with the invalid row reported', async () => {
    const book = path.join(folder, 'book.csv')
    writeFileSync(book, 'address,tags\n"7 Oak Street, Frisco, TX 75034",a; b;\n"",c\n')
    const { status, stdout, stderr } = await weather('properties', 'import', book)
    expect({ status, stderr }).toEqual({ status: 7, stderr: 'Not every row succeeded.\n' })
    expect(stdout).toMatch(/^row +address +status +message\n1 +7 Oak Street.* created/)
  })

  test('an imported property without a place is said to be unwatched, and found again', async () => {
    const book = path.join(folder, 'nowhere.csv')
    writeFileSync(book, 'address,label\n"1 Zzyzx Nowhere",Lost\n"17 Oak Street, Frisco, TX 75034",Found\n')
    const { status, stdout, stderr } = await weather('properties', 'import', book)
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: '1 created but not located, and not watched until then: weather properties list --located false\n',
    })
    expect(stdout).toMatch(/Nowhere +created +Not watched: \S.*\n2 +17 Oak Street.* created +-\n/)
    const lost = await json('properties', 'list', '--located', 'false', '--search', 'o')
    const { data } = await json('properties', 'list', '--search', 'Zzyzx')
    expect(data).toHaveLength(1)
    expect(lost.data).toEqual(data)
    expect(Object.keys(lost.data[0])).toEqual(Object.keys(data[0]))
    const all = await json('properties', 'list', '--located', 'true', '--all')
    expect(all.data.length).toBe(all.meta.total)
    expect(all.data.map(({ label }: { label: string }) => label)).toContain('Found')
    expect(all.data.map(({ label }: { label: string }) => label)).not.toContain('Lost')
  })

  test('a cell that displays as another value is refused, and one that was escaped as a formula is restored', async () => {
    const book = path.join(folder, 'cells.csv')
    for (const sign of ['\u0000', '\u0007', '\u061c', '\u202e', '\u2066', '\ufffd']) {
      writeFileSync(book, `address,label\n"8 Oak Street, Frisco, TX 75034",Barn\n"9 Oak Street, Frisco, TX 75034",Ba${sign}rn\n`)
      const { status, stdout, stderr } = await weather('properties', 'import', book)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toContain('cells.csv, row 2: label holds control characters, characters that change')
    }
    writeFileSync(book, `address,label\n"8 Oak Street, Frisco, TX 75034",'=HYPERLINK(1)\n`)
    expect((await weather('properties', 'import', book)).status).toBe(0)
    const { stdout } = await weather('properties', 'list', '--output', 'csv', '--fields', 'address.query,label')
    expect(stdout).toContain(`"8 Oak Street, Frisco, TX 75034",'=HYPERLINK(1)\r\n`)
    const { data } = await json('properties', 'list')
    expect(data.map(({ label }: { label: string }) => label)).toContain('=HYPERLINK(1)')
  })
})

describe('reports', () => {
  test('a property and reports at coordinates, by options and by the columns of a file', async () => {
    const point = ['--latitude', '33.16', '--longitude', '-96.83']
    const { data } = await json('properties', 'add', ...point, '--label', 'Pasture')
    expect(data.address).toMatchObject({ query: '33.16000, -96.83000', latitude: 33.16, precision: 'point' })
    expect((await json('properties', 'edit', data.id, '--latitude', '33.17', '--longitude', '-96.83')).data.address.latitude).toBe(33.17)
    const args = [...point, ...WINDOW, '--radius', '10', '--date-of-loss', sampleStorm.window_end]
    const { data: preview } = await json('reports', 'preview', ...args)
    expect(preview).toMatchObject({ object: 'report_preview', cost: 1, address: { latitude: 33.16 }, event_count: expect.any(Number) })
    expect(preview.event_count).toBeGreaterThan(0)
    const shown = await weather('reports', 'preview', ...args)
    expect(shown.stderr).toContain(`${preview.event_count} records on ${preview.day_count} days: `)
    const hasRadar = preview.types.some(({ evidence_kinds }: { evidence_kinds: string[] }) => evidence_kinds.includes('radar'))
    expect(/\d \((some )?estimated by radar\)/.test(shown.stderr)).toBe(hasRadar)
    expect(shown.stdout.trim().split('\n')).toHaveLength(preview.days.length + 1)
    const made = await json('reports', 'create', ...args)
    const filed = await json('properties', 'report', data.id, ...WINDOW, '--date-of-loss', sampleStorm.window_end)
    expect(filed.data).toMatchObject({ property_id: data.id, date_of_loss: sampleStorm.window_end })
    await sample.world.drain()
    const { data: shownReport } = await json('reports', 'show', made.data.id)
    expect(shownReport.address).toMatchObject({ latitude: 33.16, precision: 'point' })
    expect(shownReport.day_of_loss.statement).toContain(`On ${sampleStorm.window_end}, the date of loss, `)
    expect(shownReport.event_count).toBe(preview.event_count)
    const file = path.join(folder, 'points.csv')
    writeFileSync(file, 'address,latitude,longitude\n,33.18,-96.83\n"North pasture, Frisco, TX",33.19,-96.83\n"Frisco, TX",33.2,\n')
    const batch = await weather('reports', 'batch', file, ...WINDOW)
    expect(batch.stdout).toMatch(/accepted.*accepted.*rejected +The longitude is required with a latitude\./s)
    const book = await weather('properties', 'import', file)
    expect(book.stdout).toMatch(/created.*created.*rejected/s)
    expect((await weather('properties', 'list')).stdout).toMatch(/Pasture.* point /)
  })

  test('reports for many properties: the price first, then all under one key', async () => {
    const ids: string[] = []
    for (const latitude of ['33.2', '33.21']) {
      const { data } = await json('properties', 'add', '--latitude', latitude, '--longitude', '-96.83', '--tag', 'in bulk')
      ids.push(data.id)
    }
    const of = ['reports', 'order', '--tag', 'in bulk', '--start', '2025-01-01', '--end', '2025-02-01']
    const { data: price } = await json(...of, '--price')
    expect(price).toMatchObject({ property_count: 2, not_located_count: 0, cost: 2 })
    const unconfirmed = await weather(...of)
    expect(unconfirmed.stderr).toContain(`Order 2 reports for 2 of ${price.balance} credits? There is no terminal to ask on: give --yes.`)
    expect((await weather('reports', 'order', ids[0] as string, ...of.slice(4))).stderr).toContain(`Order 1 report for 1 of`)
    const { data: order } = await json(...of, '--yes', '--idempotency-key', 'in-bulk')
    expect(order).toMatchObject({ credits_spent: 2, credits_remaining: price.balance - 2 })
    expect((await json('reports', 'order', ...ids, '--start', '2025-01-01', '--end', '2025-02-01', '--price')).data.balance).toBe(
      price.balance - 2,
    )
    expect((await weather('reports', 'order')).stderr).toContain('Select properties: ids, --tag or --storm-day.')
    expect((await weather('reports', 'order', '--tag', 'nobody has it')).stderr).toContain('There is no property with this tag.')
  })

  test('shows why a report failed, and why a property is not located', async () => {
    const message = 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'
    const preview = await weather('reports', 'preview', '--address', 'Houston, TX 75201', ...WINDOW)
    expect(preview).toMatchObject({ status: 9, stdout: '', stderr: expect.stringContaining('A report would fail: ') })
    const made = await json('reports', 'create', '--address', 'Houston, TX 75201', ...WINDOW)
    await sample.world.drain()
    const { status, stdout, stderr } = await weather('reports', 'wait', made.data.id)
    expect({ status, stderr }).toEqual({ status: 9, stderr: `The report failed (address_ambiguous): ${message}\n` })
    expect(stdout).toContain(message)
    expect((await weather('properties', 'add', '--address', 'Houston, TX 75201')).stdout).toContain(message)
  })

  test('a report is requested, waited for, read, and removed with its document', async () => {
    const command = weather(
      'reports',
      'create',
      '--address',
      sampleStorm.address,
      ...WINDOW,
      '--radius',
      '5',
      '--reference',
      'A-1',
      '--wait',
      '--json',
    )
    const listed = () => sample.world.app.db.report.count({ where: { team_id: sample.team.id, reference: 'A-1' } })
    await expect.poll(listed).toBe(1)
    await sample.world.drain()
    const { status, stdout, stderr } = await command
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { id } = JSON.parse(stdout).data
    const out = path.join(folder, 'report.pdf')
    expect(await weather('reports', 'pdf', id, '--out', out)).toMatchObject({ status: 0, stdout: '' })
    expect(readFileSync(out, 'latin1')).toMatch(/^%PDF-/)
    expect(await json('reports', 'pdf', id, '--link')).toMatchObject({ object: 'download', content_type: 'application/pdf' })
    expect((await weather('reports', 'delete', id)).status).toBe(2)
    expect(await json('reports', 'delete', id, '--yes')).toBeNull()
    expect((await weather('reports', 'show', id)).status).toBe(3)
  })

  test('several reports from a file', async () => {
    const batch = path.join(folder, 'batch.csv')
    writeFileSync(batch, `address,reference\n"${sampleStorm.address}",one\n"6 Elm Street, Frisco, TX 75034",two\n`)
    expect((await json('reports', 'batch', batch, ...WINDOW)).results).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }])
    expect((await weather('reports', 'batch', batch)).status).toBe(7)
  })

  test('a create whose response is lost is sent again under its key: one report, one credit', async () => {
    const line = await openLine(sample.url)
    const careful = await openTerminal({ ...settings, WEATHER_URL: line.url })
    const before = (await json('credits')).data.balance
    line.lose()
    const { status, stdout } = await careful('reports', 'create', '--address', sampleStorm.address, ...WINDOW, '--json')
    expect({ status, object: JSON.parse(stdout).data.object }).toEqual({ status: 0, object: 'report' })
    expect(line.requests).toEqual(['POST /api/v1/reports', 'POST /api/v1/reports'])
    expect((await json('credits')).data.balance).toBe(before - 1)
    // Without a key no request is sent twice.
    line.lose()
    expect((await careful('properties', 'enrich', UNKNOWN)).status).toBe(1)
    await line.close()
  })
})

describe('exposures', () => {
  test('exposures can be acknowledged by id or by filters, and reopened', async () => {
    expect((await json('exposures', 'ack', '1')).data).toMatchObject({ id: 1, acknowledged_at: expect.any(String) })
    const { data } = await json('exposures', 'dismiss', '--subject', 'property', '--open', 'true', '--yes')
    expect(data.every((one: { dismissed_at: string | null }) => one.dismissed_at !== null)).toBe(true)
    expect((await json('exposures', 'reopen', '--all', '--yes')).data).toHaveLength(10)
    expect((await json('exposures', 'list', '--open', 'true')).meta.total).toBe(10)
    expect((await weather('exposures', 'ack', '--yes')).status).toBe(2)
    expect((await weather('exposures', 'dismiss', '--all')).stderr).toContain('Dismiss 10 exposures? There is no terminal to ask on')
    const none = ['exposures', 'dismiss', '--from', '2030-01-01']
    expect(await weather(...none)).toEqual({ status: 0, stdout: '(none)\n', stderr: '' })
    const two = (await json('exposures', 'ack', '1', '2')).data
    expect(two).toEqual([(await json('exposures', 'show', '1')).data, (await json('exposures', 'show', '2')).data])
    const missing = await weather('exposures', 'reopen', '1', '2', '2000000000', '--json')
    expect(missing).toMatchObject({ status: 3, stderr: expect.stringContaining('no exposure with the id 2000000000') })
    expect(JSON.parse(missing.stdout).data.map(({ id }: { id: number }) => id)).toEqual([1, 2])
  })

  test('of the inbox, what somebody decides on before it is moved stays as they decided', async () => {
    const line = await openLine(sample.url)
    line.instead(async (request, _, pass) => {
      if (request.startsWith('POST')) await json('exposures', 'ack', '1')
      pass()
    })
    const late = await openTerminal({ ...settings, WEATHER_URL: line.url })
    const { status, stderr, stdout } = await late('exposures', 'dismiss', '--open', 'true', '--yes', '--json')
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('Changed by somebody else before, and left: 1 exposure.'),
    })
    const dismissed = (JSON.parse(stdout).data as { id: number; dismissed_at: string | null }[]).filter((one) => one.dismissed_at !== null)
    expect(dismissed).toHaveLength(9)
    expect((await json('exposures', 'show', '1')).data).toMatchObject({ acknowledged_at: expect.any(String), dismissed_at: null })
    expect((await json('exposures', 'reopen', '--all', '--yes')).data).toHaveLength(10)
    await line.close()
  })

  test('exposures are watched as they appear, until an interrupt exits with 130', async () => {
    const since = new Date(sample.world.clock.now().getTime() + 1000).toISOString()
    const child = spawn(process.execPath, [await bundledProgram(), 'exposures', 'watch', '--since', since, '--every', '0.1'], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const { rows } = await sample.world.app.pool.query<{ id: string }>('SELECT id FROM properties WHERE team_id = $1 LIMIT 1', [
      sample.team.id,
    ])
    sample.world.clock.advance(60_000)
    const id = await anExposure(sample.world, sample.team, { property_id: rows[0]!.id, headline: 'Hail, just now' })
    const [printed] = (await once(child.stdout, 'data')) as [Buffer]
    expect(JSON.parse(String(printed).split('\n')[0] as string)).toMatchObject({ id, headline: 'Hail, just now' })
    child.kill('SIGINT')
    expect((await ended)[0]).toBe(130)
    await sample.world.app.db.exposure.delete({ where: { id } })
  })
})

describe('storm days, alerts and tiles', () => {
  test('a storm day: its places by band as a table and a file, and an order of reports', async () => {
    await refreshMaps(sample.world.app)
    const { data: days } = await json('storms', 'list')
    const [{ date, largest_in, property_count }] = days
    expect(property_count).toBeGreaterThan(0)
    expect((await weather('storms', 'list')).stdout).toMatch(/sample$/m)
    const shown = await weather('storms', 'show', date, '--all')
    expect(shown.stderr).toContain(
      `Sample, made up: Radar estimated hail up to ${largest_in.toFixed(2)} in at watched places on ${date} (largest of the day): `,
    )
    expect(shown.stderr).toContain(`weather reports order --storm-day ${date} --swath 0.75`)
    const { data } = await json('storms', 'show', date, '--subject', 'property', '--all')
    expect(data.places).toHaveLength(property_count)
    expect(shown.stdout).toContain(data.places[0].id)
    const file = await weather('storms', 'show', date, '--out', '-', '--subject', 'property')
    expect(file.stdout.trim().split('\r\n')).toHaveLength(1 + property_count)
    expect(await json('reports', 'order', '--storm-day', date, '--swath', '0.75', '--price')).toMatchObject({
      data: { property_count },
    })
    expect((await weather('storms', 'show', '2019-01-01')).stderr).toContain('That is not proof that no hail fell')
    expect(await weather('storms', 'show', date, '--at-least', '0.1')).toMatchObject({
      status: 7,
      stderr: expect.stringContaining('0.75 to 20 inches'),
    })
  })

  test('an alert rule is created, listed and removed', async () => {
    const conditions = ['--kind', 'hail', '--kind', 'tornado', '--least-hail', '1.5', '--within', '2', '--tag', 'west', '--pace', 'digest']
    const create = ['alerts', 'create', '--name', 'Large', '--to', 'ann@example.com', '--to', 'bob@example.com', ...conditions]
    const made = await json(...create, '--idempotency-key', 'large-hail')
    expect((await json(...create, '--idempotency-key', 'large-hail')).id).toBe(made.id)
    const says = { name: 'Large', kinds: ['hail', 'tornado'], least_hail_in: 1.5, greatest_miles: 2, tag: 'west', pace: 'digest' }
    expect(made).toMatchObject({ ...says, recipients: [{ email: 'ann@example.com' }, { email: 'bob@example.com' }] })
    expect(await json('alerts', 'list')).toEqual([made])
    expect((await weather('alerts', 'list')).stdout).toContain('ann@example.com (unconfirmed), bob@example.com (unconfirmed)')
    const changed = await json('alerts', 'edit', made.id, '--least-hail', '2', '--clear', 'tag', '--pause')
    expect(changed).toMatchObject({ id: made.id, kinds: made.kinds, least_hail_in: 2, greatest_miles: 2, tag: null, active: false })
    expect(await json('alerts', 'edit', made.id, '--resume')).toMatchObject({ least_hail_in: 2, active: true })
    expect(await weather('alerts', 'edit', made.id)).toMatchObject({ status: 2, stderr: expect.stringContaining('Nothing to change') })
    expect((await weather('alerts', 'edit', '--help')).stdout).not.toContain('default: all')
    expect(await weather('alerts', 'edit', made.id, '--clear', 'pace')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not pace'),
    })
    expect((await weather('alerts', 'ask-again', 'ann@example.com')).stderr).toContain('This service sends no mail')
    for (const paging of [['--page', '2', '--per-page', '5'], ['--all']])
      expect(await json('alerts', 'mails', '--status', 'sent', ...paging)).toEqual({ total: 0, data: [] })
    expect((await weather('alerts', 'delete', made.id)).stderr).toContain('There is no terminal to ask on: give --yes.')
    await json('alerts', 'delete', made.id, '--yes')
    expect(await json('alerts', 'list')).toEqual([])
    const refused = await weather('alerts', 'create', '--name', 'Large', '--to', 'ann', '--json')
    expect(refused).toMatchObject({ status: 7, stderr: expect.stringContaining('The recipient must be an e-mail address') })
  })

  test('a tile', async () => {
    await refreshMaps(sample.world.app)
    const file = path.join(folder, 'tile.mvt')
    expect(await weather('tiles', 'get', '6', '14', '25', '--out', file)).toMatchObject({ status: 0, stdout: '' })
    expect(readFileSync(file).length).toBeGreaterThan(0)
    expect((await weather('tiles', 'get', '6', '64', '0')).status).toBe(3)
  })
})

describe('territories', () => {
  test('a territory of each kind is measured, drawn, changed, paused and removed', async () => {
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [-97, 33],
          [-96.9, 33],
          [-96.9, 33.1],
          [-97, 33.1],
          [-97, 33],
        ],
      ],
    }
    const shape = path.join(folder, 'square.json')
    writeFileSync(shape, JSON.stringify(square))
    expect(await json('territories', 'quote', '--name', 'Square', '--geojson', shape)).toMatchObject({
      data: { object: 'territory_quote', allowed: true },
    })
    const piped = await openTerminal(settings, JSON.stringify(square))
    const drawn = JSON.parse((await piped('territories', 'add', '--name', 'Square', '--geojson', '-', '--json')).stdout).data
    expect(drawn).toMatchObject({ kind: 'polygon', geometry: square })
    expect((await json('territories', 'edit', drawn.id, '--colour', 'moss')).data.color).toMatch(/^#/)
    expect((await json('territories', 'status', drawn.id, 'paused')).data.status).toBe('paused')
    expect(await json('territories', 'delete', drawn.id, '--yes')).toBeNull()
    const circle = await json(
      'territories',
      'add',
      '--name',
      'Circle',
      '--latitude',
      '33.15',
      '--longitude',
      '-96.8',
      '--radius-miles',
      '3',
    )
    expect(circle.data.kind).toBe('radius')
    const [moore] = (await json('places', 'search', 'Moore, OK')).data
    const places = await json('territories', 'add', '--name', 'Moore', '--place', String(moore.id), '--radius-miles', '3')
    expect(places.data.kind).toBe('places')
  })
})
