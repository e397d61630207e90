import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

describe("the team's brand on a document", () => {
  let world: World
  let caller: Caller

  beforeAll(async () => {
    world = await openWorld()
    caller = await aCaller(world, await aTeam(world, { brand_name: 'Roof works' }))
    return () => world.close()
  })

  async function made(layout?: unknown) {
    const input = { address: 'Frisco, TX 75034', window_start: '2019-03-01', window_end: '2019-03-31', layout }
    const { id } = (await requestReport(world.app, caller, input, null)).report
    await world.drain()
    return id
  }
  const brandOf = async (id: string) => (await readDocumentFacts(world.app, id))?.team.brand_name

  it.each([
    ['no layout', undefined, 'Roof works'],
    ['a layout without elements', { sections: ['summary'] }, 'Roof works'],
    ['a list of sections', ['summary'], 'Roof works'],
    ['elements with the branding', { elements: ['key_figures', 'branding'] }, 'Roof works'],
    ['elements without it', { elements: ['narratives'] }, null],
    ['no elements at all', { elements: [] }, null],
    ['the very elements of the default layout', { elements: ['key_figures'] }, null],
  ])('with %s', async (_, layout, brand) => {
    expect(await brandOf(await made(layout))).toBe(brand)
  })

  it('is decided by the elements alone in a report that does not know whether they were sent', async () => {
    const id = await made({ elements: ['key_figures'] })
    await world.owner.query("UPDATE reports SET layout = layout - 'elements_sent' WHERE id = $1", [id])
    expect(await brandOf(id)).toBe('Roof works')
  })

  it('adds no key to the layout of the report', async () => {
    const { layout } = await findReport(world.app, caller, await made({ elements: ['key_figures'] }))
    expect(Object.keys(layout)).toEqual(['sections', 'imagery', 'elements', 'map'])
  })
})
