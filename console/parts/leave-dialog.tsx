import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { guardTeamSwitch } from './leaving.ts'

interface Props {
  title: string
  /** Whether leaving loses something. */
  when: boolean
  /** What leaving loses. */
  children: ReactNode
}

/** Asks before the person leaves the page for another one, or switches to another team. Before the window is closed, the browser asks in its own words. */
export function LeaveDialog({ title, when, children }: Props) {
  const leaving = useBlocker({
    // A link to the same page may start another form: a new report about another property. A link to a part of the page does not.
    shouldBlockFn: ({ current, next }) => addressOf(current) !== addressOf(next),
    disabled: !when,
    withResolver: true,
  })
  const [switchTeam, setSwitchTeam] = useState<(() => void) | null>(null)
  useEffect(() => (when ? guardTeamSwitch((leave) => setSwitchTeam(() => leave)) : undefined), [when])
  const stay = () => {
    leaving.reset?.()
    setSwitchTeam(null)
  }
  return (
    <Dialog title={title} open={leaving.status === 'blocked' || switchTeam !== null} close={stay}>
      {children}
      <div className="end">
        <Button onPress={stay}>Stay</Button>
        <Button onPress={() => (switchTeam ? switchTeam() : leaving.proceed?.())}>Leave</Button>
      </div>
    </Dialog>
  )
}

const addressOf = ({ pathname, search }: { pathname: string; search: object }) => pathname + JSON.stringify(search)

/** Asks before the person leaves a form with changes that are not saved. After they are saved, navigate with `ignoreBlocker`. */
export function UnsavedChanges({ when }: Pick<Props, 'when'>) {
  return (
    <LeaveDialog title="Leave without saving?" when={when}>
      <p>What you have entered on this page will be lost.</p>
    </LeaveDialog>
  )
}
