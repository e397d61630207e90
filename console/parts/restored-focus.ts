import { useEffect } from 'react'

/** A row of controls: if the focused one disappears, the next control in the row gets the focus. */
const GROUP = '.row'
const NEXT = 'a[href], button:not(:disabled)'

/**
 * Keeps the focus in the page when the focused element disappears because of its own action, for example a button that is replaced by
 * another, or the list of teams, which is rendered anew in the chosen team. Dialogs manage their own focus. Must not be keyed by the
 * team, because it remembers what was focused before the team changed.
 */
export function useRestoredFocus(): void {
  useEffect(() => {
    /** The element that had the focus last, and its ancestors, innermost first. */
    let last: Element[] = []
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element && !target.closest('[role="dialog"]') ? [...withParents(target)] : []
    }
    const restoreFocus = () => {
      const [removed, ...ancestors] = last
      if (!removed || document.activeElement !== document.body || !(removed.matches(':disabled') || !removed.isConnected)) return
      const successor = removed.isConnected ? null : document.getElementById(removed.id)
      const remaining = ancestors.find((one) => one.isConnected)
      const next = remaining?.matches(GROUP) ? remaining.querySelector<HTMLElement>(NEXT) : null
      ;(successor ?? next ?? document.getElementById('content'))?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(restoreFocus)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [])
}

function* withParents(element: Element): Generator<Element> {
  for (let one: Element | null = element; one; one = one.parentElement) yield one
}
