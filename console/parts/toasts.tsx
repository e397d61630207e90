import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useOrphanedErrors } from './orphaned-errors.ts'

interface Note {
  text: string
  /** The team in which it was done; null outside of teams. */
  team: NotedTeam | null
  undo?: (() => void) | undefined
}

interface NotedTeam {
  id: string
  name: string
}

type Notify = (text: string, undo?: () => void) => void

const NotifyContext = createContext<Notify>(() => {})

/** Long enough to read and to undo. The notice stays while it is hovered or focused. */
const SHOWN_MS = 8000

/** Returns a function that shows a passing notice, with an undo button if there is an undo. */
export const useNotify = () => useContext(NotifyContext)

/** Shows passing notices. A notice about another team names that team, and cannot be undone from here. */
export function ToastProvider({ team = null, children }: { team?: NotedTeam | null; children: ReactNode }) {
  const [note, setNote] = useState<Note | null>(null)
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (!note || isPaused) return
    const timer = setTimeout(() => setNote(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note, isPaused])
  const { id, name } = team ?? { id: null, name: null }
  const here = useMemo(() => (id === null ? null : { id, name }), [id, name])
  const notify = useCallback<Notify>((text, undo) => setNote({ text, undo, team: here }), [here])
  // The code that started the change may have shown the error itself.
  const notifyError = useCallback(
    (text: string, fault: Error, of: NotedTeam | null) =>
      setNote((last) => (last?.text.includes(fault.message) ? last : { text, team: of })),
    [],
  )
  useOrphanedErrors(here, notifyError)
  const isOtherTeam = note?.team != null && note.team.id !== id
  return (
    <NotifyContext.Provider value={useMemo(() => notify, [notify])}>
      {children}
      <div role="status" aria-live="polite">
        {note && (
          <div className="toast" onPointerMove={() => setPaused(true)} onPointerLeave={() => setPaused(false)}>
            {isOtherTeam && `${note.team?.name}: `}
            {note.text}
            {note.undo && !isOtherTeam && (
              <UndoButton
                setPaused={setPaused}
                press={() => {
                  note.undo?.()
                  setNote(null)
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
