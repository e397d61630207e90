import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, type BrowserSession, endSessions, rename } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { moment } from '../../parts/format.ts'
import { Passkeys } from '../../parts/passkeys.tsx'
import { Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'
import { useCurrentSession } from '../../signed-in.tsx'

/** The signed-in person's name, passkeys and sessions. */
export function PersonSettings() {
  const { person, sessions } = useCurrentSession()
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: ['session'] })
  const saveName = useMutation({ mutationFn: rename, onSuccess: () => notify('Your name is saved.'), onSettled: refresh })
  const end = useMutation({
    mutationFn: endSessions,
    onSuccess: ({ ended }) => notify(ended === 1 ? 'One session ended.' : `${ended} sessions ended.`),
    onError: (fault) => notify(fault.message),
    onSettled: refresh,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!saveName.isPending) saveName.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <section className="panel apart-above">
      <h2>You</h2>
      <form className="form" onSubmit={submit}>
        <Field
          label="Name"
          faults={saveName.error instanceof ApiError ? (saveName.error.fields.name ?? [saveName.error.message]) : undefined}
          hint={person.email}
        >
          {(controlProps) => <input {...controlProps} name="name" defaultValue={person.name ?? ''} autoComplete="name" />}
        </Field>
        <div>
          <Button type="submit" isPending={saveName.isPending}>
            Save name
          </Button>
        </div>
      </form>
      <Passkeys />
      <h2 className="apart-above">Where you are signed in</h2>
      <Table<BrowserSession>
        caption="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Browser', show: ({ browser }) => browser ?? 'Unknown' },
          { label: 'Network', show: ({ network }) => <code>{network}</code> },
          { label: 'Signed in', show: ({ created_at }) => moment(created_at) },
          { label: 'Last used', show: ({ seen_at }) => moment(seen_at) },
          {
            label: 'Actions',
            show: ({ id, browser, created_at, current }) =>
              current ? (
                <span className="soft">This session</span>
              ) : (
                <Button
                  aria-label={`End session: ${browser ?? 'Unknown'}, signed in ${moment(created_at)}`}
                  isPending={end.isPending}
                  onPress={() => end.mutate(id)}
                >
                  End session
                </Button>
              ),
          },
        ]}
      />
      {sessions.length > 1 && (
        <p>
          <Button isPending={end.isPending} onPress={() => end.mutate(null)}>
            End all other sessions
          </Button>
        </p>
      )}
    </section>
  )
}
