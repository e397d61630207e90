import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'

/** The main navigation: to the left of every page, and behind a button on a narrow screen. */
export function MainMenu({ title, children }: { title: ReactNode; children: ReactNode }) {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // The menu is open only on the page on which it was opened, so that it closes when the person goes to another page.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === pathname
  const listId = useId()
  return (
    <nav className="places" aria-label="Main menu" data-open={open || undefined}>
      <div className="places-head">
        <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden>
          <rect width="24" height="24" rx="6" />
          <path d="M7.5 14.5a3.6 3.6 0 0 1 .4-7.1 4.8 4.8 0 0 1 9 1.7 2.9 2.9 0 0 1-.4 5.4" />
          <path d="M8.5 18h.01M12 15.8h.01M12 19.5h.01M15.5 18h.01" />
        </svg>
        <div className="places-title">
          <div className="brand">Weather desk</div>
          {title}
        </div>
        <button
          className="button places-button"
          type="button"
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpenAt(open ? null : pathname)}
        >
          Menu
        </button>
      </div>
      <div className="places-list" id={listId}>
        {children}
      </div>
    </nav>
  )
}
