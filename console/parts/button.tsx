import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

interface Props extends Omit<ButtonProps, 'className'> {
  /** `first` is what a page is for, once a page; `grave` cannot be undone. */
  kind?: 'first' | 'grave'
}

export function Button({ kind, ...rest }: Props) {
  return <AriaButton {...rest} className={kind ? `button ${kind}` : 'button'} />
}
