import { describe, expect, it } from 'vitest'
import { type AlertConditions, type AlertPlace, matchesRule } from '#domain/alerts/match.ts'
import { aCell, aRecord } from '#test/domain/reports/record-factories.ts'

const every: AlertConditions = {
  kinds: ['hail', 'wind', 'tornado', 'other'],
  least_hail_in: null,
  least_gust_mph: null,
  greatest_miles: null,
  evidence: 'any',
  tag: null,
  property_id: null,
  territory_id: null,
}
const house: AlertPlace = { id: 'h', subject: 'property', tags: ['west', 'roof'] }
const area: AlertPlace = { id: 't', subject: 'territory', tags: [] }
const hail = aRecord({ hail_size_in: 1.75, distance_miles: 2 })
const gust = aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 61, distance_miles: 1 })
const tornado = aRecord({ type: 'tornado', tornado_ef_scale: 1, distance_miles: 3 })
const radar = aCell({ hail_size_in: 2, distance_miles: 0 })
const meets = (rule: Partial<AlertConditions>, cited = [hail], place = house) => matchesRule({ ...every, ...rule }, place, cited)

describe('a storm day meets a rule', () => {
  it('without conditions, whatever its records; and with every condition that it meets', () => {
    for (const record of [hail, gust, tornado, radar]) expect(meets({}, [record])).toBe(true)
    expect(meets({ kinds: ['hail'], least_hail_in: 1.75, greatest_miles: 2, evidence: 'observed', tag: 'West' })).toBe(true)
    expect(meets({ kinds: ['wind'], least_gust_mph: 61 }, [gust])).toBe(true)
    expect(meets({ property_id: 'h' })).toBe(true)
    expect(meets({ territory_id: 't' }, [hail], area)).toBe(true)
    expect(meets({ kinds: ['other'] }, [aRecord({ type: 'flash_flood' })])).toBe(true)
  })

  it.each<[string, Partial<AlertConditions>, Parameters<typeof meets>[1]]>([
    ['another kind', { kinds: ['wind', 'tornado'] }, [hail]],
    ['smaller hail', { least_hail_in: 1.76 }, [hail]],
    ['a weaker gust', { least_gust_mph: 62 }, [gust]],
    ['damage without a speed', { least_gust_mph: 10 }, [aRecord({ type: 'thunderstorm_wind', wind_gust_mph: null })]],
    ['a record farther away', { greatest_miles: 1.99 }, [hail]],
    ['what radar alone estimated', { evidence: 'observed' }, [radar]],
    ['a place without the tag', { tag: 'east' }, [hail]],
    ['another property', { property_id: 'other' }, [hail]],
    ['a property, of a territory', { territory_id: 'h' }, [hail]],
    ['no record', {}, []],
  ])('but not with %s', (_, rule, cited) => {
    expect(meets(rule, cited)).toBe(false)
  })

  it('a tag or property condition never matches a territory', () => {
    expect(meets({ tag: 'west' }, [hail], { ...area, tags: ['west'] })).toBe(false)
    expect(meets({ property_id: 't' }, [hail], area)).toBe(false)
  })

  it('one record must meet all conditions: large hail far away and small hail at the door do not add up', () => {
    const door = aRecord({ hail_size_in: 1, distance_miles: 0 })
    expect(meets({ least_hail_in: 1.5, greatest_miles: 1 }, [hail, door])).toBe(false)
    expect(meets({ least_hail_in: 1.5, evidence: 'observed' }, [radar, door])).toBe(false)
    expect(meets({ least_hail_in: 1, greatest_miles: 1 }, [hail, door])).toBe(true)
  })

  it('a hail size applies only to hail, and a gust speed only to wind', () => {
    expect(meets({ least_hail_in: 4 }, [gust])).toBe(true)
    expect(meets({ least_gust_mph: 200 }, [hail])).toBe(true)
    expect(meets({ least_hail_in: 4, least_gust_mph: 200 }, [tornado])).toBe(true)
  })
})
