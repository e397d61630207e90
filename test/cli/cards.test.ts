import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openSample, type SampleService } from './sample.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { openTmux, tmuxIsThere } from './tmux.ts'

const skipped = tmuxIsThere ? '' : ' (skipped: tmux not present)'

/** The program is bundled first, on a machine that may be busy. */
const READY_WITHIN_MS = 180_000

describe.skipIf(skipped)(`cards${skipped}`, () => {
  let sample: SampleService
  let piped: Terminal
  let report: { id: string; findings: { family_label: string; statement: string }[] }
  const settings = () => ({ WEATHER_URL: sample.url, WEATHER_TOKEN: sample.token })
  const get = async (address: string) =>
    (await fetch(`${sample.url}/api/v1${address}`, { headers: { authorization: `Bearer ${sample.token}` } })).json()
  /** The output of a command on a terminal of this size. */
  const seen = async (words: string[], env: Record<string, string> = {}) => {
    const tmux = await openTmux(90, 60, { ...settings(), ...env }, words)
    onTestFinished(() => tmux.close())
    return tmux.shows('ended with 0')
  }

  beforeAll(async () => {
    sample = await openSample()
    piped = await openTerminal(settings())
    report = (await get(`/reports/${(await get('/reports')).data[0].id}`)).data
  }, READY_WITHIN_MS)
  afterAll(() => sample?.close())

  test('show a report, one card for each finding, with its records', async () => {
    const text = await seen(['reports', 'show', report.id])
    expect(text.match(/╭─/g)).toHaveLength(report.findings.length)
    for (const { family_label } of report.findings) expect(text).toContain(`╭─ ${family_label} ─`)
    expect(text).toContain('Cited records: ')
    expect(text).not.toContain('{"')
  })

  test('show credits and the account, in ASCII if the terminal supports no more', async () => {
    const { balance, monthly_allowance } = (await get('/credits')).data
    const credits = await seen(['credits'])
    expect(credits).toMatch(new RegExp(`╭─ Credits ─+ ${balance} left ╮`))
    expect(credits).toContain(`of ${monthly_allowance} a month`)
    const { team, token } = await get('/account')
    const account = await seen(['account'], { LANG: 'C' })
    expect(account).toMatch(new RegExp(`\\+- ${team.name} -+ ${team.plan_label} \\+`))
    expect(account).toContain(token.prefix)
    expect(account).toMatch(/\+- Reports -+ \d+ left \+/)
  })

  test('are for a terminal only: an explicit format, key output and a pipe stay unchanged', async () => {
    expect(await seen(['credits', '--output', 'table'])).toMatch(/^balance +\d+$/m)
    expect(await seen(['credits', '--fields', 'balance'])).toMatch(/^balance +\d+$/m)
    expect(await seen(['credits', '--json'])).toContain('"balance":')
    expect((await piped('credits')).stdout).toMatch(/^balance +\d+$/m)
    expect((await piped('account')).stdout).toMatch(/^team +/m)
    expect((await piped('reports', 'show', report.id)).stdout).toMatch(/^id +/m)
  })
})
