import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'

interface Note {
  text: string
  undo?: (() => void) | undefined
}

type Say = (text: string, undo?: () => void) => void

const Saying = createContext<Say>(() => {})

/** Long enough to read and to undo; whoever points at it, or is at it by the keyboard, keeps it. */
const SHOWN_MS = 8000

/** Says in passing what was done, with a way back where there is one. */
export const useSay = () => useContext(Saying)

export function PassingNotes({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<Note | null>(null)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!note || held) return
    const timer = setTimeout(() => setNote(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note, held])
  const say = useCallback<Say>((text, undo) => setNote({ text, undo }), [])
  return (
    <Saying.Provider value={useMemo(() => say, [say])}>
      {children}
      <div role="status" aria-live="polite">
        {note && (
          <div className="passing" onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
            {note.text}
            {note.undo && (
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
