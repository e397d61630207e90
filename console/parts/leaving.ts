/** What asks before something on the page is lost. It calls `leave` if the person agrees. */
type Guard = (leave: () => void) => void

const guards = new Set<Guard>()

/** Has the person asked before the team is switched, until the returned function is called. */
export function guardTeamSwitch(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Switches to another team, of whose pages none of this one stay: at once, or after the person has agreed. */
export function leaveTeam(leave: () => void): void {
  const [guard] = guards
  if (guard) guard(leave)
  else leave()
}
