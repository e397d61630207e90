import { jsx as createElement, Fragment, type JSX } from 'react/jsx-runtime'
import { displayText } from './parts/display-text.ts'

// Every element of the console is made here, as console/tsconfig.json says, so that no page can forget what all of them must do:
// texts by a team, a weather office or a receiver are shown without characters that change the text direction. Values of fields,
// addresses and saved files keep them.

/** Attributes that are shown or read aloud. */
const SHOWN = ['aria-label', 'aria-description', 'title', 'placeholder', 'data-label', 'children'] as const

type Props = Record<string, unknown>

function makeElement(type: Parameters<typeof createElement>[0], props: Props, key?: string): JSX.Element {
  return createElement(type, displayed(props), key)
}

export type { JSX }
/** The names by which compiled JSX calls it: for one child, for several, and in code that is not bundled. */
export { Fragment, makeElement as jsx, makeElement as jsxDEV, makeElement as jsxs }

/** The same object if there is nothing to remove. */
function displayed(props: Props): Props {
  let changed: Props | null = null
  for (const name of SHOWN) {
    const value = props[name]
    const shown = displayedValue(value)
    if (shown !== value) changed = { ...(changed ?? props), [name]: shown }
  }
  return changed ?? props
}

function displayedValue(value: unknown): unknown {
  if (typeof value === 'string') return displayText(value)
  if (!Array.isArray(value)) return value
  const shown = value.map(displayedValue)
  return shown.some((one, index) => one !== value[index]) ? shown : value
}
