import { type Key, useInput } from 'ink'
import { useEffect, useReducer, useRef } from 'react'

/** A key: the character it types, or its name. Held down, it comes as one press of several times. */
export interface Press {
  key: string
  times: number
}

/** What ends the program wherever it comes. */
export const INTERRUPT = 'interrupt'

const named: Partial<Record<keyof Key, string>> = {
  ...{ upArrow: 'up', downArrow: 'down', leftArrow: 'left', rightArrow: 'right' },
  ...{ pageUp: 'pageup', pageDown: 'pagedown', home: 'home', end: 'end' },
  ...{ return: 'enter', tab: 'tab', escape: 'escape', backspace: 'backspace', delete: 'backspace' },
}

/** Characters that name a key where they arrive among others. */
const within: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': INTERRUPT,
}

/** The presses in one piece of input: keys typed fast, or over a slow line, arrive together. */
export function pressesOf(input: string, key: Key): Press[] {
  const [, name] = Object.entries(named).find(([flag]) => key[flag as keyof Key]) ?? []
  if (name) return [{ key: name, times: 1 }]
  if (key.ctrl) return input === 'c' ? [{ key: INTERRUPT, times: 1 }] : []
  return joined([...input].map((character) => ({ key: within[character] ?? character, times: 1 })))
}

/** Presses of one key behind each other as one. */
function joined(presses: readonly Press[]): Press[] {
  const runs: Press[] = []
  for (const { key, times } of presses) {
    const last = runs.at(-1)
    if (last?.key === key) last.times += times
    else runs.push({ key, times })
  }
  return runs
}

/**
 * Hands presses on one by one, each when what the one before did is drawn: the second of two that come together may be for
 * the screen that the first went to.
 */
export function usePresses(press: (press: Press) => void): void {
  const latest = useRef(press)
  latest.current = press
  const waiting = useRef<Press[]>([])
  const busy = useRef(false)
  const [turn, rerender] = useReducer((taken: number) => taken + 1, 0)
  const next = () => {
    const first = waiting.current.shift()
    busy.current = first !== undefined
    if (!first) return
    latest.current(first)
    rerender()
  }
  useEffect(() => {
    const soon = setImmediate(next)
    return () => clearImmediate(soon)
  }, [turn])
  useInput((input, key) => {
    waiting.current = joined([...waiting.current, ...pressesOf(input, key)])
    if (!busy.current) setImmediate(next)
    busy.current = true
  })
}
