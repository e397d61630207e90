import { useMutation, useQueryClient } from '@tanstack/react-query'
import { acceptInvitation, declineInvitation, type OwnInvitation, type SignedIn } from '../api/session.ts'
import { Button } from './button.tsx'

interface Props extends Pick<SignedIn, 'teams' | 'invitations'> {
  /** Called with the id of the team that the person has joined. */
  onJoined: (team_id: string) => void
}

/** Open invitations to the signed-in person, each to accept or to decline. Signing in accepts none of them. */
export function OwnInvitations({ teams, invitations = [], onJoined }: Props) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['session'] })
  const accept = useMutation({
    mutationFn: ({ id }: OwnInvitation) => acceptInvitation(id),
    onSuccess: async ({ team_id }) => {
      await refresh()
      onJoined(team_id)
    },
    onError: refresh,
  })
  const decline = useMutation({ mutationFn: ({ id }: OwnInvitation) => declineInvitation(id), onSettled: refresh })
  const isPending = accept.isPending || decline.isPending
  const error = accept.error ?? decline.error
  const choose = (chosen: typeof accept | typeof decline, invitation: OwnInvitation) => {
    accept.reset()
    decline.reset()
    chosen.mutate(invitation)
  }
  return (
    <>
      {invitations.map((invitation) => {
        const { id, team, role } = invitation
        const isMember = teams.some((one) => one.id === team.id)
        return (
          <section key={id} className="notice apart-below" aria-label={`Invitation to ${team.name}`}>
            <p>{isMember ? `${team.name} offers you the role of ${role}.` : `${team.name} invites you to join as ${role}.`}</p>
            <div className="row">
              <Button isPending={isPending} onPress={() => choose(accept, invitation)}>
                {isMember ? 'Accept' : `Join ${team.name}`}
              </Button>
              <Button isPending={isPending} onPress={() => choose(decline, invitation)}>
                Decline
              </Button>
            </div>
          </section>
        )
      })}
      {error && (
        <div className="notice bad" role="alert">
          {error.message}
        </div>
      )}
    </>
  )
}
