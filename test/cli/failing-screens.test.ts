import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type Line, openLine } from './line.ts'
import { openSample, type SampleService } from './sample.ts'
import { openTmux, type Tmux, tmuxIsThere } from './tmux.ts'

describe.skipIf(!tmuxIsThere)(`screens of a failing service${tmuxIsThere ? '' : ' (skipped: no tmux)'}`, { timeout: 60_000 }, () => {
  let sample: SampleService
  beforeAll(async () => {
    sample = await openSample()
  })
  afterAll(() => sample?.close())

  /** Screens of their own, over a line of their own. */
  const screens = async ({ onTestFinished }: TestContext, columns = 100, rows = 24): Promise<{ tmux: Tmux; line: Line }> => {
    const line = await openLine(sample.url)
    onTestFinished(() => line.close())
    const tmux = await openTmux(columns, rows, { WEATHER_URL: line.url, WEATHER_TOKEN: sample.token })
    onTestFinished(() => tmux.close())
    await tmux.shows('1 of 1')
    return { tmux, line }
  }
  test('a row whose answer is late is not opened where another was asked for since', async (context) => {
    const { tmux, line } = await screens(context)
    await tmux.type('2')
    await tmux.shows('1 of 10, open')
    const late: (() => void)[] = []
    line.instead((asked, _response, pass) => (late.length === 0 && /exposures\/\d+$/.test(asked) ? void late.push(pass) : pass()))
    await tmux.type('Enter')
    await context.expect.poll(() => late.length).toBe(1)
    await tmux.type('jjjj', 'Enter')
    const opened = await tmux.shows('tornado 1')
    late[0]!()
    await pause(1000)
    expect(await tmux.text()).toBe(opened)
    // Nor where nothing is to be open any more.
    await tmux.type('Escape')
    await tmux.shows('5 of 10, open')
    late.length = 0
    await tmux.type('Enter')
    await context.expect.poll(() => late.length).toBe(1)
    await tmux.type('Escape')
    late[0]!()
    await pause(1000)
    expect(await tmux.text()).toContain('5 of 10, open')
  })

  test('what cannot be written is reported on every screen', async (context) => {
    const { tmux } = await screens(context)
    await tmux.type('5')
    const [date] = /\d{4}-\d\d-\d\d/.exec(await tmux.shows('1 of 17')) ?? []
    mkdirSync(path.join(tmux.folder, `playback-${date}.json`))
    await tmux.type('e')
    await tmux.shows(`playback-${date}.json cannot be written: it is a folder.`)
    await tmux.type('3')
    await tmux.shows('[3 properties]')
  })

  test('an action whose answer is lost is said to be unknown, and is not said to be tried again', async (context) => {
    const { tmux, line } = await screens(context)
    await tmux.type('4')
    await tmux.shows('1 of 5')
    line.instead((asked, response, pass) => (asked.startsWith('POST /graphql') ? void response.destroy() : pass()))
    await tmux.type('s')
    const text = await tmux.shows('not known')
    expect(text).toMatch(/sent again: 0 of 1\. It is not known whether the next was/)
    expect(text).not.toContain('trying again')
    expect(line.asked.filter((asked) => asked.startsWith('POST'))).toHaveLength(1)
  })
})
