import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { reports } from '../../cli/screens/reports.ts'
import { lookOf } from '../../cli/screens/terminal.ts'
import { detailsText, importText } from '../domain/archive/files.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let world: World
let close: () => Promise<unknown>
let weather: Terminal
let connection: { url: string; token: string; operator_key: string }
let id: string

beforeAll(async () => {
  world = await openWorld()
  const api = await createApiServer(world.app)
  close = () => api.close()
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  connection = { url, token: (await aToken(world, await aTeam(world))).token, operator_key: OPERATOR_KEY }
  weather = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: connection.token, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
  await importText(world, detailsText({ EVENT_ID: '1', MAGNITUDE: '9.00' }, { EVENT_ID: '2', BEGIN_DAY: '2', END_DAY: '2' }), {
    quiet: true,
  })
  const { stdout } = await weather(
    ...['reports', 'create', '--address', 'Frisco, TX 75034', '--start', '2019-03-01', '--end', '2019-03-31', '--radius', '10', '--json'],
  )
  id = JSON.parse(stdout).data.id
  await world.drain()
})
afterAll(async () => {
  await close?.()
  await world?.close()
})

const CAVEAT = 'Hail of 9.00 in is larger than any measured in the United States (8.00 in, Vivian, South Dakota, 2010).'

test('a screen shows the doubts about a record beneath it', async () => {
  const layout = await reports.open(connection, { id })
  const lines = layout(80, lookOf({ LANG: 'en_US.UTF-8' })).map(({ text }) => text)
  const at = lines.findIndex((line) => line.startsWith('Cited records: 2'))
  expect(lines.slice(at + 1)).toEqual([
    expect.stringMatching(/^2019-03-24 {2}hail .*9\.00 in/),
    '            Doubted: Hail of 9.00 in is larger than any measured in the United',
    '              States (8.00 in, Vivian, South Dakota, 2010).',
    expect.stringMatching(/^2019-03-02 {2}hail .*2\.00 in/),
  ])
  // A ZIP's location is known to tenths of a mile, as in the report's sentences.
  expect(lines.slice(at + 1).flatMap((line) => line.match(/[\d.]+ mi\b/g) ?? [])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\d+\.\d mi$/)]),
  )
  expect(lines.slice(at + 1).join('\n')).not.toMatch(/\d\.\d\d mi\b/)
})

test('a listing and its export include the caveat, and every kind of size', async () => {
  const listing = (await weather('reports', 'events', id)).stdout
  expect(listing).toMatch(/ hail_in +gust_mph +sustained_mph +tornado +miles /)
  expect(listing).toMatch(new RegExp(`caveats\\n.*${CAVEAT.replace(/[().]/g, '\\$&')}\\n.* -\\n$`))
  const csv = (await weather('reports', 'events', id, '--output', 'csv')).stdout.split('\r\n')
  expect(csv[0]).toContain(',provenance.caveats,')
  expect(csv[1]).toContain(`"[""${CAVEAT}""]"`)
  expect(csv[2]).toContain(',[],')
})

test('the status and the doctor report rows that were never checked for caveats, until their file is imported again', async () => {
  await world.app.pool.query('UPDATE archive_records SET caveats = NULL')
  const sentence =
    '2 records of storm-events were imported before their points, times and sizes were checked. Import their files again, of 2019, or read each year with: weather archive sync storm-events --year YEAR.\n'
  const early =
    'The files of storm-events for 2019-02 to 2019-03 were compiled early: whole offices may be missing. Read each year again with: weather archive sync storm-events --year YEAR\n'
  expect(await weather('archive', 'status')).toMatchObject({ status: 0, stderr: sentence + early })
  expect(await weather('doctor', '--json')).toMatchObject({ status: 0, stdout: '[]\n', stderr: sentence })
  await importText(world, detailsText({ EVENT_ID: '1', MAGNITUDE: '9.00' }, { EVENT_ID: '2', BEGIN_DAY: '2', END_DAY: '2' }), {
    quiet: true,
  })
  expect(await weather('archive', 'status')).toMatchObject({ stderr: early })
})
