import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

interface Props extends Omit<ButtonProps, 'className'> {
  /** `primary` is used once per page. */
  kind?: 'primary' | 'destructive'
  /** While pending another press does nothing. The button keeps the focus, which a disabled button would lose. */
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
