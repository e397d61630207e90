import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type Line, openLine } from './line.ts'
import { openSample, type SampleService } from './sample.ts'
import { openTmux, type Tmux, tmuxIsThere } from './tmux.ts'

describe.skipIf(!tmuxIsThere)(`screens of a failing service${tmuxIsThere ? '' : ' (skipped: no tmux)'}`, () => {
  let sample: SampleService
  beforeAll(async () => {
    sample = await openSample()
  })
  afterAll(() => sample?.close())

  /** Screens of their own, over a connection of their own. */
  const screens = async ({ onTestFinished }: TestContext, columns = 100, rows = 24): Promise<{ tmux: Tmux; line: Line }> => {
    const line = await openLine(sample.url)
    onTestFinished(() => line.close())
    const tmux = await openTmux(columns, rows, { WEATHER_URL: line.url, WEATHER_TOKEN: sample.token })
    onTestFinished(() => tmux.close())
    await tmux.shows('1 of 1')
    return { tmux, line }
  }
  const json = { 'content-type': 'application/json' }
  /**
   * Refuses every request with this response.
   * @param retry_after seconds
   */
  const refuse =
    (status: number, code: string, message: string, retry_after: number): Parameters<Line['instead']>[0] =>
    (_request, response) => {
      const body = { object: 'error', status, code, message, errors: null, retry_after }
      response.writeHead(status, { ...json, 'retry-after': String(retry_after) }).end(JSON.stringify(body))
    }

  test('a row whose response is late does not open if another was requested since', async (context) => {
    const { tmux, line } = await screens(context)
    await tmux.type('2')
    await tmux.shows('1 of 10, open')
    const late: (() => void)[] = []
    line.instead((request, _response, pass) => (late.length === 0 && /exposures\/\d+$/.test(request) ? void late.push(pass) : pass()))
    await tmux.type('Enter')
    await context.expect.poll(() => late.length).toBe(1)
    await tmux.type('jjjj', 'Enter')
    const opened = await tmux.shows('tornado or funnel cloud 1')
    late[0]!()
    await pause(1000)
    expect(await tmux.text()).toBe(opened)
    // Nor if nothing should be open any more.
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

  test('a write that fails is reported on every screen', async (context) => {
    const { tmux } = await screens(context)
    await tmux.type('5')
    const [date] = /\d{4}-\d\d-\d\d/.exec(await tmux.shows('1 of 17')) ?? []
    mkdirSync(path.join(tmux.folder, `playback-${date}.json`))
    await tmux.type('e')
    await tmux.shows(`playback-${date}.json cannot be written: it is a folder.`)
    await tmux.type('3')
    await tmux.shows('[3 properties]')
  })

  test('an action whose response is lost is reported as unknown, and the screen does not claim to retry it', async (context) => {
    const { tmux, line } = await screens(context)
    await tmux.type('4')
    await tmux.shows('1 of 5')
    line.instead((request, response, pass) => (request.startsWith('POST /graphql') ? void response.destroy() : pass()))
    await tmux.type('s')
    const text = await tmux.shows('is unknown')
    expect(text).toMatch(/sent again: 0 of 1\. The outcome of the next one is unknown/)
    expect(text).not.toContain('retrying')
    expect(line.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
  })

  test('a service with a retry time is requested at once with r, and its state is shown meanwhile', async (context) => {
    const { tmux, line } = await screens(context)
    line.instead(refuse(503, 'engine_unavailable', 'The service is busy.', 3600))
    await tmux.type('3')
    await tmux.shows('The service is busy.')
    expect(await tmux.text()).not.toContain('reading ...')
    line.instead(null)
    await tmux.type('r')
    await tmux.shows('1 of 1')
  })

  test('a rate limit without a retry time is not retried without a pause', async (context) => {
    const { tmux, line } = await screens(context)
    await tmux.type('2')
    await tmux.shows('1 of 10, open')
    line.instead(refuse(429, 'rate_limited', 'Too many requests.', 0))
    await tmux.type('ra')
    await tmux.shows('oo many requests')
    const before = line.requests.length
    await pause(2000)
    expect(line.requests.length - before).toBeLessThan(10)
    // The screen can be left.
    await tmux.type('q')
    await tmux.shows('ended with 0')
  })

  test('an incomplete row is listed with the others, and its details say so', async (context) => {
    const { tmux, line } = await screens(context)
    const row = {
      object: 'exposure',
      id: 7,
      date: null,
      subject: null,
      headline: '\u001b[31mred\u009b5m\u202e',
      largest_measured_in: 'x',
      warning: 4,
    }
    const answer = {
      data: [row, { ...row, id: 8, subject: { name: 'Kept' } }],
      links: { next: null },
      meta: { current_page: 1, last_page: 1, total: 2 },
    }
    line.instead((request, response, pass) => {
      if (!request.includes('exposures')) return pass()
      response.writeHead(200, json).end(JSON.stringify(/exposures\/\d/.test(request) ? { data: row } : answer))
    })
    await tmux.type('2')
    const text = await tmux.shows('1 of 2, open')
    expect(text).toMatch(/Kept/)
    const coloured = await tmux.text('coloured')
    for (const acted_on of ['\u202e', '\u009b', '\u001b[31mred']) expect(coloured).not.toContain(acted_on)
    await tmux.type('Enter')
    await tmux.shows('cannot be shown')
    await tmux.type('Escape', 'a')
    await tmux.type('5')
    await pause(500)
    await tmux.type('q')
    await tmux.shows('ended with 0')
  })

  test('a response that cannot be shown affects only its own screen, until it can be', async (context) => {
    const { tmux, line } = await screens(context)
    line.instead((request, response, pass) =>
      request.includes('/playback')
        ? response
            .writeHead(200, json)
            .end('{"date":"2025-05-28","moments":[{"at":"2025-05-28T00:00:00Z","cells":[null]}],"context":null,"meta":null}')
        : pass(),
    )
    await tmux.type('5')
    await tmux.shows('cannot be shown')
    await tmux.type('1')
    await tmux.shows('1 of 1')
    await tmux.type('5')
    await tmux.shows('cannot be shown')
    line.instead(null)
    await tmux.type('r')
    await tmux.shows(/No radar moments are stored|largest \d/)
  })
})
