import { type Key, useInput } from 'ink'
import { useEffect, useState } from 'react'

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
  const presses: Press[] = []
  for (const character of input) {
    const pressed = within[character] ?? character
    const last = presses.at(-1)
    if (last?.key === pressed) last.times += 1
    else presses.push({ key: pressed, times: 1 })
  }
  return presses
}

/**
 * Hands presses on one by one, each when what the one before did is drawn: the second of two that come together may be for
 * the screen that the first went to.
 */
export function usePresses(press: (press: Press) => void): void {
  const [waiting, setWaiting] = useState<readonly Press[]>([])
  useInput((input, key) => setWaiting((before) => [...before, ...pressesOf(input, key)]))
  useEffect(() => {
    const [first] = waiting
    if (!first) return
    setWaiting((before) => before.slice(1))
    press(first)
  }, [waiting])
}
