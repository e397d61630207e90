import { expect, it, vi } from 'vitest'
import { exactText, markJson, parseJson, stringifyMarked } from '#domain/kernel/exact-json.ts'

it('keeps the digits of coordinates at any depth, and of nothing else', () => {
  const text = '{"a":[1.0],"geometry":{"coordinates":[[1.0, -0.0 ,1e5],["2","a\\"3"]]},"list":[{"co\\u006frdinates":[7.50]}]}'
  const value = parseJson(text) as { a: number[]; geometry: { coordinates: object }; list: { coordinates: object }[] }
  expect(value).toEqual(JSON.parse(text))
  expect(exactText((parseJson('{"coordinates":[[1.0, -0.0 ,1e5]]}') as { coordinates: object }).coordinates)).toBe('[[1.0,-0.0,1e5]]')
  expect(exactText(value.list[0]?.coordinates as object)).toBe('[7.50]')
  expect(exactText(value.a)).toBe('[1]')
})

it('reads the digits of a text once, and only when the first shape of it needs them', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const value = parseJson('{"a":{"coordinates":[1.0]},"b":{"coordinates":[2.50]}}') as Record<'a' | 'b', { coordinates: object }>
  expect(parse).toHaveBeenCalledTimes(1)
  expect([exactText(value.a.coordinates), exactText(value.b.coordinates)]).toEqual(['[1.0]', '[2.50]'])
  expect(parse).toHaveBeenCalledTimes(2)
  parse.mockRestore()
})

it('parses as JSON.parse does, and refuses what it refuses', () => {
  expect(parseJson('{"coordinates":1,"coordinates":[2.50]}')).toEqual({ coordinates: [2.5] })
  for (const text of ['', '{', '{"coordinates":[01]}', '{"coordinates":[1.]}', '{"coordinates":[NaN]}'])
    expect(() => parseJson(text)).toThrow(SyntaxError)
})

it('inserts JSON texts unchanged into a response, and leaves similar-looking texts alone', () => {
  const shape = '{"type":"Polygon","a":"q\\"\\\\","coordinates":[[1.0,2.50]]}'
  const looks_so = ['\\u0000json:{}', '\\u0000json:0', '"\\u0000json:x', 'json:[]']
  const answer = stringifyMarked({ data: [{ geometry: markJson(shape), name: looks_so }, { geometry: markJson('[1.0]') }] })
  expect(answer).toBe(`{"data":[{"geometry":${shape},"name":${JSON.stringify(looks_so)}},{"geometry":[1.0]}]}`)
})
