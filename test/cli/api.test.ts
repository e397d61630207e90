import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { operate, upload } from '../../cli/api.ts'
import { exitOf } from '../../cli/failure.ts'

let server: http.Server | undefined

async function serving(answer: http.RequestListener) {
  server = http.createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: null, operator_key: 'wo_key' }
}

afterEach(async () => {
  // A connection that a command leaves open keeps the server from closing: the test then times out.
  await new Promise((resume) => (server ? server.close(resume) : resume(undefined)))
  server = undefined
})

const PART = Buffer.alloc(64 * 1024, 'x')
const file = (parts: number) => Readable.from(Array.from({ length: parts }, () => PART))

describe('an upload', () => {
  test('reports the counts as they arrive, and returns the summary', async () => {
    const connection = await serving(async (request, response) => {
      let bytes = 0
      for await (const part of request) bytes += (part as Buffer).length
      response.write('{"rows":1}\n{"rows"')
      response.end(`:2}\n{"object":"import","bytes":${bytes}}\n`)
    })
    const progress: unknown[] = []
    expect(await upload(connection, '/operator/archive/x', file(3), (line) => progress.push(line))).toEqual({
      object: 'import',
      bytes: 3 * PART.length,
    })
    expect(progress).toEqual([{ rows: 1 }, { rows: 2 }])
  })

  test('that is refused before it was read fails with the refusal', async () => {
    const connection = await serving((_request, response) =>
      response.writeHead(401).end(JSON.stringify({ status: 401, message: 'No.', errors: null })),
    )
    await expect(upload(connection, '/', file(200), () => {})).rejects.toMatchObject({ exit_status: 4, message: 'No.' })
  })

  test('whose last line is an error fails with that error, with its fields named', async () => {
    const error = {
      object: 'error',
      status: 422,
      message: 'It is no file of this source.',
      errors: { file: ['It is no file of this source.'] },
    }
    const connection = await serving((request, response) =>
      request.resume().on('end', () => response.end(`{"rows":1}\n${JSON.stringify(error)}\n`)),
    )
    await expect(upload(connection, '/', file(1), () => {})).rejects.toMatchObject({
      exit_status: 7,
      message: 'file: It is no file of this source.',
    })
  })

  test('whose response breaks off reports that', async () => {
    const connection = await serving((request, response) => {
      request.resume().on('end', () => response.write('{"rows":1}\n', () => response.destroy()))
    })
    await expect(upload(connection, '/', file(1), () => {})).rejects.toMatchObject({
      exit_status: 1,
      message: expect.stringContaining('was cut off'),
    })
  })
})

describe('an operation', () => {
  const answering = (body: unknown, status = 200) =>
    serving((request, response) =>
      request.resume().on('end', () => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))),
    )

  test('returns its root field', async () => {
    expect(await operate(await answering({ data: { adminTeams: [] } }), '{ adminTeams { id } }')).toEqual([])
  })

  test('fails with the exit status of its refusal', async () => {
    const refused = { data: null, errors: [{ message: 'Gone.', extensions: { status: 404, message: 'Gone.', errors: null } }] }
    await expect(operate(await answering(refused), '{ a }')).rejects.toMatchObject({ exit_status: 3 })
  })

  test('reports that no GraphQL server responded', async () => {
    await expect(operate(await answering('<html>', 502), '{ a }')).rejects.toMatchObject({
      exit_status: 1,
      message: expect.stringContaining('502'),
    })
  })

  test('requires the operator key', async () => {
    await expect(operate({ url: 'http://127.0.0.1:1', token: null, operator_key: null }, '{ a }')).rejects.toMatchObject({ exit_status: 4 })
  })
})

test('each kind of refusal has an exit status of its own', () => {
  expect([200, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503].map((status) => exitOf(status))).toEqual([1, 4, 5, 4, 3, 6, 7, 7, 8, 1, 1])
})
