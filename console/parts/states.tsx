import type { ReactNode } from 'react'
import { ApiError } from '../api/session.ts'
import { Button } from './button.tsx'

/** What is shown while something is read: nothing moves, and a screen reader hears it once. */
export function Loading({ what }: { what: string }) {
  return (
    <div className="state" role="status">
      Loading {what} …
    </div>
  )
}

/**
 * Nothing is there: why, and what to do next.
 * @param heading `h1` where it is the whole page
 */
export function Empty({ title, heading: Heading = 'h2', children }: { title: string; heading?: 'h1' | 'h2'; children?: ReactNode }) {
  return (
    <div className="state">
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}

/** A page that is not for the role of whoever is signed in, and why. */
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
  /** Begins the sentence of what could not be read, where it stands beside what could: "The swaths". */
  what?: string
  /** `h1` where it is the whole page. */
  heading?: 'h1' | 'h2'
}

/** What was refused, in the service's own words, with the id by which it can be asked about. */
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
