import { expect, it } from 'vitest'
import { hintOf } from '#domain/integrations/address.ts'

it('of a destination is shown with its host and last characters, and whole if it has no path', () => {
  expect(hintOf('https://hooks.example.com/services/T0/a1b2')).toBe('https://hooks.example.com/…a1b2')
  expect(hintOf('https://hooks.example.com/?key=a1b2')).toBe('https://hooks.example.com/…a1b2')
  expect(hintOf('https://hooks.example.com:8443/in')).toBe('https://hooks.example.com:8443/…in')
  expect(hintOf('https://hooks.example.com')).toBe('https://hooks.example.com/')
})
