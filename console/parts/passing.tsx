import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useLeftBehind } from './left-behind.ts'

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

type Say = (text: string, undo?: () => void) => void

const Saying = createContext<Say>(() => {})

/** Long enough to read and to undo. The notice stays while it is hovered or focused. */
const SHOWN_MS = 8000

/** Returns a function that shows a passing notice, with an undo button if there is an undo. */
export const useSay = () => useContext(Saying)

/** Shows passing notices. A notice about another team names that team, and cannot be undone from here. */
export function PassingNotes({ team = null, children }: { team?: NotedTeam | null; children: ReactNode }) {
  const [note, setNote] = useState<Note | null>(null)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!note || held) return
    const timer = setTimeout(() => setNote(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note, held])
  const { id, name } = team ?? { id: null, name: null }
  const here = useMemo(() => (id === null ? null : { id, name }), [id, name])
  const say = useCallback<Say>((text, undo) => setNote({ text, undo, team: here }), [here])
  // The code that started the change may have shown the error itself.
  const hear = useCallback(
    (text: string, fault: Error, of: NotedTeam | null) =>
      setNote((last) => (last?.text.includes(fault.message) ? last : { text, team: of })),
    [],
  )
  useLeftBehind(here, hear)
  const isElsewhere = note?.team != null && note.team.id !== id
  return (
    <Saying.Provider value={useMemo(() => say, [say])}>
      {children}
      <div role="status" aria-live="polite">
        {note && (
          <div className="passing" onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
            {isElsewhere && `${note.team?.name}: `}
            {note.text}
            {note.undo && !isElsewhere && (
              <button
                type="button"
                onFocus={() => setHeld(true)}
                onBlur={() => setHeld(false)}
                onClick={() => {
                  note.undo?.()
                  setNote(null)
                  setHeld(false)
                }}
              >
                Undo
              </button>
            )}
          </div>
        )}
      </div>
    </Saying.Provider>
  )
}
