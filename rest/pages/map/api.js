/** Never written anywhere: it goes with the page. */
let token = ''

export function useToken(given) {
  token = given
}

/** Headers for whoever else fetches from the API. */
export const authorization = () => ({ authorization: `Bearer ${token}` })

/** Asks the REST API; throws what it says where it refuses. */
export async function api(path) {
  const answer = await fetch(`/api/v1${path}`, { headers: { ...authorization(), accept: 'application/json' } })
  const body = await answer.json().catch(() => ({ message: `The service answered ${answer.status}.` }))
  if (!answer.ok) throw new Error(body.message)
  return body
}

/** Asks the graph for one field; throws what it says where it refuses. */
export async function graph(query, variables) {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors, message } = await answer.json()
  if (!data || errors) throw new Error(errors?.[0]?.message ?? message)
  return data
}
