import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSignedOut, type SignedIn, signInAddress } from '../api/session.ts'
import { Dialog } from './dialog.tsx'

/**
 * Covers the page when the session has ended, until the person has signed in again in another window. Their input stays, and nobody else
 * can read the page: it is loaded again for another person, and stays covered until then. Must not be keyed by the team or the person,
 * because it remembers who signed in first.
 */
export function SignInAgain({ session }: { session: UseQueryResult<SignedIn> }) {
  const queries = useQueryClient()
  const { data, error, refetch } = session
  const ended = isSignedOut(error)
  const [firstPersonId] = useState(data?.person.id)
  const isOtherPerson = data !== undefined && data.person.id !== firstPersonId
  useEffect(() => {
    if (isOtherPerson) window.location.reload()
  }, [isOtherPerson])
  useEffect(() => {
    if (!ended) return
    const recheck = () => void refetch()
    window.addEventListener('focus', recheck)
    return () => {
      window.removeEventListener('focus', recheck)
      // Queries that were refused in the meantime are read again.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    }
  }, [ended, refetch, queries])
  return (
    <Dialog title="You are signed out" open={ended || isOtherPerson} isBlocking>
      <p>Sign in again in another window, then come back. What you wrote here is kept.</p>
      <div className="end row">
        <a className="button primary" href={signInAddress()} target="_blank" rel="noreferrer">
          Sign in
        </a>
      </div>
    </Dialog>
  )
}
