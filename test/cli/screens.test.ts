import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { HOUR } from '#test/support/clock.ts'
import { aKeptProperty, anExposure, aWarning } from '#test/support/exposures.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openLine } from './line.ts'
import { maskedIds, openSample, type SampleService } from './sample.ts'
import { openTmux, type Tmux, tmuxIsThere } from './tmux.ts'

const sizes = [
  [80, 24],
  [160, 50],
] as const

/** Longest wait for a terminal. */

/** Twelve screens, each drawn completely, on a machine that may be busy. */
const DRAWN_WITHIN_MS = 180_000

describe.skipIf(!tmuxIsThere)(`the screens in a terminal${tmuxIsThere ? '' : ' (skipped: tmux not present)'}`, () => {
  let sample: SampleService
  const screens = async (
    { onTestFinished }: TestContext,
    columns: number,
    rows: number,
    more: Record<string, string> = {},
  ): Promise<Tmux> => {
    const tmux = await openTmux(columns, rows, { WEATHER_URL: sample.url, WEATHER_TOKEN: sample.token, ...more })
    onTestFinished(() => tmux.close())
    return tmux
  }
  const states = async () =>
    (
      await sample.world.app.pool.query<{ state: string }>(
        `SELECT CASE WHEN dismissed_at IS NOT NULL THEN 'dismissed' WHEN acknowledged_at IS NOT NULL THEN 'acked' ELSE 'open' END AS state
           FROM exposures WHERE team_id = $1 ORDER BY date DESC, id DESC`,
        [sample.team.id],
      )
    ).rows.map(({ state }) => state)

  beforeAll(async () => {
    sample = await openSample()
  })
  afterAll(() => sample?.close())

  test.concurrent.for(sizes)('draw their content, at %i by %i', { timeout: DRAWN_WITHIN_MS }, async ([columns, rows], context) => {
    const masked = await maskedIds(sample)
    const tmux = await screens(context, columns, rows)
    const golden = async (name: string, what: RegExp | string) => {
      const file = path.resolve(`test/golden/terminal/${columns}x${rows}/${name}.txt`)
      const drawn = existsSync(file) ? readFileSync(file, 'utf8') : ''
      const text = masked(await tmux.settles(what, (seen) => masked(seen) === drawn))
      await context.expect(text).toMatchFileSnapshot(file)
    }
    await golden('1-reports', /1 of 1\s/)
    await tmux.type('Enter')
    await golden('1-report', 'Thunderstorm')
    await tmux.type('Escape', '2')
    await golden('2-exposures', '1 of 10, open')
    await tmux.type('jjjj', 'Enter')
    await golden('2-exposure', 'tornado or funnel cloud 1')
    await tmux.type('Escape', '3')
    await golden('3-properties', /\[3 properties][\s\S]*1 of 1\s/)
    await tmux.type('Enter')
    await golden('3-property', 'watching, within 5 mi')
    await tmux.type('Escape', '4')
    await golden('4-deliveries', '1 of 5')
    await tmux.type('j', 'Enter')
    await golden('4-delivery', 'Failed for good')
    await tmux.type('Escape', '5')
    await golden('5-playback', /•McKinney[\s\S]*23:20 UTC/)
    await tmux.type('jjjjjj')
    await golden('5-playback-largest', '23:50 UTC)  7 of 17  largest 2.04 in')
    await tmux.type('s')
    await golden('5-playback-swaths', 'radar estimated up to the 2.00 in band')
    await tmux.type('n-')
    await golden('5-playback-swaths-farther', /^(?![\s\S]*•)[\s\S]*2\.00 in band/)
    await tmux.type('?')
    await golden('help', 'write the chosen rows')
  })

  test.concurrent('copy, write and open the item at the cursor, and follow names', async (context) => {
    const masked = await maskedIds(sample)
    const tmux = await screens(context, 120, 24, { BROWSER: './browser' })
    writeFileSync(path.join(tmux.folder, 'browser'), '#!/bin/sh\nprintf %s "$1" >opened\n')
    chmodSync(path.join(tmux.folder, 'browser'), 0o755)
    await tmux.shows('1 of 1')
    await tmux.type('y')
    await tmux.shows('Copied')
    expect(masked((await tmux.tmux('show-buffer')).trim())).toBe('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx')
    await tmux.type('e')
    await tmux.shows('Written to')
    const file = readdirSync(tmux.folder).find((name) => name.startsWith('reports-')) as string
    const report = JSON.parse(readFileSync(path.join(tmux.folder, file), 'utf8'))
    expect(report).toMatchObject({ object: 'report', status: 'complete' })
    await tmux.type('o')
    await tmux.shows('Opened')
    await context.expect
      .poll(() => readFileSync(path.join(tmux.folder, 'opened'), 'utf8'))
      .toBe(`${sample.url}/verify/${report.fingerprint}`)
    await tmux.type(':expo', 'Enter')
    await tmux.shows('1 of 10, open')
    await tmux.type('*')
    await tmux.shows('10 chosen')
    await tmux.type('e')
    await tmux.shows('Written to exposures.json')
    expect(JSON.parse(readFileSync(path.join(tmux.folder, 'exposures.json'), 'utf8'))).toHaveLength(10)
    // A second one does not replace the first.
    await tmux.type('e')
    await tmux.shows('Written to exposures-2.json')
    await tmux.type(':nowhere', 'Enter')
    await tmux.shows('There is no screen "nowhere"')
  })

  test.concurrent('move inside an opened item with Tab, and play a day in the colours of its bands', async (context) => {
    const tmux = await screens(context, 160, 30)
    await tmux.shows('1 of 1')
    await tmux.type('Enter')
    expect(await tmux.shows('Thunderstorm')).not.toContain('2025-03-04  thunderstorm wind')
    await tmux.type('Tab', 'G')
    await tmux.shows('2025-03-04  thunderstorm wind')
    await tmux.type('g', 'Escape', '5')
    await tmux.shows('1 of 17')
    await tmux.type('G', 'Left', 'k', 'g', 'Right', 'jjjjj')
    await tmux.shows('7 of 17')
    // Blue, green, yellow and red, as the terminal numbers them.
    const coloured = await tmux.text('coloured')
    for (const colour of [34, 32, 33, 31]) expect(coloured).toMatch(new RegExp(`\\u001b\\[[0-9;]*${colour}m[\\u2801-\\u28ff]`))
    await tmux.type('g ')
    await tmux.shows(/playing/)
    await tmux.shows(/ [3-9] of 17 .*playing/)
    await tmux.type(' ')
    await tmux.shows(/paused/)
    await tmux.type('s')
    await tmux.shows('largest of the day')
    // Hatching in the violets of the bands, as close as 256 colours allow.
    expect(await tmux.text('coloured')).toMatch(/48;5;\d+m[\u2801-\u28ff]/)
    await tmux.type('s/2025-11-09', 'Enter')
    await tmux.shows('No radar moments are stored for 2025-11-09')
  })

  test.concurrent.for<readonly [string, string | null, number]>([
    ['q in a burst of keys', 'jjkGg?xjq', 0],
    ['Ctrl-C', 'C-c', 130],
    ['the signal to end', null, 143],
  ])('restore the terminal after %s', async ([, keys, status], context) => {
    const tmux = await screens(context, 80, 24)
    await tmux.shows('1 of 1')
    expect(await tmux.fact('#{alternate_on} #{cursor_flag}')).toBe('1 0')
    if (keys) await tmux.type(keys)
    else process.kill(await tmux.program(), 'SIGTERM')
    expect(await tmux.shows('ended with')).toContain(`ended with ${status}`)
    await context.expect.poll(() => readdirSync(tmux.folder)).toContain('after')
    expect(await tmux.fact('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('0 1 1')
    const stty = (name: string) => readFileSync(path.join(tmux.folder, name), 'utf8')
    await context.expect.poll(() => stty('after')).toBe(stty('before'))
  })

  test.concurrent('work in ASCII and without colour, and refuse a terminal that cannot position its cursor', async (context) => {
    const typewriter = await screens(context, 80, 24, { LANG: 'C', NO_COLOR: '1' })
    await typewriter.shows('1 of 1')
    await typewriter.type('Enter')
    await typewriter.shows('Thunderstorm')
    await typewriter.type('Escape', '4')
    await typewriter.shows('1 of 5')
    await typewriter.type('j', 'Enter')
    expect(await typewriter.shows('Failed for good')).toContain('https://receiver.invalid/...mple')
    await typewriter.type('5')
    await typewriter.shows('1 of 17')
    await typewriter.type('jjjjjj')
    await typewriter.shows('7 of 17')
    const text = (await typewriter.text('coloured')).replaceAll('\u001b', '<escape>')
    expect(text).toMatch(/[+#]{3}/)
    expect(text).not.toMatch(/[^\n -~]/)
    expect(text).not.toMatch(/<escape>\[[0-9;]*3[0-7]m/)
    await typewriter.type('s')
    await typewriter.shows('largest of the day')
    const swaths = (await typewriter.text('coloured')).replaceAll('\u001b', '<escape>')
    expect(swaths).toMatch(/-==\+/)
    expect(swaths).not.toMatch(/[^\n -~]|<escape>\[[0-9;]*[34]8/)
    const dumb = await screens(context, 80, 24, { TERM: 'dumb' })
    expect(await dumb.shows('ended with')).toMatch(/need a terminal with cursor control[\s\S]*ended with 2/)
  })

  test('work the inbox: live warnings on top, selecting, acknowledging, dismissing, undoing, reopening, filters', async (context) => {
    const ends = new Date(sample.world.clock.now().getTime() + HOUR).toISOString()
    const { rows } = await sample.world.app.pool.query<{ id: string }>('SELECT id FROM properties WHERE team_id = $1', [sample.team.id])
    const warning = { ...aWarning, expires_at: ends, ends_at: ends }
    const id = await anExposure(sample.world, sample.team, {
      kind: 'warning',
      property_id: rows[0]!.id,
      warning_key: 'w1',
      warning,
      date: '2020-01-01',
    })
    const tmux = await screens(context, 100, 24)
    await tmux.type('2')
    await tmux.shows('1 of 11, open')
    await tmux.shows('▲ Severe Thunderstorm Warning until 2026-06-21 13:00 UTC: Sample, made up: Main Street')
    await tmux.type('  ')
    await tmux.shows('3 of 11, 2 chosen, open')
    await tmux.type('a')
    await tmux.shows('acknowledged: 2. u undoes it within 10 s.')
    expect((await states()).slice(0, 3)).toEqual(['acked', 'acked', 'open'])
    await tmux.type('u')
    await tmux.shows('acknowledged, undone: 2')
    expect((await states())[0]).toBe('open')
    // Also after another screen was shown, and another filter.
    await tmux.type('a')
    await tmux.shows('acknowledged: 1. u undoes it within 10 s.')
    await tmux.type('1')
    await tmux.shows('[1 reports]')
    await tmux.type('u')
    await tmux.shows('There is nothing to undo.')
    await tmux.type('2')
    await tmux.shows('of 10, open')
    await tmux.type('u')
    await tmux.shows('acknowledged, undone: 1')
    await tmux.shows('of 11, open')
    expect(await states()).not.toContain('acked')
    // What a colleague decides meanwhile is not undone.
    await tmux.type('a')
    await tmux.shows('acknowledged: 1. u undoes it within 10 s.')
    await sample.world.app.db.exposure.updateMany({
      where: { acknowledged_at: { not: null } },
      data: { dismissed_at: sample.world.clock.now(), acknowledged_at: null },
    })
    await tmux.type('u')
    await tmux.shows('acknowledged, undone: 0. Changed by somebody since, and left: 1.')
    expect(await states()).toContain('dismissed')
    await sample.world.app.db.exposure.updateMany({ data: { dismissed_at: null } })
    await tmux.type('r')
    await tmux.shows(/of 11, open/)
    await tmux.type('u')
    await tmux.shows('There is nothing to undo.')
    await tmux.type('Gd')
    await tmux.shows('dismissed: 1')
    await tmux.type('/closed', 'Enter')
    await tmux.shows('1 of 1, /closed')
    await tmux.type('R')
    await tmux.shows('reopened: 1')
    expect(await states()).toEqual(Array(11).fill('open'))
    await tmux.type('/', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace', 'all property 1.5', 'Enter')
    expect(await tmux.shows('1 of 1, /all property 1.5')).toContain('Tornado')
    await tmux.type('/ nonsense', 'Enter')
    await tmux.shows(/min_measured_in: /)
    // An opened row is read again, too.
    await tmux.type('/', ...Array('all property 1.5 nonsense'.length).fill('BSpace'), 'warning', 'Enter')
    await tmux.shows('1 of 1, /warning')
    await tmux.type('Enter')
    await tmux.shows('2020-01-01: open')
    await sample.world.app.db.exposure.update({ where: { id }, data: { acknowledged_at: sample.world.clock.now() } })
    await tmux.type('r')
    await tmux.shows('2020-01-01: acked')
    await sample.world.app.db.exposure.delete({ where: { id } })
  })

  test('send a delivery again, and show which destination fails', async (context) => {
    await sample.world.app.pool.query('UPDATE integrations SET active = true, failure_streak = 50, last_failure = $1', ['It answered 503.'])
    const tmux = await screens(context, 100, 24)
    await tmux.type('4')
    await tmux.shows('1 of 5')
    await tmux.shows('▲ Sample, made up: CRM is failing: It answered 503.')
    await tmux.type('js')
    await tmux.shows('sent again: 1')
    expect((await sample.world.app.pool.query(`SELECT FROM deliveries WHERE status IN ('queued', 'retrying')`)).rowCount).toBe(1)
    await sample.world.app.pool.query('UPDATE integrations SET active = false, failure_streak = 1')
  })

  test('show that the connection is lost, continue when it is back, and fit every size', async (context) => {
    const masked = await maskedIds(sample)
    const tmux = await screens(context, 80, 24)
    await tmux.type('2')
    await tmux.shows('1 of 10, open')
    await sample.stop()
    await tmux.type('r')
    await tmux.shows('▲ No connection: retrying.')
    // Loaded rows stay, and can be moved through.
    await tmux.type('G')
    await tmux.shows('10 of 10')
    await sample.restart()
    await context.expect.poll(() => tmux.text()).not.toContain('No connection')
    await tmux.type('g')
    await tmux.resize(30, 6)
    await tmux.shows(/^\? help {2}q quit/m)
    await tmux.resize(160, 50)
    await tmux.shows('o browser')
    const golden = readFileSync('test/golden/terminal/160x50/2-exposures.txt', 'utf8')
    await context.expect.poll(async () => masked(await tmux.text())).toBe(golden)
  })

  test('scroll through 10,000 exposures, reading only the pages in view, without waiting for a page', async (context) => {
    const { app } = sample.world
    const team = await aTeam(sample.world)
    const { token } = await aToken(sample.world, team)
    const { id: property_id } = await aKeptProperty(sample.world, team)
    const first = await anExposure(sample.world, team, { headline: 'Hail 0', property_id })
    const { rows } = await app.pool.query<{ columns: string }>(
      `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = 'exposures' AND column_name NOT IN ('id', 'headline', 'date')`,
    )
    await app.pool.query(
      `INSERT INTO exposures (headline, date, ${rows[0]!.columns})
       SELECT 'Hail ' || n, date - n, ${rows[0]!.columns} FROM exposures, generate_series(1, 9999) AS n WHERE id = $1`,
      [first],
    )
    const line = await openLine(sample.url)
    context.onTestFinished(() => line.close())
    const tmux = await screens(context, 80, 24, { WEATHER_URL: line.url, WEATHER_TOKEN: token })
    await tmux.type('2')
    await tmux.shows('1 of 10,000, open')
    await tmux.type('G')
    await tmux.shows('10,000 of 10,000')
    await tmux.shows(/❯.*Hail 9999/)
    await tmux.type(...Array<string>(30).fill('PPage'))
    await tmux.shows(/❯.*Hail 9429/)
    await tmux.type('g')
    await tmux.shows(/❯.*Hail 0/)
    const pages = line.requests.filter((one) => one.startsWith('GET /api/v1/exposures?open'))
    // Ten pages were passed; at most as many were read again when they came back into view.
    expect(pages.length).toBeLessThan(30)
    // The service no longer responds: the cursor moves on through rows that are not loaded yet.
    line.hold(true)
    await tmux.type(...Array<string>(40).fill('NPage'))
    await tmux.shows('761 of 10,000')
    line.hold(false)
    await tmux.shows(/❯.*Hail 760/)
    // Rows that were never in view are selected and written too: they are read first, and a key stops that.
    line.hold(true)
    await tmux.type('*')
    await tmux.shows(/761 of 10,000, reading [\d,]+ to choose, open/)
    await tmux.type('a')
    await tmux.shows('Still reading the rows to choose')
    await tmux.type('Escape')
    await tmux.shows('761 of 10,000, open')
    await tmux.type('*')
    line.hold(false)
    await tmux.shows('10,000 chosen')
    await tmux.type('e')
    await tmux.shows('Written to exposures.json')
    const written = JSON.parse(readFileSync(path.join(tmux.folder, 'exposures.json'), 'utf8'))
    expect(new Set(written.map(({ headline }: { headline: string }) => headline)).size).toBe(10_000)
    await tmux.type('*')
    await tmux.shows('761 of 10,000, open')
    await app.pool.query('DELETE FROM exposures WHERE team_id = $1', [team.id])
  })
})
