import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isSignedOut, isUnavailable } from './api/session.ts'
import { routes } from './routes.tsx'
import { SESSION } from './signed-in.tsx'
import { setPageName } from './window-title.ts'

/** Retries twice if the service is unavailable. A request that was refused is not retried. */
const retry = (failures: number, error: Error) => failures < 2 && isUnavailable(error)

/** After a 401 reads the session again, which shows that it has ended. */
function recheckSession(error: Error): void {
  if (isSignedOut(error)) void queries.invalidateQueries(SESSION)
}

/** A write without a response may have succeeded: everything that is shown is read again. */
function refetchAfterError(error: Error): void {
  if (isUnavailable(error)) void queries.invalidateQueries()
  else recheckSession(error)
}

// A second press must find the button pending. The default scheduler uses a timer, and two presses in quick succession would both be sent.
notifyManager.setScheduler(queueMicrotask)

const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { retry, staleTime: 10_000 },
    // Without a network a mutation fails at once. It is not sent later, when the person may no longer want it.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== 'session' && recheckSession(error) }),
  mutationCache: new MutationCache({ onError: refetchAfterError }),
})

// Every page except sign-in needs the session: it is read while the script of the page loads.
if (!window.location.pathname.startsWith('/app/sign-in')) void queries.prefetchQuery(SESSION)

const router = createRouter({ routeTree: routes, basepath: '/app', defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Name of the page in the window title. */
    title?: string
  }
}

router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  setPageName(router.state.matches.at(-1)?.staticData.title)
  // The link that was followed is gone. Focus moves into the page, not back to before the navigation.
  if (fromLocation && pathChanged && document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true })
})

const container = document.getElementById('console')
if (container)
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
