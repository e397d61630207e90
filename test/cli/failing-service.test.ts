import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundledProgram, openTerminal, type Terminal } from './terminal.ts'
import { openTmux, tmuxIsThere } from './tmux.ts'

/** A proxy in front of the service, or a program in its place: each test defines its response. */
let answer: http.RequestListener
/** Requests since the test began, each as `GET /api/v1/...`, with its body. */
let requests: { line: string; body: string }[]
let server: http.Server
let url: string
let folder: string
let weather: Terminal
beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const call = { line: `${request.method} ${request.url}`, body: '' }
    requests.push(call)
    for await (const part of request) call.body += part
    answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
  weather = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: 'wt_any', WEATHER_OPERATOR_KEY: 'wo_any', XDG_CONFIG_HOME: folder })
})
beforeEach(() => {
  requests = []
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  rmSync(folder, { recursive: true, force: true })
})

const words = (line: string) => line.split(' ')
const PLACE = '--latitude 33.1 --longitude -96.8 --start 2025-01-01 --end 2025-02-01'
const ID = '00000000-0000-7000-8000-000000000000'

describe('a create whose response is lost', () => {
  it.each([
    ['reports order --tag north --yes', 'orderReports', { report_ids: [ID], credits_spent: 1, credits_remaining: 2 }],
    ['alerts create --name Hail --to ann@example.com', 'createAlertRule', { id: ID, kinds: [], recipients: [] }],
    [`admin credits top-up --team ${ID} --amount 5`, 'adminTopUp', { team: ID, balance: 5 }],
    ['admin team create --name Roofs', 'adminCreateTeam', { id: ID }],
    [`admin token issue --team ${ID} --name CI --all-abilities`, 'adminIssueToken', { token: 'wt_x', prefix: 'wt_x' }],
  ])('is sent again under its key: weather %s', async (line, field, made) => {
    const keys: unknown[] = []
    answer = (_, response) => {
      const { query, variables } = JSON.parse(requests.at(-1)!.body)
      if (query.includes('reportQuote'))
        return response.end(JSON.stringify({ data: { reportQuote: { property_count: 1, not_located_count: 0, cost: 1, balance: 3 } } }))
      keys.push(variables.idempotency_key ?? variables.key)
      return keys.length === 1 ? response.destroy() : response.end(JSON.stringify({ data: { [field]: made } }))
    }
    expect(await weather(...words(line))).toMatchObject({ status: 0, stderr: '' })
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
  })

  it('each time names its key', async () => {
    answer = (_, response) => response.destroy()
    const { status, stderr } = await weather(...words(`reports create ${PLACE}`))
    expect(status).toBe(1)
    expect(stderr).toMatch(/cannot be reached: [\s\S]*--idempotency-key [0-9a-f-]{36}\b/)
  })

  it('behind a proxy’s error names its key', async () => {
    answer = (_, response) => response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>Gateway Timeout</h1>')
    const { status, stderr } = await weather(...words(`reports create ${PLACE} --idempotency-key mine's`))
    expect(status).toBe(1)
    // As a word for the shell that the line is copied to.
    expect(stderr).toContain(`--idempotency-key 'mine'\\''s'`)
  })
})

describe('a redirect', () => {
  it.each([
    `reports create ${PLACE}`,
    'reports list',
    'alerts list',
    'export reports',
    'admin team list',
    'archive export',
    `reports pdf ${ID}`,
    'tiles get 6 14 25',
  ])('is reported, and not followed: weather %s', async (line) => {
    answer = (request, response) =>
      request.url === '/elsewhere'
        ? response.end(JSON.stringify({ data: [], links: { next: null }, meta: { total: 0 } }))
        : response.writeHead(302, { location: '/elsewhere\u009b31m' }).end()
    const { status, stdout, stderr } = await weather(...words(line))
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining('/elsewhere') })
    expect(requests).toHaveLength(1)
    expect(stderr).not.toContain('\u009b')
  })
})

