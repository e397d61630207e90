import { type Key, useInput } from 'ink'
import { useEffect, useReducer, useRef } from 'react'

/** A key: the character it types, or its name. A key held down arrives as one press with a count. */
export interface Press {
  key: string
  times: number
}

/** Ctrl-C, which quits the program at any time. */
export const INTERRUPT = 'interrupt'

const keyNames: Partial<Record<keyof Key, string>> = {
  ...{ upArrow: 'up', downArrow: 'down', leftArrow: 'left', rightArrow: 'right' },
  ...{ pageUp: 'pageup', pageDown: 'pagedown', home: 'home', end: 'end' },
  ...{ return: 'enter', tab: 'tab', escape: 'escape', backspace: 'backspace', delete: 'backspace' },
}

/** Control characters and the keys that they mean. */
const controlKeys: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0003': INTERRUPT,
}

/** Splits a piece of input into presses: keys typed fast, or over a slow line, arrive together. */
export function keyPressesOf(input: string, key: Key): Press[] {
  const [, name] = Object.entries(keyNames).find(([flag]) => key[flag as keyof Key]) ?? []
  if (name) return [{ key: name, times: 1 }]
  if (key.ctrl) return input === 'c' ? [{ key: INTERRUPT, times: 1 }] : []
  return mergeRepeats([...input].map((character) => ({ key: controlKeys[character] ?? character, times: 1 })))
}

/** Merges consecutive presses of the same key. */
function mergeRepeats(presses: readonly Press[]): Press[] {
  const runs: Press[] = []
  for (const { key, times } of presses) {
    const last = runs.at(-1)
    if (last?.key === key) last.times += times
    else runs.push({ key, times })
  }
  return runs
}

/**
 * Passes presses on one by one, each after the effect of the previous one is drawn: the second of two presses may be for
 * the screen that the first one opened.
 */
export function useKeyPresses(press: (press: Press) => void): void {
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
    waiting.current = mergeRepeats([...waiting.current, ...keyPressesOf(input, key)])
    if (!busy.current) setImmediate(next)
    busy.current = true
  })
}
