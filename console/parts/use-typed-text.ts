import { type ChangeEvent, useState } from 'react'

/**
 * Props of a field whose text is in the URL. The URL lags behind a person who types, so that the field keeps what was typed until it is
 * left. Otherwise it follows the URL, which links change too. A value outside the range of the field does not change the URL.
 */
export function useTypedText(inUrl: string | undefined, change: (text: string) => void) {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? inUrl ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setTyped(target.value)
      const { rangeUnderflow, rangeOverflow } = target.validity
      if (!rangeUnderflow && !rangeOverflow) change(target.value)
    },
    onBlur: () => setTyped(null),
  }
}
