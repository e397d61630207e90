import { useEffect } from 'react'

/** What stands beside each other and is done one at a time: where one is gone, the next in it has its place. */
const GROUP = '.row'
const NEXT = 'a[href], button:not(:disabled)'

/**
 * Keeps the focus in the page: what has it may be gone by what it did, as a button that another takes the place of. A dialog keeps its own.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, and what it stood in, from within. */
    let last: Element[] = []
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element && !target.closest('[role="dialog"]') ? [...withParents(target)] : []
    }
    const look = () => {
      const [gone, ...around] = last
      if (!gone || document.activeElement !== document.body || !(gone.matches(':disabled') || !gone.isConnected)) return
      const kept = around.find((one) => one.isConnected)
      const next = kept?.matches(GROUP) ? kept.querySelector<HTMLElement>(NEXT) : null
      ;(next ?? document.getElementById('content'))?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', note)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [])
}

function* withParents(element: Element): Generator<Element> {
  for (let one: Element | null = element; one; one = one.parentElement) yield one
}