describe('a web page instead of a file', () => {
  it.each(['export reports', 'archive export', 'swaths 2025-05-28', 'storms show 2025-05-28', 'tiles get 6 14 25', `reports pdf ${ID}`])(
    'is not saved: weather %s',
    async (line) => {
      answer = (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in to the network</h1>')
      const file = path.join(folder, 'saved')
      const { status, stderr } = await weather(...words(line), '--out', file)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('web page') })
      expect(existsSync(file)).toBe(false)
    },
  )
})

describe('a response that does not come from the service', () => {
  const lines = [
    'whoami',
    'reports list',
    'alerts list',
    'admin team list',
    'export reports',
    'basemap status',
    'status',
    `reports show ${ID}`,
  ]
  it.each(
    lines.flatMap((line) =>
      [
        ...(line === 'export reports' ? [] : [[200, 'null']]),
        ...(/list|status$|whoami/.test(line) && line !== 'basemap status' ? [[200, '{"status":"ok"}']] : []),
        [502, '{"error":"bad gateway"}'],
        [502, 'null'],
        [502, '{"message":null,"errors":{"a":null}}'],
      ].map(([status, body]) => [line, status as number, body as string] as const),
    ),
  )('fails with a sentence: weather %s, %i %s', async (line, code, body) => {
    answer = (_, response) => response.writeHead(code, { 'content-type': 'application/json' }).end(body)
    const { status, stderr } = await weather(...words(line))
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^weather: (The service returned |The response |The data has a form )[\s\S]+\n$/),
    })
  })

  it('stores no login', async () => {
    answer = (_, response) => response.end('{"status":"ok"}')
    expect((await weather('login', '--profile', 'none')).status).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('waiting for a report', () => {
  it('names the report if the wait fails', async () => {
    answer = (request, response) =>
      request.method === 'POST'
        ? response.writeHead(202).end(JSON.stringify({ data: { id: ID, status: 'pending' } }))
        : response.writeHead(500).end('<h1>Internal Server Error</h1>')
    const { status, stderr } = await weather(...words(`reports create ${PLACE} --wait`))
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`weather reports wait ${ID}`) })
    // The command that it suggests is for the same service.
    const home = mkdtempSync(path.join(folder, 'config-'))
    mkdirSync(path.join(home, 'weather'))
    writeFileSync(path.join(home, 'weather/profiles.json'), JSON.stringify({ 'my work': { url, token: 'wt_any' } }), { mode: 0o600 })
    const named = await openTerminal({ XDG_CONFIG_HOME: home })
    const ordered = await named(...words(`reports create ${PLACE} --wait --profile`), 'my work')
    expect(ordered.stderr).toContain(`weather reports wait ${ID} --profile 'my work'\n`)
  })

  it.each([
    [429, 'rate_limited', 'Too many requests.'],
    [503, 'engine_unavailable', 'The service cannot answer at the moment.'],
  ])('continues after %i, when Retry-After says; the end of the wait ends it', async (status, code, message) => {
    const busy = JSON.stringify({ object: 'error', status, code, message, errors: null, retry_after: 1 })
    const data = { id: ID, status: 'complete', address: {}, window: {} }
    let left = 1
    answer = (_, response) =>
      left-- > 0
        ? response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(busy)
        : response.end(JSON.stringify({ data }))
    expect(await weather('reports', 'wait', ID, '--timeout', '5')).toMatchObject({ status: 0, stderr: '' })
    expect(requests).toHaveLength(2)
    left = Number.POSITIVE_INFINITY
    expect(await weather('reports', 'wait', ID, '--timeout', '1')).toMatchObject({ status: 75, stderr: expect.stringContaining(message) })
  })

  it('pauses between requests', async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'retry-after': '0' }).end(JSON.stringify({ data: { id: ID, status: 'pending', address: {}, window: {} } }))
    expect((await weather('reports', 'wait', ID, '--timeout', '3')).status).toBe(75)
    expect(requests.length).toBeLessThan(6)
  })
})

