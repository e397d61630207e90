import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../api/session.ts'
import { useCurrentSession } from '../signed-in.tsx'
import { Button } from './button.tsx'
import { Empty, Failed, Loading } from './states.tsx'

/** The things that have a page of their own, each with its list. */
const resources = {
  report: { to: '/reports', list: 'Reports' },
  property: { to: '/properties', list: 'Properties' },
  territory: { to: '/territories', list: 'Territories' },
  destination: { to: '/destinations', list: 'Destinations' },
  exposure: { to: '/inbox', list: 'Inbox' },
} as const

export type Resource = keyof typeof resources

/** A link from the page of a thing to its list. */
export function BackToList({ from }: { from: Resource }) {
  return (
    <p className="small">
      <Link to={resources[from].to}>{resources[from].list}</Link>
    </p>
  )
}

interface Props {
  what: Resource
  id: string
  error: Error
  retry: () => void
  /** Reads the same thing in another team. */
  readIn: (team_id: string) => Promise<unknown>
}

/** A thing that could not be read: it belongs to another of the person's teams, does not exist, or the service did not respond. */
export function LoadError({ what, error, retry, ...read }: Props) {
  return (
    <>
      <BackToList from={what} />
      {isNotFound({ error }) ? <OtherTeamOrNotFound what={what} {...read} /> : <Failed heading="h1" error={error} retry={retry} />}
    </>
  )
}

/** Whether the thing is gone (404). If the service is only unavailable, what was read before stays, with any unsaved work. */
export const isNotFound = <Found extends { error: unknown }>(found: Found): found is Found & { error: ApiError } =>
  found.error instanceof ApiError && found.error.status === 404

/** Looks for the thing in the person's other teams, and offers to switch to the one that has it. */
function OtherTeamOrNotFound({ what, id, readIn }: Pick<Props, 'what' | 'id' | 'readIn'>) {
  const { team, teams, switchTeam } = useCurrentSession()
  const others = teams.filter((one) => one.id !== team.id)
  const found = useQuery({
    queryKey: ['elsewhere', what, id],
    enabled: others.length > 0,
    queryFn: async () => {
      for (const other of others) {
        const record = await readIn(other.id).catch((error) => {
          if (isNotFound({ error })) return null
          throw error
        })
        if (record) return other
      }
      return null
    },
  })
  if (others.length > 0 && found.isPending) return <Loading what={`the ${what}`} />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  if (found.data)
    return (
      <Empty heading="h1" title={`This belongs to ${found.data.name}`}>
        <p>You are working in {team.name}.</p>
        <Button kind="primary" onPress={() => found.data && switchTeam(found.data.id)}>
          Go to {found.data.name}
        </Button>
      </Empty>
    )
  return (
    <Empty heading="h1" title={`This ${what} was not found`}>
      <p>It was removed, or it belongs to a team that you are not in.</p>
      <Link className="button" to={resources[what].to}>
        Go to {resources[what].list}
      </Link>
    </Empty>
  )
}
