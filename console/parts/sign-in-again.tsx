import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSignedOut, type SignedIn, signInAddress } from '../api/session.ts'
import { Dialog } from './dialog.tsx'

/**
 * Covers the page of whoever's session is over until they have signed in again in another window: what they wrote stays, and nobody else
 * reads what is shown.
 */
export function SignInAgain({ session }: { session: UseQueryResult<SignedIn> }) {
  const queries = useQueryClient()
  const { data, error, refetch } = session
  const ended = isSignedOut(error)
  const [first] = useState(data?.person.id)
  const another = data !== undefined && data.person.id !== first
  useEffect(() => {
    if (another) window.location.reload()
  }, [another])
  useEffect(() => {
    if (!ended) return
    const look = () => void refetch()
    window.addEventListener('focus', look)
    return () => {
      window.removeEventListener('focus', look)
      // What was refused meanwhile is read again.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    }
  }, [ended, refetch, queries])
  return (
    <Dialog title="You are signed out" open={ended} stays>
      <p>Sign in again in another window, then come back. What you wrote here is kept.</p>
      <div className="end row">
        <a className="button first" href={signInAddress()} target="_blank" rel="noreferrer">
          Sign in
        </a>
      </div>
    </Dialog>
  )
}