it('watching exposures continues through an error of the service', async () => {
  const child = spawn(process.execPath, [await bundledProgram(), ...words('exposures watch --every 0.2')], {
    env: { PATH: process.env.PATH, WEATHER_URL: url, WEATHER_TOKEN: 'wt_any' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const exposure = { id: 1, last_seen_at: '2030-01-01T00:00:00Z' }
    answer = (_, response) =>
      requests.length === 1
        ? response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Service Unavailable</h1>')
        : response.end(JSON.stringify({ data: [exposure], links: { next: null }, meta: { total: 1 } }))
    const [printed] = await once(child.stdout, 'data')
    expect(JSON.parse(String(printed).split('\n')[0]!)).toEqual(exposure)
  } finally {
    child.kill()
  }
})

it('watching exposures prints the chosen keys as JSON lines, and refuses another format', async () => {
  const exposure = { id: 1, headline: 'Hail', last_seen_at: '2030-01-01T00:00:00Z' }
  answer = (_, response) => response.end(JSON.stringify({ data: [exposure], links: { next: null }, meta: { total: 1 } }))
  const watch = (line: string) => weather(...words(`exposures watch --once ${line}`))
  for (const line of ['--fields id', '--fields id --json', '--fields id --output ndjson'])
    expect(await watch(line)).toEqual({ status: 0, stdout: '{"id":1}\n', stderr: '' })
  for (const line of ['--output csv', '--output table'])
    expect(await watch(line)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--output must be ndjson') })
})

it("watching exposures begins at the service's time, whatever the clock here shows", async () => {
  answer = (_, response) => {
    response.setHeader('date', 'Tue, 01 Jan 2030 00:00:00 GMT')
    response.end(JSON.stringify({ data: [], links: { next: null }, meta: { total: 0 } }))
  }
  expect((await weather('exposures', 'watch', '--once')).status).toBe(0)
  const sent = requests.map(({ line }) => new URL(line.split(' ')[1]!, url).searchParams.get('since'))
  expect(sent).toEqual([null, '2030-01-01T00:00:00.000Z'])
})

it('watching exposures continues each page at the position that the link names', async () => {
  const position = '2030-01-01T00:00:00.000001Z,2029-12-31,2'
  const pages = [
    { id: 2, last_seen_at: '2030-01-01T00:00:00.000001Z', next: `https://elsewhere.example/api/v1/exposures?page=2&after=${position}` },
    { id: 1, last_seen_at: '2029-12-31T00:00:00Z', next: null },
  ]
  answer = (_, response) => {
    const { next, ...exposure } = pages[requests.length - 1]!
    response.end(JSON.stringify({ data: [exposure], links: { next }, meta: { total: 2 } }))
  }
  const { status, stdout } = await weather(...words('exposures watch --once --fields id --since 2029-01-01T00:00:00Z'))
  expect([status, stdout]).toEqual([0, '{"id":1}\n{"id":2}\n'])
  const sent = requests.map(({ line }) => new URL(line.split(' ')[1]!, url).searchParams)
  expect(sent.map((query) => [query.get('page'), query.get('after')])).toEqual([
    ['1', null],
    ['2', position],
  ])
})

it('a single check of exposures whose response is lost is not reported as an empty one', async () => {
  answer = (_, response) => response.destroy()
  expect(await weather('exposures', 'watch', '--once')).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be reached') })
})

it('a listener survives a post that breaks off', async () => {
  const child = spawn(process.execPath, [await bundledProgram(), ...words('listen --port 0 --fields body')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const [output] = (await once(child.stderr, 'data')) as [Buffer]
    const port = Number(/:(\d+);/.exec(String(output))?.[1])
    const broken = connect(port, '127.0.0.1')
    await once(broken, 'connect')
    broken.end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"a":', () => broken.destroy())
    await once(broken, 'close')
    const printed = once(child.stdout, 'data')
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"a":1}' })).status).toBe(204)
    expect(String((await printed)[0])).toBe('{"body":{"a":1}}\n')
  } finally {
    child.kill()
  }
})

it('a listener answers each post that is too long with 413', async () => {
  const child = spawn(process.execPath, [await bundledProgram(), 'listen', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const [output] = (await once(child.stderr, 'data')) as [Buffer]
    const port = Number(/:(\d+);/.exec(String(output))?.[1])
    const post = (bytes: number) =>
      new Promise((resolve) => {
        const request = http.request({ port, method: 'POST', agent }, (response) =>
          response.resume().on('end', () => resolve(response.statusCode)),
        )
        request.on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code)).end(Buffer.alloc(bytes))
      })
    const statuses = []
    for (const mib of [5, 60, 5, 60]) statuses.push(await post(mib * 1024 * 1024))
    expect([...statuses, await post(10)]).toEqual([413, 413, 413, 413, 204])
  } finally {
    agent.destroy()
    child.kill()
  }
})

it('an assistant gets a response of one line for each message, whatever responds instead of the service', async () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const terminal = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: 'wt_any' }, `${message}\nnull\n${message}\n`)
  for (const [code, type, body] of [
    [200, 'text/html', '<h1>\nSign in</h1>'],
    [502, 'application/json', 'null'],
  ] as const) {
    answer = (_, response) => response.writeHead(code, { 'content-type': type }).end(body)
    const { status, stdout } = await terminal('mcp')
    expect(status).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { id: 1, error: { code: -32000 } },
      { id: null, error: { code: -32600 } },
      { id: 1, error: { code: -32000 } },
    ])
  }
})

