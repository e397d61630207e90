import { useMutation } from '@tanstack/react-query'
import { signOut } from '../api/session.ts'
import { Button } from './button.tsx'
import { useNotify } from './toasts.tsx'

/** Ends this session and goes to the sign-in page. */
export function SignOut() {
  const notify = useNotify()
  const signingOut = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign('/app/sign-in'),
    onError: (fault) => notify(`You may still be signed in. ${fault.message}`),
  })
  return (
    <Button isPending={signingOut.isPending} onPress={() => signingOut.mutate()}>
      Sign out
    </Button>
  )
}
