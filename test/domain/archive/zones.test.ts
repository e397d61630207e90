import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { zones } from '#domain/archive/sources/zones.ts'

async function read(lines: string[]) {
  const { batches } = await zones.read({ file_name: 'bp02ap19.dbx', bytes: Readable.from([Buffer.from(lines.join('\r\n'))]) })
  for await (const { members, rejections } of batches) return { members, rejections }
  throw new Error('nothing was read')
}

it('assigns a zone to the county that its line numbers and names, even in part', async () => {
  const { members, rejections } = await read([
    'PA|105|PHI|Bucks|PA105|Upper Bucks|42017|E|se|40.3370|-75.1067',
    'RI|001|BOX|Northwest Providence|RI001|Providence|44007|E||41.8908|-71.6203',
    'VA|515|AKQ|Western Henrico (Including the City of Richmond)|VA515|City of Richmond|51760|E|ec|37.53|-77.47',
  ])
  expect({ rejections, of: members.map(({ zone, county_fips }) => `${zone} ${county_fips}`) }).toEqual({
    rejections: [],
    of: ['PAZ105 42017', 'RIZ001 44007', 'VAZ515 51760'],
  })
})

it("uses the zone's point if the number and the name are of different counties", async () => {
  const { members, rejections } = await read([
    'OR|016|PDT|Central Columbia River Gorge|OR016|Hood River|41031|P|cc|45.6845|-121.6091',
    'OR|017|PDT|Nowhere Near|OR017|Hood River|41031|P|cc|43.2|-118.9',
  ])
  expect(members).toMatchObject([{ zone: 'ORZ016', county_fips: '41027' }])
  expect(rejections).toMatchObject([{ row: 'line 2', reason: 'the county 41031 is Jefferson, and the line names Hood River' }])
})
