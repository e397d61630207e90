/** Statuses of a property or a territory: whether it is watched for storms. */
export const statuses = { watching: 'Watching', paused: 'Paused', archived: 'Archived' } as const

export function WatchStatus({ status }: { status: keyof typeof statuses }) {
  return <span className={status === 'watching' ? 'badge good' : 'badge'}>{statuses[status]}</span>
}
