import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, useEffect, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { ApiError } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { bytesOf } from '../parts/chosen-file.ts'
import { Field } from '../parts/field.tsx'
import { faultsOf, RefusalNotice } from '../parts/form-dialog.tsx'
import { changedOf, textOf } from '../parts/form-text.ts'
import { UnsavedChanges } from '../parts/leave-dialog.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Failed, Loading, NotForRole } from '../parts/states.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const LETTERHEAD = graphql(`query Letterhead { letterhead { paper brand_name brand_logo shown } }`)
const SET = graphql(`
  mutation SetLetterhead($paper: String, $brand_name: String, $brand_logo: String) {
    setLetterhead(paper: $paper, brand_name: $brand_name, brand_logo: $brand_logo) { paper brand_name brand_logo shown }
  }
`)
/** Leaves the logo as it is, so that it is not sent each time. */
const SET_WITHOUT_LOGO = graphql(`
  mutation SetLetterheadWords($paper: String, $brand_name: String) {
    setLetterhead(paper: $paper, brand_name: $brand_name) { paper brand_name brand_logo shown }
  }
`)

type Letterhead = NonNullable<ResultOf<typeof LETTERHEAD>['letterhead']>

/** How the team's documents look. */
export function LetterheadPage() {
  const { team } = useCurrentSession()
  const found = useQuery({ queryKey: ['letterhead', team.id], queryFn: () => ask(LETTERHEAD, {}), enabled: team.role === 'owner' })
  if (team.role !== 'owner')
    return (
      <NotForRole page="Letterhead" whom="owners">
        Only an owner of the team can change its letterhead.
      </NotForRole>
    )
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Letterhead</h1>
          <p className="soft">Appears on the cover of every document printed from now on. Documents printed before stay as they are.</p>
        </div>
      </header>
      {found.isPending && <Loading what="the letterhead" />}
      {found.isLoadingError && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data?.letterhead && <LetterheadForm letterhead={found.data.letterhead} />}
    </>
  )
}

/** The chosen file of a new logo, which is read when it is saved; null removes the current one, undefined keeps it. */
type Logo = File | null | undefined

const LOGO_MAX_BYTES = 200 * 1024

/**
 * Returns a logo in base64.
 * A larger one is not sent: for megabytes the service would report only that the request is too large, not that the logo is.
 * @throws ApiError at the field of the logo
 */
async function base64OfLogo(logo: File): Promise<string> {
  if (logo.size > LOGO_MAX_BYTES) throw refusalOfLogo('The logo must be at most 200 kB.')
  const bytes = await bytesOf(logo).catch((fault: Error) => {
    throw refusalOfLogo(fault.message)
  })
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

const refusalOfLogo = (message: string) => new ApiError(422, 'validation_failed', message, { brand_logo: [message] }, null)

function LetterheadForm({ letterhead }: { letterhead: Letterhead }) {
  const queries = useQueryClient()
  const notify = useNotify()
  const { team } = useCurrentSession()
  const [logo, setLogo] = useState<Logo>()
  const [isChanged, setChanged] = useState(false)
  const [initial, setInitial] = useState(letterhead)
  const set = useMutation({
    mutationFn: async (form: FormData) => {
      const changes = changedOf(initial, { paper: textOf(form, 'paper'), brand_name: textOf(form, 'brand_name') })
      return logo === undefined ? ask(SET_WITHOUT_LOGO, changes) : ask(SET, { ...changes, brand_logo: logo && (await base64OfLogo(logo)) })
    },
    onSuccess: (saved) => {
      queries.setQueryData(['letterhead', team.id], { letterhead: saved.setLetterhead })
      setLogo(undefined)
      setChanged(false)
      if (saved.setLetterhead) setInitial(saved.setLetterhead)
      notify('The letterhead is saved.')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!set.isPending) set.mutate(new FormData(event.currentTarget))
  }
  const faults = faultsOf(set.error)
  const chosen = useUrlOf(logo)
  const shown = logo === undefined ? letterhead.brand_logo : chosen
  return (
    <>
      <UnsavedChanges when={isChanged || logo !== undefined} />
      {!letterhead.shown && (
        <div className="notice">Your plan does not print a name or logo. Both are saved and appear once your plan includes them.</div>
      )}
      <form className="form panel" onSubmit={submit} onChange={() => setChanged(true)}>
        <RefusalNotice error={set.error} />
        <SelectField
          // A paper that another owner has saved meanwhile is shown: the next save would undo it otherwise.
          key={letterhead.paper}
          label="Paper"
          faults={faults.paper}
          name="paper"
          defaultValue={letterhead.paper}
          options={[
            ['letter', 'US Letter'],
            ['a4', 'A4'],
          ]}
        />
        <Field label="Name" faults={faults.brand_name} hint="At most 80 characters, on one line of the cover">
          {(controlProps) => <input {...controlProps} name="brand_name" defaultValue={letterhead.brand_name ?? ''} />}
        </Field>
        <LogoFields shown={shown} isChosen={Boolean(logo)} faults={faults.brand_logo} set={setLogo} />
        <div>
          <Button kind="primary" type="submit" isPending={set.isPending}>
            Save letterhead
          </Button>
        </div>
      </form>
    </>
  )
}

interface LogoFieldsProps {
  /** URL of the saved or chosen picture; empty if there is none. */
  shown: string | null | undefined
  /** Whether it shows a file that is not saved yet. */
  isChosen: boolean
  faults: string[] | undefined
  set: (logo: Logo) => void
}

function LogoFields({ shown, isChosen, faults, set }: LogoFieldsProps) {
  return (
    <>
      <Field label="Logo" faults={faults} hint="PNG, JPEG or WebP, at most 200 kB">
        {(controlProps) => (
          <input
            {...controlProps}
            ref={isChosen ? undefined : clear}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => set(target.files?.[0])}
          />
        )}
      </Field>
      {shown && (
        <div className="row">
          <img className="mark" src={shown} alt="The logo as it is printed" />
          <Button kind="destructive" onPress={() => set(null)}>
            Remove logo
          </Button>
        </div>
      )}
    </>
  )
}

/** So that a file that was saved or removed can be chosen again. */
function clear(input: HTMLInputElement | null): void {
  if (input) input.value = ''
}

/** Returns a URL at which the page shows a chosen file. */
function useUrlOf(file: Logo): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [file])
  return url
}
