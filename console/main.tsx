import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isAway, isSignedOut } from './api/session.ts'
import { routes } from './routes.tsx'
import { SESSION } from './signed-in.tsx'
import { namePage } from './window-title.ts'

/** What a person did wrong, or may not do, is not asked again; a service that is away is, twice. */
const retry = (failures: number, error: Error) => failures < 2 && isAway(error)

/** What is refused for want of a session has the session asked for, which says that it is over. */
function lookAtSession(error: Error): void {
  if (isSignedOut(error)) void queries.invalidateQueries(SESSION)
}

/** A write whose answer did not come may have been done: what is shown is read again. */
function lookAgain(error: Error): void {
  if (isAway(error)) void queries.invalidateQueries()
  else lookAtSession(error)
}

// A second press finds the button waiting: by a timer, as is the default, both would be sent where they follow each other at once.
notifyManager.setScheduler(queueMicrotask)

const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 10_000 },
    // Without a network it fails at once, and is not sent later by itself, when somebody may no longer mean it.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== 'session' && lookAtSession(error) }),
  mutationCache: new MutationCache({ onError: lookAgain }),
})

// Every page but sign-in waits for it: it is read while the page's own script is.
if (!window.location.pathname.startsWith('/app/sign-in')) void queries.prefetchQuery(SESSION)

const router = createRouter({ routeTree: routes, basepath: '/app', defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Of the page, in the title of its window. */
    title?: string
  }
}

router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  namePage(router.state.matches.at(-1)?.staticData.title)
  // The link that was followed is gone: the keyboard goes on in the page, not before all places.
  if (fromLocation && pathChanged && document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true })
})

const place = document.getElementById('console')
if (place)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
