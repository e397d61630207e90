import type { ReactNode } from 'react'
import { PassingNotes } from './passing.tsx'
import { SignOut } from './sign-out.tsx'
import { Empty } from './states.tsx'

/** Shown instead of all pages to somebody who may see none: the reason, their address, and a sign-out button. */
export function NoPages({ title, email, children }: { title: string; email: string; children: ReactNode }) {
  return (
    <PassingNotes>
      <main>
        <Empty title={title} heading="h1">
          {children}
          <p>You are signed in as {email}.</p>
          <SignOut />
        </Empty>
      </main>
    </PassingNotes>
  )
}
