import { lazy, Suspense } from 'react'
import type { WeatherMapProps } from '../map/weather-map.tsx'
import { Loading } from './states.tsx'

/** Drawing maps takes more script than everything else: it comes once a page is there, and the page does not wait for it. */
const Drawn = lazy(async () => ({ default: (await import('../map/weather-map.tsx')).WeatherMap }))

export function MapPart(props: WeatherMapProps) {
  return (
    <Suspense
      fallback={
        <div className="map">
          <div className={props.tall ? 'map-frame tall' : 'map-frame'}>
            <Loading what="the map" />
          </div>
        </div>
      }
    >
      <Drawn {...props} />
    </Suspense>
  )
}