describe('the differences between reports', () => {
  const came = {
    change: 'came',
    fields: [],
    old: null,
    new: { type: 'hail', occurred_on: '2025-05-28', provenance: { source_label: 'MESH' } },
  }
  const diff = { differs: true, records: [{ ...came, revisions: [] }], findings: [], statements: [] }
  const report = { id: ID, status: 'pending', address: { query: 'x' }, window: {} }
  const answerWith = (reportDiff: object) => {
    answer = (_, response) =>
      response.end(JSON.stringify({ data: requests.at(-1)!.body.includes('refreshReport(') ? { refreshReport: report } : { reportDiff } }))
  }

  it('are beside the one answer of a refresh, or are the answer if nothing is created', async () => {
    answerWith(diff)
    const made = await weather('reports', 'refresh', ID, '--yes', '--json')
    expect([made.status, JSON.parse(made.stdout)]).toEqual([0, { data: report }])
    expect(made.stderr).toContain('hail of 2025-05-28, MESH')
    answerWith({ ...diff, differs: false, records: [] })
    const same = await weather('reports', 'refresh', ID, '--yes', '--json')
    expect([same.status, JSON.parse(same.stdout).differs, same.stderr]).toEqual([0, false, 'There are no differences.\n'])
  })

  it('are those of two reports, or of one and today, and not both', async () => {
    answerWith(diff)
    expect((await weather('reports', 'diff', ID, '--today')).status).toBe(0)
    expect((await weather('reports', 'diff', ID, ID)).status).toBe(0)
    expect(await weather('reports', 'diff', ID, ID, '--today')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('--today'),
    })
  })
})

it('an API request that cannot have a body is a usage error, and is not sent', async () => {
  for (const data of ['{}', 'null'])
    expect(await weather('api', 'get', '/reports', '--data', data)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('GET sends no body'),
    })
  expect((await weather('api', 'post', '/reports', '--data', '{}', '--input', '-')).status).toBe(2)
  expect(requests).toEqual([])
})

