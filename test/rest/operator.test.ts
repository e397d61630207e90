import http from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueOperatorKey, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { detailsName, sampleDetails } from '#domain/archive/sample/storm-files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { listen } from '#test/support/listen.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { differences, errorBody } from './keys.ts'

let world: World
let rest: Rest
let port: number
beforeAll(async () => {
  world = await openWorld()
  rest = await openRest(world)
  port = await listen(rest.fastify)
})
afterAll(() => rest.close())

const NAME = `file_name=${encodeURIComponent(detailsName)}`
const details = Buffer.from(sampleDetails())

/** Sends a file over a socket, as the command-line program does. */
function upload(path: string, file: Buffer, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/octet-stream', ...headers },
      },
      async (response) => {
        let text = ''
        for await (const part of response) text += part
        resolve({ status: response.statusCode ?? 0, text })
      },
    )
    request.on('error', reject)
    request.end(file)
  })
}

describe('the upload', () => {
  it.each<[path: string, status: number, more?: Record<string, string>]>([
    ['/operator/archive/spc-reports?file_name=undated.csv', 422],
    ['/operator/archive/spc-reports?file_name=undated.csv', 200, { accept: 'application/x-ndjson' }],
    ['/operator/archive/nothing?file_name=x.csv', 404],
    [`/operator/archive/sample?${NAME}&quite=true`, 422],
    ['/operator/basemap?file_name=x.pmtiles', 422],
    ['/operator/basemap', 422],
  ] as const)(
    'reads the rest of a file that is refused, so that the sender gets the response: %s',
    async (path, status, more = {}) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      try {
        const headers = { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/octet-stream', ...more }
        const request = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers })
        const sent = new Promise((resolve) => request.end(Buffer.alloc(8 * 1024 * 1024, '|'), () => resolve('sent')))
        const responded = new Promise<number>((resolve, reject) => {
          request.on('error', reject)
          request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
        })
        expect([await responded, await sent]).toEqual([status, 'sent'])
        // The connection is free for the next request.
        const next = await new Promise((resolve, reject) => {
          http
            .get({ host: '127.0.0.1', port, path: '/healthz', agent }, (response) => resolve(response.resume().statusCode))
            .on('error', reject)
        })
        expect(next).toBe(200)
      } finally {
        agent.destroy()
      }
    },
    10_000,
  )

  it('refuses a parameter that it does not know: a misspelled quiet would announce old storms', async () => {
    for (const [query, name, meant] of [
      ['quite=true', 'quite', 'quiet'],
      ['whole-year=true', 'whole-year', 'whole_year'],
      ['quiet[]=true', 'quiet[]', 'quiet'],
    ] as const) {
      const { status, text } = await upload(`/operator/archive/sample?${NAME}&${query}`, details)
      const message = `There is no field called ${name}: did you mean ${meant}?`
      expect([status, JSON.parse(text).errors]).toEqual([422, { [name]: [message] }])
    }
  })

  it('reads a plain file and a compressed one, and finds nothing new in the second', async () => {
    const first = await upload(`/operator/archive/sample?${NAME}`, details)
    expect(first.status).toBe(200)
    const summary = JSON.parse(first.text)
    expect(summary).toMatchObject({ object: 'import', rejected: 0, file_name: detailsName })
    expect(summary.inserted).toBeGreaterThan(0)
    const again = JSON.parse((await upload(`/operator/archive/sample?${NAME}`, gzipSync(details))).text)
    expect(again).toMatchObject({ inserted: 0, updated: 0, unchanged: summary.inserted })
  })

  it('shows progress in lines if the client asks for lines', async () => {
    const { status, text } = await upload(`/operator/archive/sample?${NAME}&quiet=true`, details, { accept: 'application/x-ndjson' })
    expect(status).toBe(200)
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ object: 'import', file_name: detailsName })
    for (const line of lines.slice(0, -1)) expect(line.object).toBe('import_progress')
  })

  it('reports why a file cannot be read, as one response or in lines', async () => {
    for (const file of [gzipSync(details).subarray(0, 500), Buffer.from('not a csv'), Buffer.alloc(0)]) {
      const response = await upload(`/operator/archive/sample?${NAME}`, file)
      expect(response.status).toBe(422)
      expect(differences(errorBody, JSON.parse(response.text))).toEqual([])
      const { text } = await upload(`/operator/archive/sample?${NAME}`, file, { accept: 'application/x-ndjson' })
      expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ object: 'error', status: 422 })
    }
  })

  it('requires the file’s own name, without folders', async () => {
    for (const query of [
      '',
      'file_name=',
      'file_name=a%2Fb',
      'file_name=..%5Cb',
      'file_name=a%00',
      'file_name=%E2%80%AEvsc.zg',
      `${NAME}&quiet=maybe`,
    ]) {
      expect((await upload(`/operator/archive/sample?${query}`, details)).status).toBe(422)
    }
  })

  it('is for the operator only', async () => {
    const { token } = await aToken(world, await aTeam(world))
    for (const authorization of ['', 'Bearer wo_guess', `Bearer ${token}`]) {
      const { status, text } = await upload(`/operator/archive/sample?${NAME}`, details, { authorization })
      expect([status, JSON.parse(text).code]).toEqual([401, 'unauthenticated'])
    }
    expect((await rest.call('GET', '/account', { token: OPERATOR_KEY })).status).toBe(401)
    expect((await upload(`/operator/archive/nothing?${NAME}`, details)).status).toBe(404)
  })

  it('and the metrics require a role of the key', async () => {
    const statusesWith = async (role: string) => {
      const { key } = await issueOperatorKey(world.app, { name: `with ${role}`, roles: [role], expires_at: null })
      const headers = { authorization: `Bearer ${key}` }
      const figures = await rest.fastify.inject({ url: '/metrics', headers })
      return [(await upload(`/operator/archive/sample?${NAME}`, details, headers)).status, figures.statusCode]
    }
    expect(await statusesWith('read')).toEqual([403, 200])
    expect(await statusesWith('archive')).toEqual([200, 403])
    expect(await statusesWith('billing')).toEqual([403, 403])
    expect(await statusesWith('all')).toEqual([200, 200])
    const { key } = await issueOperatorKey(world.app, { name: 'refused', roles: ['billing'], expires_at: null })
    const refused = await upload(`/operator/archive/sample?${NAME}`, details, { authorization: `Bearer ${key}` })
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'missing_role', message: 'This operator key lacks the role archive.' })
    await revokeOperatorKey(world.app, 'refused')
    expect((await upload(`/operator/archive/sample?${NAME}`, details, { authorization: `Bearer ${key}` })).status).toBe(401)
  })

  it('does not exist if no operator key is set', async () => {
    await world.app.pool.query('UPDATE operator_keys SET revoked_at = now()')
    const closed = await openRest({ app: { ...world.app, config: { ...world.app.config, operator_key: null } } })
    const answer = await closed.fastify.inject({
      method: 'POST',
      url: `/operator/archive/sample?${NAME}`,
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    await closed.close()
  })
})
