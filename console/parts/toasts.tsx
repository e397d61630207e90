import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useOrphanedErrors } from './orphaned-errors.ts'

interface Toast {
  /** Differs from that of the notice before it. */
  nth: number
  text: string
  /** The team in which it was done; null outside of teams. */
  team: ToastTeam | null
  undo?: (() => void) | undefined
}

interface ToastTeam {
  id: string
  name: string
}

const nthAfter = (last: Toast | null) => (last ? last.nth + 1 : 0)

type Notify = (text: string, undo?: () => void) => void

const NotifyContext = createContext<Notify>(() => {})

/** Long enough to read and to undo. The notice stays while it is hovered or focused. */
const SHOWN_MS = 8000

/** Returns a function that shows a passing notice, with an undo button if there is an undo. */
export const useNotify = () => useContext(NotifyContext)

/** Shows passing notices. A notice about another team names that team, and cannot be undone from here. */
export function ToastProvider({ team = null, children }: { team?: ToastTeam | null; children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null)
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (!toast || isPaused) return
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, isPaused])
  const { id, name } = team ?? { id: null, name: null }
  const currentTeam = useMemo(() => (id === null ? null : { id, name }), [id, name])
  const notify = useCallback<Notify>(
    (text, undo) => setToast((last) => ({ nth: nthAfter(last), text, undo, team: currentTeam })),
    [currentTeam],
  )
  // The code that started the change may have shown the error itself.
  const notifyError = useCallback(
    (text: string, fault: Error, of: ToastTeam | null) =>
      setToast((last) => (last?.text.includes(fault.message) ? last : { nth: nthAfter(last), text, team: of })),
    [],
  )
  useOrphanedErrors(currentTeam, notifyError)
  const isOtherTeam = toast?.team != null && toast.team.id !== id
  return (
    <NotifyContext.Provider value={useMemo(() => notify, [notify])}>
      {children}
      <div role="status" aria-live="polite">
        {toast && (
          <div className="toast" onPointerMove={() => setPaused(true)} onPointerLeave={() => setPaused(false)}>
            {/* A screen reader announces the same words again only if they are new in the page. */}
            <span key={toast.nth}>
              {isOtherTeam && `${toast.team?.name}: `}
              {toast.text}
            </span>
            {toast.undo && !isOtherTeam && (
              <UndoButton
                setPaused={setPaused}
                press={() => {
                  toast.undo?.()
                  setToast(null)
                }}
              />
            )}
          </div>
        )}
      </div>
    </NotifyContext.Provider>
  )
}

function UndoButton({ press, setPaused }: { press: () => void; setPaused: (paused: boolean) => void }) {
  // A button that is removed while it has the focus is not blurred: the next notice may be without one.
  useEffect(() => () => setPaused(false), [setPaused])
  return (
    <button type="button" onFocus={() => setPaused(true)} onBlur={() => setPaused(false)} onClick={press}>
      Undo
    </button>
  )
}
