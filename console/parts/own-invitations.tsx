import { useMutation, useQueryClient } from '@tanstack/react-query'
import { acceptInvitation, declineInvitation, type OwnInvitation, type SignedIn } from '../api/session.ts'
import { Button } from './button.tsx'
import { useNotify } from './toasts.tsx'

interface Props extends Pick<SignedIn, 'teams' | 'invitations'> {
  /** Called with the id of the team that the person has joined. */
  onJoined: (team_id: string) => void
}

/** Open invitations to the signed-in person, each to accept or to decline. Signing in accepts none of them. */
export function OwnInvitations({ teams, invitations = [], onJoined }: Props) {
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: ['session'] })
  const refuse = (fault: Error) => {
    notify(fault.message)
    return refresh()
  }
  const accept = useMutation({
    mutationFn: ({ id }: OwnInvitation) => acceptInvitation(id),
    onSuccess: async ({ team_id }) => {
      await refresh()
      onJoined(team_id)
    },
    onError: refuse,
  })
  const decline = useMutation({ mutationFn: ({ id }: OwnInvitation) => declineInvitation(id), onSuccess: refresh, onError: refuse })
  const isPending = accept.isPending || decline.isPending
  return invitations.map((invitation) => {
    const { id, team, role } = invitation
    const isMember = teams.some((one) => one.id === team.id)
    return (
      <section key={id} className="notice" aria-label={`Invitation to ${team.name}`}>
        <p>{isMember ? `${team.name} offers you the role of ${role}.` : `${team.name} invites you to join as ${role}.`}</p>
        <div className="row">
          <Button isPending={isPending} onPress={() => accept.mutate(invitation)}>
            {isMember ? 'Accept' : `Join ${team.name}`}
          </Button>
          <Button isPending={isPending} onPress={() => decline.mutate(invitation)}>
            Decline
          </Button>
        </div>
      </section>
    )
  })
}
