import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

interface Props extends Omit<ButtonProps, 'className'> {
  /** `first` is what a page is for, once a page; `grave` cannot be undone. */
  kind?: 'first' | 'grave'
  /** What it began goes on: another press does nothing, and it keeps the focus, which a disabled button loses. */
  isPending?: boolean
}

export function Button({ kind, isPending = false, type = 'button', onPress, ...rest }: Props) {
  return (
    <AriaButton
      {...rest}
      className={kind ? `button ${kind}` : 'button'}
      type={isPending ? 'button' : type}
      {...(isPending && { 'aria-disabled': true })}
      onPress={(event) => !isPending && onPress?.(event)}
    />
  )
}
