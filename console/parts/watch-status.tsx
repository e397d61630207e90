/** Statuses of a property or a territory: whether it is watched for storms. */
export const statuses = { watching: 'Watching', paused: 'Paused', archived: 'Archived' } as const

interface Props {
  status: keyof typeof statuses
  /** Whether the place of a property is known: nothing is watched before. A territory's always is. */
  address?: { located: boolean; failure_message: string | null }
}

export function WatchStatus({ status, address }: Props) {
  if (!address || address.located) return <span className={status === 'watching' ? 'badge good' : 'badge'}>{statuses[status]}</span>
  const location = address.failure_message ? 'Not located' : 'Not located yet'
  if (status === 'watching') return <span className="badge warn">{location}: not watched</span>
  return (
    <>
      <span className="badge">{statuses[status]}</span> <span className="badge warn">{location}</span>
    </>
  )
}
