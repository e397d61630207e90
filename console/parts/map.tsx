import { Suspense } from 'react'
import type { WeatherMapProps } from '../map/weather-map.tsx'
import { NotLoaded, script, useScript } from './script.tsx'
import { Loading } from './states.tsx'

/** Drawing maps takes more script than everything else: it comes once a page is there, and the page does not wait for it. */
export const drawnMap = script(async () => (await import('../map/weather-map.tsx')).WeatherMap)

export function MapPart(props: WeatherMapProps) {
  const { part: Drawn, failed, retry } = useScript(drawnMap)
  const inPlace = <InPlaceOfMap tall={props.tall} failed={failed} retry={retry} />
  if (!Drawn) return inPlace
  // It waits for its style sheet: this alone is to wait with it, and not the page.
  return (
    <Suspense fallback={inPlace}>
      <Drawn {...props} />
    </Suspense>
  )
}

/** As large as the map whose script is not there. */
export function InPlaceOfMap({ tall, failed, retry }: { tall?: boolean | undefined; failed: boolean; retry: () => void }) {
  return (
    <div className="map">
      <div className={tall ? 'map-frame tall' : 'map-frame'}>
        {failed ? <NotLoaded what="The map" retry={retry} /> : <Loading what="the map" />}
      </div>
    </div>
  )
}