describe('what is done before a failure', () => {
  it('of several files to import is printed, with the file that failed', async () => {
    const files = ['a.csv', 'b.csv', 'c.csv'].map((name) => path.join(folder, name))
    for (const file of files) writeFileSync(file, 'row\n')
    const rejections = [{ row: 'line 2', reason: 'it has no date' }]
    const counts = { rows: 500, inserted: 499, updated: 0, unchanged: 0, withdrawn: 0, rejected: 1 }
    answer = (_, response) =>
      requests.length === 3
        ? response.destroy()
        : response.end(
            [
              { object: 'import_rejections', rejections },
              { file_name: `file ${requests.length}`, ...counts, notes: [], rejections },
            ]
              .map((line) => JSON.stringify(line))
              .join('\n'),
          )
    const { status, stdout, stderr } = await weather('archive', 'import', 'spc-reports', ...files, '--json')
    for (const file of files) rmSync(file)
    expect([status, JSON.parse(stdout).map(({ file_name }: { file_name: string }) => file_name)]).toEqual([1, ['file 1', 'file 2']])
    expect(stderr).toContain('file 2: 1 row rejected: it has no date\n')
    expect(stderr).toContain(`2 of 3 files were imported, then ${files[2]} failed.\n`)
  })

  it('of many exposures is printed', async () => {
    answer = (_, response) => {
      const { ids } = JSON.parse(requests.at(-1)!.body).variables
      if (requests.length > 1) return response.writeHead(500).end('{}')
      const exposure = { nearest_miles: null, subject: { object: 'property' } }
      response.end(JSON.stringify({ data: { moved: ids.map((id: number) => ({ id, outcome: 'moved', exposure: { id, ...exposure } })) } }))
    }
    const ids = Array.from({ length: 600 }, (_, at) => String(at + 1))
    const { status, stdout } = await weather('exposures', 'ack', ...ids, '--yes', '--output', 'ndjson')
    expect([status, stdout.split('\n')[0]]).toEqual([1, '{"id":1,"nearest_miles":null,"subject":{"object":"property"}}'])
  })
})

describe('local files', () => {
  /** Runs the program with its output and its messages redirected to files. */
  const into = async (stdout: string, stderr: string, ...line: string[]) => {
    const program = await bundledProgram()
    const child = spawn(process.execPath, [program, ...line], {
      env: { PATH: process.env.PATH, WEATHER_URL: url, WEATHER_TOKEN: 'wt_any', WEATHER_OPERATOR_KEY: 'wo_any' },
      stdio: ['ignore', stdout === 'pipe' ? 'pipe' : openSync(stdout, 'w'), stderr === 'pipe' ? 'pipe' : openSync(stderr, 'w')],
    })
    let messages = ''
    child.stderr?.on('data', (part) => (messages += part))
    const [status] = await once(child, 'close')
    return { status, said: messages }
  }

  it('a full output device is reported', async () => {
    answer = (_, response) => response.end(JSON.stringify({ data: [{ id: 1 }], links: { next: null }, meta: { total: 1 } }))
    const full = { status: 2, said: 'weather: standard output cannot be written: the disk is full.\n' }
    expect(await into('/dev/full', 'pipe', 'reports', 'list')).toEqual(full)
    expect(await into('/dev/full', 'pipe', 'reports', 'list', '--json')).toEqual(full)
    expect(await into('/dev/full', 'pipe', 'export', 'reports', '--out', '-')).toEqual(full)
  })

  it('messages that cannot be written change no exit status', async () => {
    answer = (_, response) =>
      response.writeHead(404).end(JSON.stringify({ object: 'error', status: 404, code: 'not_found', message: 'No.', errors: null }))
    expect(await into('/dev/null', '/dev/full', 'reports', 'show', ID)).toMatchObject({ status: 3 })
  })

  it('a file for an import that cannot be read or written is named', async () => {
    answer = (_, response) => response.end('{"object":"import"}')
    expect(await weather('basemap', 'import', folder)).toMatchObject({
      status: 2,
      stderr: `weather: ${folder} cannot be read: it is a folder.\n`,
    })
    const file = path.join(folder, 'rows.csv')
    writeFileSync(file, 'a\n')
    expect(await weather('archive', 'import', 'spc-reports', file, '--rejections', '/dev/full')).toMatchObject({
      status: 2,
      stderr: 'weather: /dev/full cannot be written: the disk is full.\n',
    })
    rmSync(file)
  })
})

