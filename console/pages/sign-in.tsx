import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { choosePasskey, signInByPasskey } from '../api/passkeys.ts'
import { ApiError, beginCompanySignIn, readSignInWays, requestLink, spendLink } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { companyRefusals } from './sign-in/company-refusals.ts'

/** The token of a link is in the fragment, which programs that follow links automatically do not send. */
const tokenHere = () => window.location.hash.slice(1)

/** Signs in with a link, after a press on the button, or offers the ways to sign in. */
export function SignInPage() {
  const [token] = useState(tokenHere)
  return (
    <main className="alone">
      <h1>Weather desk</h1>
      {token ? <OpenLink token={token} /> : <WaysIn />}
    </main>
  )
}

function OpenLink({ token }: { token: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const open = useMutation({
    mutationFn: () => spendLink(token),
    onSuccess: async ({ return_to, team_id }) => {
      if (team_id) localStorage.setItem('weather-team', team_id)
      queries.clear()
      await navigate({ to: within(return_to) ?? '/inbox', replace: true })
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
        <Button kind="first" autoFocus isPending={open.isPending} onPress={() => open.mutate()}>
          Sign in
        </Button>
        {open.error && <a href="/app/sign-in">Request a new link</a>}
      </div>
    </>
  )
}

/** A path of the console as its router has it; null for anything else. */
const within = (sent: string | null | undefined) => (sent && /^\/app\/(?!\/)/.test(sent) ? sent.slice('/app'.length) : null)

/** The company's sign-in, a link if the service sends e-mail, and a passkey if the browser supports it. */
function WaysIn() {
  const { return_to, refused } = useSearch({ from: '/sign-in' })
  const ways = useQuery({ queryKey: ['ways in'], queryFn: readSignInWays })
  if (ways.isPending) return <Loading what="the ways to sign in" />
  // If this could not be read, the response to a request for a link shows it.
  const mails = ways.data?.mail !== false
  return (
    <>
      {refused && (
        <div className="notice bad" role="alert">
          {companyRefusals[refused]}
        </div>
      )}
      {ways.isLoadingError && <Failed what="Other ways to sign in" error={ways.error} retry={() => ways.refetch()} />}
      {ways.data?.company && <UseCompany host={ways.data.company} return_to={return_to ?? null} />}
      {mails ? <AskForLink return_to={return_to ?? null} /> : <NoMail />}
      {browserSupportsWebAuthn() && <UsePasskey return_to={return_to ?? null} hasField={mails} />}
    </>
  )
}

function UseCompany({ host, return_to }: { host: string; return_to: string | null }) {
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
      <Button kind="first" isPending={begin.isPending} onPress={() => begin.mutate()}>
        Sign in with {host}
      </Button>
    </div>
  )
}

/** @param hasField whether there is an e-mail field, in which the browser can offer a passkey */
function UsePasskey({ return_to, hasField }: { return_to: string | null; hasField: boolean }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const enter = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: async () => {
      queries.clear()
      await navigate({ to: within(return_to) ?? '/inbox', replace: true })
    },
  })
  const choose = useMutation({ mutationFn: choosePasskey, onMutate: enter.reset, onSuccess: (chosen) => enter.mutate(chosen) })
  const { mutate } = choose
  // Nobody asked for the offer in the e-mail field: only a passkey that was chosen there can be refused.
  const error = enter.error ?? (choose.variables?.inField ? null : choose.error)
  // The e-mail field offers passkeys too, until the button asks for one instead.
  useEffect(() => {
    if (!hasField) return
    let left = false
    browserSupportsWebAuthnAutofill().then((can) => can && !left && mutate({ inField: true }))
    return () => {
      left = true
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

function AskForLink({ return_to }: { return_to: string | null }) {
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => requestLink(email, return_to) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ask.isPending) ask.mutate()
  }
  if (ask.data?.mailed)
    return (
      <div className="notice good" role="status">
        If {email} has an account here, a link is on its way. It works once, for 15 minutes.
      </div>
    )
  if (ask.data) return <NoMail />
  return (
    <form className="form" onSubmit={submit}>
      <Field label="E-mail" faults={ask.error instanceof ApiError ? (ask.error.fields.email ?? [ask.error.message]) : undefined}>
        {(controlProps) => (
          <input
            {...controlProps}
            type="email"
            name="email"
            autoComplete="username webauthn"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button kind="first" type="submit" isPending={ask.isPending}>
          Send me a link
        </Button>
      </div>
    </form>
  )
}
