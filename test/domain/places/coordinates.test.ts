import { describe, expect, it } from 'vitest'
import { readCoordinates } from '#domain/places/coordinates.ts'

describe('coordinates written instead of an address', () => {
  it.each([
    '33.1499, -96.8241',
    '33.1499 -96.8241',
    '33.1499,-96.8241',
    ' (33.14990, -96.82410) ',
    '+33.1499; −96.8241',
    '33.1499°, -96.8241°',
    '33.1499° N, 96.8241° W',
    '33.1499N 96.8241W',
    'N 33.1499 W 96.8241',
    'n33.1499w96.8241',
    '96.8241 W, 33.1499 N',
    "N 33° 8.994' W 96° 49.446'",
    '33°08\'59.64"N 96°49\'26.76"W',
    '33º08′59.64″N, 96º49′26.76″W',
    '33 08 59.64 N, 96 49 26.76 W',
    'lat: 33.1499, lon: -96.8241',
    'Latitude 33.1499 Longitude -96.8241',
    'lat=33.1499 lng=-96.8241',
    'geo:33.1499,-96.8241',
    '@33.1499,-96.8241',
  ])('are read from %j', (text) => {
    expect(readCoordinates(text)).toEqual({ point: { latitude: 33.1499, longitude: -96.8241 } })
  })

  it.each(['36, -98', '36,-98.0', '36.0 -98', '36°, -98°', '36° N 98° W', 'W 98°, N 36°', '36 N, 98 W', 'lat: 36, lon: -98'])(
    'may be whole degrees if a comma, a sign or decimals mark them: %j',
    (text) => {
      expect(readCoordinates(text)).toEqual({ point: { latitude: 36, longitude: -98 } })
    },
  )

  it.each([
    '36 98',
    '36 -98',
    '36/98',
    '36-98',
    '36, 98, Enid, OK',
    '36, 73069',
    '40 N 100 W',
    '100 N 300 E, Provo, UT',
    '33.1499',
    '75034',
    '100 Main St, Moore, OK',
    '33.1499 N, 96.8241 S',
    '33°61\'00"N 96°49\'00"W',
    '',
    '1 '.repeat(127),
  ])('are not found in %j', (text) => {
    expect(readCoordinates(text)).toBeNull()
  })

  it('name an impossible latitude or longitude', () => {
    expect(readCoordinates('-96.8241, 33.1499')).toEqual({
      fault: 'There is no latitude -96.8241: the latitude comes first, then the longitude.',
    })
    expect(readCoordinates('33.1499, -196.8241')).toEqual({ fault: 'There is no longitude -196.8241.' })
  })
})