describe.skipIf(!tmuxIsThere)('on a terminal', () => {
  /** All control characters except the end of a line, and characters that change the text direction. */
  const ACTED_ON = /(?!\n)[\p{Cc}\u202e]/u
  const hostile = '\u001b]0;owned\u0007\u009b31mred\u202e'

  it('prints no control characters, from names of fields or from the bytes of a file', async ({ onTestFinished }) => {
    answer = (_, response) => response.end(JSON.stringify({ data: [{ [hostile]: hostile }], links: { next: null }, meta: { total: 1 } }))
    for (const line of [
      'reports list --output csv',
      'admin team list',
      'export reports --out -',
      'tiles get 1 1 1',
      'api GET /reports --output table',
    ]) {
      const tmux = await openTmux(100, 24, { WEATHER_URL: url, WEATHER_TOKEN: 'wt_any', WEATHER_OPERATOR_KEY: 'wo_any' }, words(line))
      onTestFinished(() => tmux.close())
      await tmux.shows('ended with')
      expect({ line, title: await tmux.fact('#{pane_title}') }).not.toMatchObject({ title: 'owned' })
    }
    const { stdout } = await weather('admin', 'team', 'list')
    expect(stdout).not.toMatch(ACTED_ON)
    answer = (_, response) => response.end(JSON.stringify({ data: { adminTeams: [{ [hostile]: hostile }] } }))
    expect((await weather('admin', 'team', 'list')).stdout).not.toMatch(ACTED_ON)
    answer = (_, response) => response.end(JSON.stringify({ data: { [hostile]: hostile } }))
    expect((await weather('reports', 'show', ID)).stdout).not.toMatch(ACTED_ON)
  })

  it('says that it is waiting for a slow service', async ({ onTestFinished }) => {
    const late: (() => void)[] = []
    answer = (_, response) => {
      const body = requests.at(-1)!.body.includes('operatorKeys')
        ? { data: { operatorKeys: [] } }
        : { data: [], links: { next: null }, meta: { total: 0 } }
      late.push(() => response.end(JSON.stringify(body)))
    }
    const settings = { WEATHER_URL: url, WEATHER_TOKEN: 'wt_any', WEATHER_OPERATOR_KEY: 'wo_any' }
    const lines = ['reports list', 'operator keys list'].map((line) => openTmux(100, 24, settings, words(line)))
    for (const opened of lines) {
      const tmux = await opened
      onTestFinished(() => tmux.close())
      await tmux.shows(/^Waiting for http:\/\/127\.0\.0\.1:\d+: \d+ s$/m)
    }
    for (const answered of late) answered()
    for (const opened of lines) {
      const tmux = await opened
      expect(await tmux.shows('ended with')).not.toContain('Waiting')
    }
  })

  it('leaves a prompt with Ctrl-C', async ({ onTestFinished }) => {
    const tmux = await openTmux(100, 24, { WEATHER_URL: url, WEATHER_TOKEN: 'wt_any' }, words(`reports delete ${ID}`))
    onTestFinished(() => tmux.close())
    await tmux.shows('[y/N]')
    await tmux.type('C-c')
    expect(await tmux.shows('ended with')).toMatch(/ended with 130/)
    expect(await tmux.text()).not.toMatch(/Warning|at async|abort/i)
    const ended = await openTmux(100, 24, { WEATHER_URL: url, WEATHER_TOKEN: 'wt_any' }, words(`reports delete ${ID}`))
    onTestFinished(() => ended.close())
    await ended.shows('[y/N]')
    await ended.type('C-d')
    expect(await ended.shows('ended with')).toMatch(/Nothing was changed\.\s+ended with 1\s/)
    const login = await openTmux(100, 24, {}, words(`login --url ${url}`))
    onTestFinished(() => login.close())
    await login.shows('Token:')
    await login.type('C-d')
    expect(await login.shows('ended with')).toMatch(/There is no token:[\s\S]+ended with 4\s/)
  })
})
