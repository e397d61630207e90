import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'
import { around, type Box, type Point } from '../../map/box.ts'
import { area, type Content, place } from '../../map/content.ts'

/** Places with an exposure of the day. */
export const DAY_EXPOSURES = graphql(`
  query Touched($date: Date!) {
    exposures(kind: record, from: $date, to: $date, per_page: 50) {
      data {
        id headline
        subject { id name }
        property { address { latitude longitude } }
        territory { color geometry bounds { west south east north } }
      }
      meta { total }
    }
  }
`)
/** Places inside the swaths of the day. */
export const SWATH_PLACES = graphql(`
  query StormPlaces($date: Date!) {
    stormDay(date: $date, per_page: 50) {
      day { property_count bands { from_in } }
      places { subject id name latitude longitude precision size_in source }
      total
    }
  }
`)

type Exposure = NonNullable<ResultOf<typeof DAY_EXPOSURES>['exposures']>['data'][number]
type SwathPlace = NonNullable<ResultOf<typeof SWATH_PLACES>['stormDay']>['places'][number]

/** A place that a storm day reached: with an exposure, inside a radar swath, or both. */
export interface ReachedPlace {
  id: string
  name: string
  subject: SwathPlace['subject']
  /** The area to show on the map. */
  view: Box
  content: Content
  exposure: Exposure | null
  inside: SwathPlace | null
}

/** Miles around a property that the map shows. */
const AROUND_MILES = 25

/** Merges both lists, largest estimates first. A place that was not located is left out, because it cannot be shown. */
export function reachedPlaces(exposures: readonly Exposure[], inside: readonly SwathPlace[]): ReachedPlace[] {
  const exposureOf = new Map(exposures.map((exposure) => [exposure.subject.id, exposure]))
  const insideIds = new Set(inside.map(({ id }) => id))
  const estimated = inside.map((one): ReachedPlace => {
    const exposure = exposureOf.get(one.id) ?? null
    const { id, name, subject } = one
    return { id, name, subject, exposure, inside: one, ...((exposure && shownOf(exposure)) ?? shownAt(one, name)) }
  })
  const reported = exposures.flatMap((exposure): ReachedPlace[] => {
    const { id, name } = exposure.subject
    const shown = insideIds.has(id) ? null : shownOf(exposure)
    return shown ? [{ id, name, subject: exposure.territory ? 'territory' : 'property', exposure, inside: null, ...shown }] : []
  })
  return [...estimated, ...reported]
}

type Shown = Pick<ReachedPlace, 'view' | 'content'>

/** Null if the property was not located. */
function shownOf({ subject, property, territory }: Exposure): Shown | null {
  if (territory) {
    const { west, south, east, north } = territory.bounds
    return {
      view: [west - 0.2, south - 0.2, east + 0.2, north + 0.2],
      content: area(territory.geometry as Geometry, { colour: territory.color, text: subject.name }),
    }
  }
  const { latitude, longitude } = property?.address ?? {}
  return latitude != null && longitude != null ? shownAt({ latitude, longitude }, subject.name) : null
}

const shownAt = (point: Point, name: string): Shown => ({ view: around(point, AROUND_MILES), content: place(point, name) })
