/** Statuses of a property or a territory: whether it is watched for storms. */
export const statuses = { watching: 'Watching', paused: 'Paused', archived: 'Archived' } as const

interface Props {
  status: keyof typeof statuses
  /** Whether the place of a property is known: nothing is watched before. A territory's always is. */
  address?: { located: boolean; failure_message: string | null }
}

export function WatchStatus({ status, address }: Props) {
  const isLocated = address?.located ?? true
  return (
    <>
      <span className={status === 'watching' && isLocated ? 'badge good' : 'badge'}>{statuses[status]}</span>
      {!isLocated && (
        <>
          {' '}
          <span className="badge warn">{address?.failure_message ? 'Not located' : 'Not located yet'}</span>
        </>
      )}
    </>
  )
}
