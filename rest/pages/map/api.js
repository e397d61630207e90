/** Never written anywhere: it goes with the page. */
let token = ''

/** A header takes these letters and no others: the browser's own word for it would help nobody. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/
/** Seconds to wait where the service does not say. */
const WAIT_S = 5
/** Milliseconds for a whole answer: a large tile among others takes a minute over a slow mobile network. */
const ANSWER_MS = 120_000

/** Throws where it cannot be a token. */
export function useToken(given) {
  if (!VISIBLE_ASCII.test(given)) throw new Error('This is not a token: it is wt_ with digits and letters without accents after it.')
  token = given
}

const CONTRACT = '/api/v1'

/** Asks the REST API, or what is served beside it; throws what it says where it refuses. */
export const api = async (path, under = CONTRACT) => bodyOf(await ask(`${under}${path}`))

/** The same for what nobody waits for: asked again where the token has asked too often in a minute. */
export const apiInTime = async (path, onWait) => bodyOf(await askInTime(`${CONTRACT}${path}`, { onWait }))

/** Asks the graph for one field; throws what it says where it refuses. */
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
 * Where the token has asked too often in a minute, waits as long as the service says and asks again, until there is an answer or
 * nobody wants it any more.
 * @param onWait is given the seconds of each wait
 */
export async function askInTime(path, { signal, onWait }) {
  for (;;) {
    const answer = await ask(path, { signal })
    if (answer.status !== 429) return answer
    const seconds = Number(answer.headers.get('retry-after')) || WAIT_S
    onWait(seconds)
    await pause(seconds * 1000, signal)
  }
}

const ask = (path, { headers, ...options } = {}) =>
  fetchInTime(path, { ...options, headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers } })

/** Fetches what comes in time, to its end; throws why nothing comes. */
export async function fetchInTime(path, { signal, ...options } = {}) {
  const late = AbortSignal.timeout(ANSWER_MS)
  try {
    return await fetch(path, { ...options, signal: signal ? eitherOf(signal, late) : late })
  } catch (fault) {
    // Whoever gave the request up knows why.
    if (signal?.aborted) throw fault
    throw new Error(late.aborted ? 'The service did not answer in time.' : 'The service could not be reached.')
  }
}

/** Ends with the first of the two that ends. Safari has AbortSignal.any since 17.4 alone. */
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

/** What stands between may answer in its own words, and an answer may break off. */
const jsonOf = (answer) =>
  answer.json().catch(() => {
    throw new Error(answer.ok ? 'The answer of the service did not come to its end.' : `The service answered ${answer.status}.`)
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
