import { useMutation } from '@tanstack/react-query'
import { signOut } from '../api/session.ts'
import { Button } from './button.tsx'
import { useSay } from './passing.tsx'

/** Ends this session and goes to the sign-in page. */
export function SignOut() {
  const say = useSay()
  const out = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign('/app/sign-in'),
    onError: (fault) => say(`You may still be signed in. ${fault.message}`),
  })
  return (
    <Button isPending={out.isPending} onPress={() => out.mutate()}>
      Sign out
    </Button>
  )
}
