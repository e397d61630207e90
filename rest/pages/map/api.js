/** Kept in memory only, and lost with the page. */
let token = ''

/** The characters that a header may contain. The browser's own error message would not help. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/
/** Seconds to wait if the service does not state a time. */
const WAIT_S = 5
/** Milliseconds for a whole response: over a slow mobile network a large tile takes a minute besides others. */
const ANSWER_MS = 120_000

/** Sets the token; throws if the text cannot be one. */
export function useToken(given) {
  if (!VISIBLE_ASCII.test(given)) throw new Error('This is not a token: a token is wt_ followed by digits and letters without accents.')
  token = given
}

const CONTRACT = '/api/v1'

/** Requests the REST API, or an endpoint beside it; throws the message of a refusal. */
export const api = async (path, under = CONTRACT) => bodyOf(await ask(`${under}${path}`))

/** The same for background requests: waits and retries when the rate limit of the token is reached. */
export const apiInTime = async (path, onWait) => bodyOf(await askInTime(`${CONTRACT}${path}`, { onWait }))

/** Queries GraphQL for one field; throws the message of a refusal. */
export async function graph(query, variables) {
  const answer = await ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors, message } = await jsonOf(answer)
  if (!data || errors) throw new Error(errors?.[0]?.message ?? message)
  return data
}

/**
 * Sends a request. When the rate limit of the token is reached, it waits as long as the service states and tries again, until a
 * response arrives or the request is aborted.
 * @param onWait is given the seconds of each wait; other options are those of fetch
 */
export async function askInTime(path, { onWait, ...options }) {
  for (;;) {
    const answer = await ask(path, options)
    if (answer.status !== 429) return answer
    const seconds = Number(answer.headers.get('retry-after')) || WAIT_S
    onWait(seconds)
    await pause(seconds * 1000, options.signal)
  }
}

const ask = (path, { headers, ...options } = {}) =>
  fetchInTime(path, { ...options, headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers } })

/** Fetches a whole response within the time limit; throws the reason if that fails. */
export async function fetchInTime(path, { signal, ...options } = {}) {
  const late = AbortSignal.timeout(ANSWER_MS)
  try {
    return await fetch(path, { ...options, signal: signal ? eitherOf(signal, late) : late })
  } catch (fault) {
    // The caller that aborted the request knows why.
    if (signal?.aborted) throw fault
    throw new Error(late.aborted ? 'The service did not respond in time.' : 'The service could not be reached.')
  }
}

/** Returns a signal that aborts with the first of the two. Safari has AbortSignal.any only since 17.4. */
function eitherOf(...signals) {
  const either = new AbortController()
  for (const one of signals) {
    if (one.aborted) either.abort(one.reason)
    else one.addEventListener('abort', () => either.abort(one.reason), { once: true, signal: either.signal })
  }
  return either.signal
}

async function bodyOf(answer) {
  const body = await jsonOf(answer)
  if (!answer.ok) throw new Error(body.message)
  return body
}

/** A proxy may respond with a body of its own, and a response may be cut off. */
const jsonOf = (answer) =>
  answer.json().catch(() => {
    throw new Error(answer.ok ? 'The response of the service was cut off.' : `The service responded with ${answer.status}.`)
  })

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
