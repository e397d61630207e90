import { Readable } from 'node:stream'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { locate } from '#domain/places/locate.ts'
import { importAddressPoints } from '#domain/places/points.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterEach(() => world.owner.query('TRUNCATE address_points'))

const HEADER = 'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n'
/** A file in chunks so small that rows and characters are split. */
const inPieces = (text: string) =>
  Readable.from(
    Buffer.from(text)
      .toString('latin1')
      .match(/.{1,7}/gs)
      ?.map((piece) => Buffer.from(piece, 'latin1')) ?? [],
  )

describe('address points', () => {
  it('from an OpenAddresses CSV are preferred, with the precision of a building', async () => {
    const csv = `${HEADER}-97.486712345,35.339512345,100,N MAIN STREET,,MOORE,,OK,73160,1,a\n-97.4,35.3,102,"Peña, Street",,MOORE,,OK,73160,2,b\n`
    expect(await importAddressPoints(world.app, inPieces(csv))).toEqual({ read: 2, written: 2, refused: 0, faults: [] })
    for (const query of ['100 North Main St, Moore, OK 73160', '100 n main st moore ok', '100 N Main St Apt 9, Moore, OK']) {
      expect(await locate(world.app, query), query).toEqual({
        place: expect.objectContaining({
          street: '100 N Main St',
          city: 'Moore',
          state: 'OK',
          postal_code: '73160',
          county: 'Cleveland',
          latitude: 35.33951,
          longitude: -97.48671,
          precision: 'point',
        }),
      })
    }
    expect(await locate(world.app, '100 N Main St, Moore, OK 73170')).toEqual({ place: expect.objectContaining({ precision: 'zip' }) })
    expect(await locate(world.app, '104 N Main St, Moore, OK 73160')).toEqual({ place: expect.objectContaining({ precision: 'zip' }) })
  })

  it('come from GeoJSON, as a collection or one feature per line, with missing parts from the map and the ZIP code', async () => {
    const feature = (number: string) => ({
      type: 'Feature',
      properties: { number, street: 'Peña Way', note: 'a "quote\\\\" and { braces', city: '', region: '', postcode: '73160' },
      geometry: { type: 'Point', coordinates: [-97.4867, 35.3395] },
    })
    const collection = JSON.stringify({
      type: 'FeatureCollection',
      name: 'points',
      crs: { type: 'name' },
      features: [feature('1'), feature('2')],
    })
    // Some programs write their other members after the list.
    const members = `{"features":[${JSON.stringify(feature('1'))},${JSON.stringify(feature('2'))}],"crs":{"type":"name","properties":{"name":"CRS84"}}}`
    const lines = [feature('3'), feature('4')].map((one) => JSON.stringify(one)).join('\n')
    for (const text of [collection, members, lines])
      expect(await importAddressPoints(world.app, inPieces(text))).toEqual({ read: 2, written: 2, refused: 0, faults: [] })
    expect(await importAddressPoints(world.app, inPieces(`${members}\n${collection}`))).toMatchObject({ read: 4, refused: 0 })
    const { rows } = await world.app.pool.query('SELECT street, city, state FROM address_points ORDER BY address_key')
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatchObject({ street: '1 Pena Way', city: 'Oklahoma City', state: 'OK' })
    // The postal table lists 73160 as Oklahoma City. That is the town of a row or query without one.
    expect(await locate(world.app, '1 Peña Way, 73160')).toEqual({ place: expect.objectContaining({ precision: 'point' }) })
  })

  it('from GeoJSON that is cut off or has a brace too many are not taken for all of the file', async () => {
    const feature = JSON.stringify({
      type: 'Feature',
      properties: { number: '1', street: 'Main St', city: 'Moore', region: 'OK', postcode: '73160' },
      geometry: { type: 'Point', coordinates: [-97.4867, 35.3395] },
    })
    const collection = `{"type":"FeatureCollection","features":[${feature},\n${feature}]}`
    const lines = `${feature}\n${feature}\n`
    for (const text of [collection.slice(0, -60), collection.slice(0, -2), lines.slice(0, -60), `${feature}}\n${feature}\n`])
      await expect(importAddressPoints(world.app, inPieces(text)), text).rejects.toMatchObject({
        details: { errors: { file: ['The GeoJSON is cut off or damaged. Correct it and send the whole file again.'] } },
      })
  })

  it('with a column twice are refused: either could be the one that is meant', async () => {
    const csv = 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE,lat,note,note\n-97.4,35.3,100,MAIN ST,MOORE,OK,73160,36.3,a,b\n'
    await expect(importAddressPoints(world.app, inPieces(csv))).rejects.toMatchObject({
      details: { errors: { file: ['The file has the column lat twice.'] } },
    })
    const notes = csv.replace(',lat,', ',level,')
    expect(await importAddressPoints(world.app, inPieces(notes))).toMatchObject({ written: 1, refused: 0 })
  })

  it('are refused if a line is longer than any row, also if all its fields are empty', async () => {
    const good = '-97.486712345,35.339512345,100,N MAIN STREET,,MOORE,,OK,73160,1,a\n'
    const emptyFields = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, ','))
    const file = (...pieces: Buffer[]) => importAddressPoints(world.app, Readable.from(pieces))
    await expect(file(Buffer.from(HEADER + good), ...emptyFields)).rejects.toMatchObject({
      details: { errors: { file: [expect.stringMatching(/^A line is longer than 128 kB\./)] } },
    })
    await expect(file(...emptyFields)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('may come after any amount of white space, which is not kept', async () => {
    const blank = Array.from({ length: 60 }, () => Buffer.alloc(256 * 1024, '\n'))
    const good = '-97.486712345,35.339512345,100,N MAIN STREET,,MOORE,,OK,73160,1,a\n'
    expect(await importAddressPoints(world.app, Readable.from([...blank, Buffer.from(HEADER + good)]))).toMatchObject({ written: 1 })
  })

  it('are refused by row and reason, and the import continues', async () => {
    const csv = `${HEADER},,100,MAIN ST,,MOORE,,OK,73160,,\n-97.4,35.3,,MAIN ST,,MOORE,,OK,73160,,\n-97.4,35.3,100,MAIN ST,,,,OK,,,\n2.3,48.8,1,RUE X,,PARIS,,,,,\n-97.4,35.3,101,MAIN ST,,MOORE,,OK,73160,,\n`
    expect(await importAddressPoints(world.app, inPieces(csv))).toEqual({
      read: 5,
      written: 1,
      refused: 4,
      faults: [
        { row: 1, reason: 'it has no coordinates' },
        { row: 2, reason: 'it has no house number or no street' },
        { row: 3, reason: 'it has neither a town nor a known ZIP code' },
        { row: 4, reason: 'it lies outside the United States' },
      ],
    })
  })

  it('are refused if they are not in the stated state or ZIP code', async () => {
    const row = (longitude: number, latitude: number, region: string, zip: string) =>
      `${longitude},${latitude},100,MAIN ST,,MOORE,,${region},${zip},,\n`
    const rows = [row(-83, 40, 'OK', ''), row(0, 0, 'OK', ''), row(-95.99, 36.15, 'OK', '73160'), row(-97.4867, 35.3395, 'OK', '73160')]
    expect(await importAddressPoints(world.app, inPieces(HEADER + rows.join('')))).toMatchObject({
      written: 1,
      faults: [
        { row: 1, reason: 'The address names Oklahoma, but its point lies in the county of Franklin, OH.' },
        { row: 2, reason: 'it lies outside the United States' },
        { row: 3, reason: 'The address names ZIP 73160 (Oklahoma City, OK), but its point lies in the county of Tulsa, OK, 101 mi away.' },
      ],
    })
  })

  it('are stored once, and a later row of an address wins', async () => {
    const row = (latitude: number) => `${HEADER}-97.4867,${latitude},100,MAIN ST,,MOORE,,OK,73160,,\n`
    await importAddressPoints(world.app, inPieces(row(35.3)))
    await importAddressPoints(world.app, inPieces(row(35.4)))
    expect((await world.app.pool.query('SELECT latitude FROM address_points')).rows).toEqual([{ latitude: 35.4 }])
  })

  it('of one street and number in two towns’ ZIP codes are ambiguous', async () => {
    const csv = `${HEADER}-97.48,35.33,100,MAIN ST,,MOORE,,OK,73160,,\n-97.48,35.40,100,MAIN ST,,MOORE,,OK,73165,,\n`
    await importAddressPoints(world.app, inPieces(csv))
    expect(await locate(world.app, '100 Main St, Moore, OK')).toMatchObject({ failure: 'address_ambiguous' })
    expect(await locate(world.app, '100 Main St, Moore, OK 73165')).toEqual({
      place: expect.objectContaining({ latitude: 35.4, precision: 'point' }),
    })
  })

  it('stop at a file that breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from(`${HEADER}-97.48,35.33,100,MAIN ST,,MOORE,,OK,73160,,\n`)
        throw new Error('the connection broke')
      })(),
    )
    await expect(importAddressPoints(world.app, broken)).rejects.toThrow('the connection broke')
  })
})
