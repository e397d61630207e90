import type { ReactNode } from 'react'
import { PassingNotes } from './passing.tsx'
import { SignOut } from './sign-out.tsx'
import { Empty } from './states.tsx'

/** What is shown in the place of every page to somebody for whom there is none: why, who they are, and the way out. */
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
