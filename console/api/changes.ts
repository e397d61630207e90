import { print } from 'graphql'
import { createClient, NetworkError } from 'graphql-sse'
import { graphql } from './graphql.ts'
import { CONSOLE_HEADERS } from './session.ts'

const CHANGES = print(graphql(`subscription Changes { teamChanges { subjects } }`))

/** Between two tries: at once after what worked, then after one second, two, at most thirty, so that a service that starts is not asked by all at once. */
const waitMs = (failures: number) => (failures === 0 ? 200 : Math.min(2 ** failures, 30) * 1000 * (0.5 + Math.random() / 2))

interface Hearing {
  /** Of which something changed; none where changes are heard from now on, again or for the first time. */
  changed(subjects: readonly string[]): void
  /** The session is over, or no longer in the team. */
  refused(): void
}

/**
 * Hears of a team's changes until it is stopped. A browser opens six connections to a host at most (HTTP/1.1), so that of all its
 * pages one follows, and hands on to the others what it hears. Without locks, on an insecure origin, those follow that are seen.
 */
export function followChanges(team_id: string, hearing: Hearing): () => void {
  if (!navigator.locks) return between(visible, () => followStream(team_id, hearing))
  return between(alive, () => followTogether(team_id, hearing))
}

/** What begins and ends a page's time, and whether it is on. */
interface Span {
  events: readonly [EventTarget, string][]
  isOn: (event?: Event) => boolean
}
/** A page that was left may be kept, and shown again. */
const alive: Span = {
  events: [
    [window, 'pagehide'],
    [window, 'pageshow'],
  ],
  isOn: (event) => event?.type !== 'pagehide',
}
const visible: Span = { events: [[document, 'visibilitychange']], isOn: () => document.visibilityState === 'visible' }

/** Does something while the page is so. */
function between({ events, isOn }: Span, begin: () => () => void): () => void {
  let end = isOn() ? begin() : null
  const look = (event: Event) => {
    if (isOn(event) === (end !== null)) return
    if (end) end()
    end = end ? null : begin()
  }
  for (const [target, name] of events) target.addEventListener(name, look)
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, look)
    end?.()
  }
}

/** The page that has the lock follows; the next one has it when that is closed. */
function followTogether(team_id: string, { changed, refused }: Hearing): () => void {
  const name = `weather-changes ${team_id}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<readonly string[] | null>) => (data ? changed(data) : refused())
  const over = new AbortController()
  const handOn: Hearing = {
    changed(subjects) {
      changed(subjects)
      channel.postMessage(subjects)
    },
    refused() {
      refused()
      channel.postMessage(null)
    },
  }
  const follow = () =>
    new Promise<void>((resolve) => {
      const stop = followStream(team_id, handOn)
      over.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  // Refused where it is stopped while it waits.
  navigator.locks.request(name, { signal: over.signal }, follow).catch(() => {})
  return () => {
    over.abort()
    channel.close()
  }
}

/** Over fetch: an EventSource could not send the header that a session takes. */
function followStream(team_id: string, { changed, refused }: Hearing): () => void {
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
