import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useLayoutEffect, useState } from 'react'
import { choosePasskey, signInByPasskey } from '../api/passkeys.ts'
import { ApiError, beginCompanySignIn, readSignInMethods, redeemLink, requestLink } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { companyRefusals } from './sign-in/company-refusals.ts'

/** The token of a link is in the fragment, which programs that follow links automatically do not send. */
const tokenFromHash = () => window.location.hash.slice(1)

/** Signs in with a link, after a press on the button, or offers the ways to sign in. */
export function SignInPage() {
  const [token, setToken] = useState(tokenFromHash)
  // A link that is pasted into this window changes only the fragment, which loads nothing.
  useLayoutEffect(() => {
    const readToken = () => setToken(tokenFromHash)
    window.addEventListener('hashchange', readToken)
    return () => window.removeEventListener('hashchange', readToken)
  }, [])
  return (
    <main className="alone">
      <h1>Weather desk</h1>
      {token ? <OpenLink key={token} token={token} /> : <SignInMethods />}
    </main>
  )
}

function OpenLink({ token }: { token: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: () => redeemLink(token),
    onSuccess: async ({ return_to, team_id }) => {
      if (team_id) localStorage.setItem('weather-team', team_id)
      queries.clear()
      await navigate({ to: consolePath(return_to) ?? '/inbox', replace: true })
    },
  })
  return (
    <>
      <p>This link signs you in on this device.</p>
      {open.error && (
        <div className="notice bad" role="alert">
          {open.error.message}
        </div>
      )}
      <div className="row">
        <Button kind="primary" autoFocus isPending={open.isPending} onPress={() => open.mutate()}>
          Sign in
        </Button>
        {open.error && <a href="/app/sign-in">Request a new link</a>}
      </div>
    </>
  )
}

/** A path of the console as its router has it; null for anything else. */
const consolePath = (sent: string | null | undefined) => (sent && /^\/app\/(?!\/)/.test(sent) ? sent.slice('/app'.length) : null)

/** The company's sign-in, a link if the service sends e-mail, and a passkey if the browser supports it. */
function SignInMethods() {
  const { return_to, refused } = useSearch({ from: '/sign-in' })
  const methods = useQuery({ queryKey: ['sign-in methods'], queryFn: readSignInMethods })
  if (methods.isPending) return <Loading what="the ways to sign in" />
  // If this could not be read, the response to a request for a link shows it.
  const canMail = methods.data?.mail !== false
  return (
    <>
      {refused && (
        <div className="notice bad" role="alert">
          {companyRefusals[refused]}
        </div>
      )}
      {methods.isLoadingError && <Failed what="Other ways to sign in" error={methods.error} retry={() => methods.refetch()} />}
      {methods.data?.company && <CompanySignIn host={methods.data.company} return_to={return_to ?? null} />}
      {canMail ? <LinkForm return_to={return_to ?? null} /> : <NoMail />}
      {browserSupportsWebAuthn() && <PasskeySignIn return_to={return_to ?? null} hasField={canMail} />}
    </>
  )
}

function CompanySignIn({ host, return_to }: { host: string; return_to: string | null }) {
  const begin = useMutation({
    mutationFn: () => beginCompanySignIn(return_to),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <div className="apart-above apart-below">
      {begin.error && (
        <div className="notice bad" role="alert">
          {begin.error.message}
        </div>
      )}
      <Button kind="primary" isPending={begin.isPending} onPress={() => begin.mutate()}>
        Sign in with {host}
      </Button>
    </div>
  )
}

/** @param hasField whether there is an e-mail field, in which the browser can offer a passkey */
function PasskeySignIn({ return_to, hasField }: { return_to: string | null; hasField: boolean }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: async () => {
      queries.clear()
      await navigate({ to: consolePath(return_to) ?? '/inbox', replace: true })
    },
  })
  const choose = useMutation({ mutationFn: choosePasskey, onMutate: signIn.reset, onSuccess: (chosen) => signIn.mutate(chosen) })
  const { mutate } = choose
  // Nobody asked for the offer in the e-mail field: only a passkey that was chosen there can be refused.
  const error = signIn.error ?? (choose.variables?.inField ? null : choose.error)
  // The e-mail field offers passkeys too, until the button asks for one instead.
  useEffect(() => {
    if (!hasField) return
    let unmounted = false
    browserSupportsWebAuthnAutofill().then((can) => can && !unmounted && mutate({ inField: true }))
    return () => {
      unmounted = true
      WebAuthnAbortService.cancelCeremony()
    }
  }, [mutate, hasField])
  return (
    <div className="apart-above">
      {error && (
        <div className="notice bad" role="alert">
          {error.message}
        </div>
      )}
      <Button onPress={() => mutate({ inField: false })}>Sign in with a passkey</Button>
    </div>
  )
}

function NoMail() {
  return (
    <div className="notice apart-above" role="status">
      This service does not send e-mail. Ask its operator for a link: <code>weather admin person link</code>.
    </div>
  )
}

function LinkForm({ return_to }: { return_to: string | null }) {
  const [email, setEmail] = useState('')
  const request = useMutation({ mutationFn: () => requestLink(email, return_to) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!request.isPending) request.mutate()
  }
  if (request.data?.mailed)
    return (
      <>
        <div className="notice good" role="status">
          If {email} has an account here, a link is on its way. It works once, for 15 minutes.
        </div>
        <Button onPress={request.reset}>Correct the address</Button>
      </>
    )
  if (request.data) return <NoMail />
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label="E-mail"
        faults={request.error instanceof ApiError ? (request.error.fields.email ?? [request.error.message]) : undefined}
      >
        {(controlProps) => (
          <input
            {...controlProps}
            type="email"
            name="email"
            autoComplete="username webauthn"
            required
            // biome-ignore lint/a11y/noAutofocus: the button that led back here, which had the focus, is gone
            autoFocus={email !== ''}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button kind="primary" type="submit" isPending={request.isPending}>
          Send me a link
        </Button>
      </div>
    </form>
  )
}
