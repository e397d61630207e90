import { fetchInTime } from '/map/api.js'
import { packagedGround } from '/map/ground.js'
import { isDark } from '/map/shades.js'

/** Returns the ground of the install: its basemap over the packaged land, or only the packaged ground if there is no basemap or it fails to load. */
export async function chooseGround() {
  const answer = await fetchInTime('/map/basemap.json').catch(() => null)
  const basemap = answer?.status === 200 && (await answer.json().catch(() => null))
  if (!basemap) return packagedGround
  const { source, layers, dark } = basemap
  // The service names its own tiles without the host. This page fetches them, to notice that they are gone.
  const tiles = source.tiles.map((url) => url.replace(/^\/map\/basemap\//, 'basemap://'))
  const light = Object.fromEntries(layers.map(({ id, paint = {} }) => [id, paint]))
  const isName = ({ type }) => type === 'symbol'
  return {
    sources: { ...packagedGround.sources, basemap: { ...source, tiles } },
    under: [...packagedGround.under, ...layers.filter((layer) => !isName(layer))],
    lines: packagedGround.lines,
    names: layers.filter(isName),
    // Properties that only the light style sets return to the defaults of MapLibre.
    colors: () => ({ ...packagedGround.colors(), ...(isDark() ? dark : light) }),
  }
}
