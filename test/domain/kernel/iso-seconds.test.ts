import { expect, it } from 'vitest'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'

it('shows a time in whole seconds', () => {
  expect(isoSeconds(new Date('2025-05-28T23:10:59.999Z'))).toBe('2025-05-28T23:10:59Z')
})
