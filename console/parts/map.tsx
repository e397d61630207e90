import { Suspense } from 'react'
import type { WeatherMapProps } from '../map/weather-map.tsx'
import { lazyScript, NotLoaded, useScript } from './script.tsx'
import { Loading } from './states.tsx'

/** Maps need more script than everything else. It loads after the page, which does not wait for it. */
export const weatherMapScript = lazyScript(async () => (await import('../map/weather-map.tsx')).WeatherMap)

export function MapPart(props: WeatherMapProps) {
  const { part: WeatherMap, failed, retry } = useScript(weatherMapScript)
  const fallback = <MapFallback tall={props.tall} failed={failed} retry={retry} />
  if (!WeatherMap) return fallback
  // The map suspends until its style sheet is loaded: only this part waits, not the page.
  return (
    <Suspense fallback={fallback}>
      <WeatherMap {...props} />
    </Suspense>
  )
}

/** A placeholder with the size of the map while its script is not loaded. */
export function MapFallback({ tall, failed, retry }: { tall?: boolean | undefined; failed: boolean; retry: () => void }) {
  return (
    <div className="map">
      <div className={tall ? 'map-frame tall' : 'map-frame'}>
        {failed ? <NotLoaded what="The map" retry={retry} /> : <Loading what="the map" />}
      </div>
    </div>
  )
}
