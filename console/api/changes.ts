import { print } from 'graphql'
import { createClient, NetworkError } from 'graphql-sse'
import { graphql } from './graphql.ts'
import { CONSOLE_HEADERS } from './session.ts'

const CHANGES = print(graphql(`subscription Changes { teamChanges { subjects } }`))

/** Between two tries: at once after what worked, then after one second, two, at most thirty, so that a service that starts is not asked by all at once. */
const waitMs = (failures: number) => (failures === 0 ? 200 : Math.min(2 ** failures, 30) * 1000 * (0.5 + Math.random() / 2))

interface Told {
  /** Of which something changed; none where the telling begins, again or for the first time. */
  changed(subjects: readonly string[]): void
  /** The session is over, or no longer in the team. */
  refused(): void
}

/** Hears of a team's changes for as long as the page is open. Over fetch: an EventSource could not send the header that a session takes. */
export function followChanges(team_id: string, { changed, refused }: Told): () => void {
  const client = createClient({
    url: '/graphql',
    credentials: 'same-origin',
    headers: { ...CONSOLE_HEADERS, 'x-weather-team': team_id },
    retryAttempts: 0,
  })
  let failures = 0
  let again: ReturnType<typeof setTimeout> | undefined
  const follow = () => client.subscribe<{ teamChanges: { subjects: string[] } | null }>({ query: CHANGES }, sink)
  const goOn = () => {
    again = setTimeout(() => {
      stop = follow()
    }, waitMs(failures))
    failures += 1
  }
  const sink = {
    next({ data }: { data?: { teamChanges: { subjects: string[] } | null } | null }) {
      failures = 0
      changed(data?.teamChanges?.subjects ?? [])
    },
    error(fault: unknown) {
      if (fault instanceof NetworkError && fault.response?.status === 401) refused()
      else goOn()
    },
    complete: goOn,
  }
  let stop = follow()
  return () => {
    clearTimeout(again)
    // What is stopped here completes too, and is not followed again.
    sink.complete = () => {}
    stop()
    client.dispose()
  }
}
