import type { ReactNode } from 'react'
import { ApiError } from '../api/session.ts'
import { Button } from './button.tsx'

/** The loading state: nothing moves, and a screen reader announces it once. */
export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      Loading {what} …
    </div>
  )
}

/** `h1` if the state is the whole page, `h3` if it is under the `h2` of a section. */
export type StateHeading = 'h1' | 'h2' | 'h3'

/** The empty state: why there is nothing, and what to do next. A screen reader announces what a search did not find, too. */
export function Empty({ title, heading: Heading = 'h2', children }: { title: string; heading?: StateHeading; children?: ReactNode }) {
  return (
    <div className="state" role="status">
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}

/** A page that the person's role may not see, and why. */
export function NotForRole({ page, whom, children }: { page: string; whom: string; children: ReactNode }) {
  return (
    <>
      <header className="page-head">
        <h1>{page}</h1>
      </header>
      <Empty title={`For ${whom}`}>
        <p>{children}</p>
      </Empty>
    </>
  )
}

interface FailedProps {
  error: Error
  retry?: () => void
  /** Names what could not be loaded, if the rest of the page could: "The swaths". */
  what?: string
  heading?: StateHeading
}

/** The error state: the service's message, and the request id for support. */
export function Failed({ error, retry, what, heading: Heading = 'h2' }: FailedProps) {
  const request_id = error instanceof ApiError ? error.request_id : null
  return (
    <div className="state" role="alert">
      <Heading>
        {!what && error instanceof ApiError && error.code === 'offline'
          ? 'No connection to the service'
          : `${what ?? 'This'} could not be loaded`}
      </Heading>
      <p>{error.message}</p>
      {request_id && (
        <p className="small">
          Request <code>{request_id}</code>
        </p>
      )}
      {retry && <Button onPress={retry}>Try again</Button>}
    </div>
  )
}
