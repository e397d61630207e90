import { Text } from 'ink'
import { Component, type ReactNode } from 'react'
import type { ScreenProps } from './frame.tsx'
import { displayable } from './text.ts'

interface Props {
  frame: ScreenProps
  children: ReactNode
}

/** A screen, or its error message: a response of unknown form breaks only its own screen. */
export class ErrorBoundary extends Component<Props, { fault: Error | null }> {
  override state = { fault: null }

  static getDerivedStateFromError(fault: Error) {
    return { fault }
  }

  override render() {
    const { fault } = this.state
    const { frame, children } = this.props
    if (!fault) return children
    frame.onPress(({ key }) => key === 'r' && this.setState({ fault: null }))
    const { message } = fault as Error
    return (
      <Text>
        {displayable(`The response of the service cannot be shown (${message}). r retries; the other screens still work.`, frame.look)}
      </Text>
    )
  }
}
