import type { ReactNode } from 'react'
import { SignOut } from './sign-out.tsx'
import { Empty } from './states.tsx'
import { ToastProvider } from './toasts.tsx'

/** Shown instead of all pages to somebody who may see none: the reason, their address, and a sign-out button. */
export function AccessDenied({ title, email, children }: { title: string; email: string; children: ReactNode }) {
  return (
    <ToastProvider>
      <main>
        <Empty title={title} heading="h1">
          {children}
          <p>You are signed in as {email}.</p>
          <SignOut />
        </Empty>
      </main>
    </ToastProvider>
  )
}
