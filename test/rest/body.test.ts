import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readBody } from '#rest/body.ts'

const LIMIT = 1024 * 1024
const sent = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  Object.assign(Readable.from(body.length ? [Buffer.from(body)] : []), {
    headers: { 'transfer-encoding': 'chunked', ...headers },
  }) as unknown as IncomingMessage
const read = (body: string | Buffer, headers?: Record<string, string>) => readBody(sent(body, headers), LIMIT)
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('a body', () => {
  it('is a JSON object, or nothing at all', async () => {
    expect(await read('{"a":1}')).toEqual({ a: 1 })
    expect(await read('', {})).toEqual({})
    expect(await read('{"a":"é"}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).toEqual({ a: 'é' })
  })

  it.each(['null', '[]', '"a"', '1', '{', '{"a":1}}', "{'a':1}", ' '])('%s is malformed', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'malformed_json', status: 422 })
  })

  it('is UTF-8', async () => {
    await expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toMatchObject({ code: 'malformed_json' })
  })

  it('nests at most 32 levels', async () => {
    expect(await read(nested(32))).toBeTruthy()
    await expect(read(nested(33))).rejects.toMatchObject({ code: 'malformed_json' })
    await expect(read(nested(100_000))).rejects.toMatchObject({ code: 'malformed_json' })
  })

  it('has no __proto__ key anywhere', async () => {
    await expect(read('{"a":[{"__proto__":{}}]}')).rejects.toMatchObject({ code: 'malformed_json' })
  })

  it.each([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('sent with %j has no supported type', async (headers) => {
    await expect(read('{}', headers as Record<string, string>)).rejects.toMatchObject({ code: 'unsupported_media_type', status: 415 })
  })

  it('is refused for its size before its type, with or without a stated size', async () => {
    const large = `{"a":"${'x'.repeat(LIMIT)}"}`
    await expect(read(large, {})).rejects.toMatchObject({ code: 'payload_too_large', status: 413 })
    await expect(read('', { 'content-length': String(LIMIT + 1) })).rejects.toMatchObject({ code: 'payload_too_large' })
  })
})
