import { authorization } from '/map/api.js'

/** The scheme under which the map asks this page for its tiles. */
const SCHEME = 'archive'
export const tilesUrl = `${SCHEME}://tiles/{z}/{x}/{y}.mvt`
/** Seconds to wait where the service does not say. */
const WAIT_S = 5

/**
 * Has the map's tiles fetched here: where the token has asked too often in a minute, a tile waits as long as the service says
 * and is asked for again, until it comes or goes out of view.
 * @param tell is given the seconds of each wait
 */
export function serveTiles(maplibre, tell) {
  maplibre.addProtocol(SCHEME, async ({ url }, { signal }) => {
    const path = url.slice(`${SCHEME}://`.length)
    for (;;) {
      const answer = await fetch(`/api/v1/${path}`, { headers: authorization(), signal })
      if (answer.ok) return { data: await answer.arrayBuffer() }
      if (answer.status !== 429) throw Object.assign(new Error(`The service answered ${answer.status}.`), { status: answer.status })
      const seconds = Number(answer.headers.get('retry-after')) || WAIT_S
      tell(seconds)
      await pause(seconds * 1000, signal)
    }
  })
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
