import { createClient, NetworkError } from 'graphql-sse'
import { graphql, printDocument } from './graphql.ts'
import { CONSOLE_HEADERS } from './session.ts'

const CHANGES = printDocument(graphql(`subscription Changes { teamChanges { subjects } }`))

/**
 * Milliseconds before the next try: 200 after a success, then exponential backoff of up to 30 seconds with jitter, so that not all
 * pages connect at once to a service that restarts.
 */
const waitMs = (failures: number) => (failures === 0 ? 200 : Math.min(2 ** failures, 30) * 1000 * (0.5 + Math.random() / 2))

interface ChangeListener {
  /** The subjects that changed; empty when the stream has just connected, for the first time or again. */
  changed(subjects: readonly string[]): void
  /** The session has ended, or the person is no longer in the team. */
  refused(): void
}

/**
 * Follows a team's changes until the returned function is called. A browser opens at most six connections to a host (HTTP/1.1), so one
 * of its pages follows the stream and passes the changes on to the others. Without locks, on an insecure origin, only visible pages
 * follow.
 */
export function followChanges(team_id: string, listener: ChangeListener): () => void {
  if (!navigator.locks) return runWhile(pageVisible, () => followStream(team_id, listener))
  return runWhile(pageOpen, () => followTogether(team_id, listener))
}

/** The events that start and stop a page's work, and whether it is active. */
interface PageState {
  events: readonly [EventTarget, string][]
  isActive: (event?: Event) => boolean
}
/** A page in the back/forward cache may be shown again. */
const pageOpen: PageState = {
  events: [
    [window, 'pagehide'],
    [window, 'pageshow'],
  ],
  isActive: (event) => event?.type !== 'pagehide',
}
const pageVisible: PageState = { events: [[document, 'visibilitychange']], isActive: () => document.visibilityState === 'visible' }

/** Runs `begin` when the span starts, and the function that it returned when the span ends. */
function runWhile({ events, isActive }: PageState, begin: () => () => void): () => void {
  let end = isActive() ? begin() : null
  const update = (event: Event) => {
    if (isActive(event) === (end !== null)) return
    if (end) end()
    end = end ? null : begin()
  }
  for (const [target, name] of events) target.addEventListener(name, update)
  return () => {
    for (const [target, name] of events) target.removeEventListener(name, update)
    end?.()
  }
}

/** The page that has the lock follows the stream. When it is closed, the next page gets the lock. */
function followTogether(team_id: string, { changed, refused }: ChangeListener): () => void {
  const name = `weather-changes ${team_id}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<readonly string[] | null>) => (data ? changed(data) : refused())
  const controller = new AbortController()
  const relay: ChangeListener = {
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
      const stop = followStream(team_id, relay)
      controller.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  // Rejected if it is stopped while it waits for the lock.
  navigator.locks.request(name, { signal: controller.signal }, follow).catch(() => {})
  return () => {
    controller.abort()
    channel.close()
  }
}

/** Uses fetch, because an EventSource cannot send the header that a session needs. */
function followStream(team_id: string, { changed, refused }: ChangeListener): () => void {
  const client = createClient({
    url: '/graphql',
    credentials: 'same-origin',
    headers: { ...CONSOLE_HEADERS, 'x-weather-team': team_id },
    retryAttempts: 0,
  })
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const follow = () => client.subscribe<{ teamChanges: { subjects: string[] } | null }>({ query: CHANGES }, sink)
  const reconnect = () => {
    retryTimer = setTimeout(() => {
      stop = follow()
    }, waitMs(failures))
    failures += 1
  }
  const sink = {
    next({ data }: { data?: { teamChanges: { subjects: string[] } | null } | null }) {
      // An event without data is a refusal, after which the stream ends.
      if (!data?.teamChanges) return
      failures = 0
      changed(data.teamChanges.subjects)
    },
    error(fault: unknown) {
      if (fault instanceof NetworkError && fault.response?.status === 401) refused()
      else reconnect()
    },
    complete: reconnect,
  }
  let stop = follow()
  return () => {
    clearTimeout(retryTimer)
    // Stopping completes the stream as well, which must not start it again.
    sink.complete = () => {}
    stop()
    client.dispose()
  }
}
