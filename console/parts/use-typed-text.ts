import { type ChangeEvent, type FocusEvent, useEffect, useRef, useState } from 'react'
import { TYPING_PAUSE_MS } from './use-debounced.ts'

/**
 * Props of a field whose text is in the URL. The URL changes once the person pauses or leaves the field, so that not every letter is a
 * request. Until it has changed, the field keeps what was typed; otherwise it follows the URL, which links change too. A value outside
 * the range of the field does not change the URL.
 */
export function useTypedText(inUrl: string | undefined, change: (text: string) => unknown) {
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    value: typed ?? inUrl ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setTyped(target.value)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => isInRange(target) && change(target.value), TYPING_PAUSE_MS)
    },
    onBlur: async ({ target }: FocusEvent<HTMLInputElement>) => {
      clearTimeout(timer.current)
      if (typed !== null && typed !== (inUrl ?? '') && isInRange(target)) await change(typed)
      // Something else may have been typed meanwhile.
      setTyped((current) => (current === typed ? null : current))
    },
  }
}

const isInRange = ({ validity: { rangeUnderflow, rangeOverflow } }: HTMLInputElement) => !rangeUnderflow && !rangeOverflow
