import { expect, it } from 'vitest'
import { requestId } from '#rest/request-id.ts'

it('gives every request another id, in order of time, however many there are', () => {
  const now = Date.parse('2026-06-21T12:00:00Z')
  const ids = Array.from({ length: 2000 }, (_, nth) => requestId(now + nth))
  expect(new Set(ids.map((id) => id.slice(10))).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
})
