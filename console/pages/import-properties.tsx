import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { inFormWords } from '../api/form-words.ts'
import { ask, graphql } from '../api/graphql.ts'
import { type OnWait, retryLater } from '../api/retry-later.ts'
import { Button } from '../parts/button.tsx'
import { bytesOf } from '../parts/chosen-file.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { csvOf } from '../parts/csv.ts'
import { counted } from '../parts/format.ts'
import { randomKey } from '../parts/idempotency-key.ts'
import { LapsedNotice, useLapsedRefusal } from '../parts/lapsed-plan.tsx'
import { LeaveDialog, UnsavedChanges } from '../parts/leave-dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import { NotForRole } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { type ColumnKind, columnKinds, faultOfKinds, guessKinds, propertyOf, readSheet, type Sheet } from './property-sheet.ts'

const PROPERTY_LIMIT = graphql(`query RoomForProperties { team { limits { properties { held limit } } } }`)
const IMPORT = graphql(`
  mutation ImportProperties($properties: [PropertyRowInput]!, $key: String) {
    createProperties(properties: $properties, idempotency_key: $key) { plan_limit_reached results { index status message property { address { located failure_message } } } }
  }
`)

/** Rows that the service accepts in one call. */
const BATCH_ROWS = 100
/** Index of the first optional column kind. */
const FIRST_OPTIONAL = columnKinds.findIndex(([kind]) => kind === 'label')
/** Rows of the file that the preview shows. */
const PREVIEW_ROWS = 5

/** The outcome of a row. `at` is its index among the rows of the sheet. */
interface RowOutcome {
  at: number
  status: 'created' | 'duplicate' | 'rejected' | 'skipped'
  message: string | null
  property: { address: { located: boolean; failure_message: string | null } } | null
}

/** Imports the properties of a spreadsheet. The person chooses what each column contains. */
export function ImportPropertiesPage() {
  const { team } = useCurrentSession()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  if (team.role === 'viewer')
    return (
      <NotForRole page="Import properties" whom="owners and analysts">
        Viewers can read properties, but not add them.
      </NotForRole>
    )
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Import properties</h1>
          <p className="soft">
            Import a CSV file with one property per row. Existing addresses stay as they are, so you can import a file again.
          </p>
        </div>
        <Link to="/properties">Back to properties</Link>
      </header>
      {sheet ? <ImportForm sheet={sheet} leave={() => setSheet(null)} /> : <ChooseFile choose={setSheet} />}
    </>
  )
}

function ChooseFile({ choose }: { choose: (sheet: Sheet) => void }) {
  const read = useMutation({ mutationFn: async (file: File) => readSheet(await bytesOf(file)), onSuccess: choose })
  return (
    <>
      {read.error && (
        <div className="notice bad" role="alert">
          {read.error.message}
        </div>
      )}
      <section
        className="panel state drop"
        aria-label="File to import"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [file] = event.dataTransfer.files
          if (file) read.mutate(file)
        }}
      >
        <label className="button primary">
          Choose a CSV file
          <input
            className="hidden-text"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file) read.mutate(file)
              event.target.value = ''
            }}
          />
        </label>
        <p>
          or drop it here. The first row names the columns. Each property needs an address, in one column or several, or a latitude and
          longitude.
        </p>
        <p className="small">
          Optional columns:{' '}
          {columnKinds
            .slice(FIRST_OPTIONAL)
            .map(([, words]) => words.toLowerCase())
            .join('; ')}
          . You can check the rows before you import them.
        </p>
      </section>
    </>
  )
}

/** The choice of what each column contains, a preview of the first rows, and the import itself. */
function ImportForm({ sheet, leave }: { sheet: Sheet; leave: () => void }) {
  const queries = useQueryClient()
  const [guessed] = useState(() => guessKinds(sheet))
  const [kinds, setKinds] = useState(guessed)
  const [isLeaving, setLeaving] = useState(false)
  const [done, setDone] = useState(0)
  const [waiting, setWaiting] = useState<string | null>(null)
  const propertyLimit = useQuery({ queryKey: ['property-limit'], queryFn: () => ask(PROPERTY_LIMIT, {}) })
  const notify = useNotify()
  const { team } = useCurrentSession()
  const isOpen = useIsOpen()
  const refusal = useLapsedRefusal()
  const send = useMutation({
    mutationFn: () => importRows(sheet, kinds, team.id, setDone, setWaiting),
    // A person who has left the page gets a notice.
    onSuccess: (outcomes) => isOpen() || notify(`The import is complete. ${outcomeSummary(outcomes)}`),
    onError: (fault) => isOpen() || notify(`The import stopped early. ${fault.message} Import the file again to add the rest.`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['properties'] }),
  })
  if (send.isPending) return <Progress done={done} of={sheet.rows.length} waiting={waiting} />
  if (send.data) return <Outcome sheet={sheet} outcomes={send.data} leave={leave} />
  const fault = faultOfKinds(kinds)
  const isChanged = kinds.some((kind, at) => kind !== guessed[at])
  const { held: used, limit } = propertyLimit.data?.team?.limits.properties ?? { held: 0, limit: Number.POSITIVE_INFINITY }
  return (
    <>
      {send.error && (
        <Notice bad>
          {done.toLocaleString('en-US')} of {counted(sheet.rows.length, 'row')} sent. {send.error.message} Imported rows are saved. Import
          the file again to add the rest and to see why rows were skipped.
        </Notice>
      )}
      {used + sheet.rows.length > limit && (
        <Notice>
          Your plan has room for {counted(Math.max(limit - used, 0), 'more property', 'more properties')}, but the file has{' '}
          {counted(sheet.rows.length, 'row')}. Rows beyond the limit are skipped and listed.
        </Notice>
      )}
      {propertyLimit.isLoadingError && <Notice>Your plan's limit could not be loaded. Rows beyond it are skipped and listed.</Notice>}
      <p>{counted(sheet.rows.length, 'row')}. Choose what each column contains. The first rows are shown below.</p>
      <Mapping sheet={sheet} kinds={kinds} change={setKinds} />
      {fault && <Notice>{fault}</Notice>}
      <LapsedNotice refusal={refusal} />
      <div className="row apart-above">
        <Button kind="primary" isDisabled={fault !== null || refusal !== null} onPress={() => send.mutate()}>
          Import {counted(sheet.rows.length, 'row')}
        </Button>
        <Button onPress={() => (isChanged ? setLeaving(true) : leave())}>Choose another file</Button>
      </div>
      <UnsavedChanges when={isChanged} />
      <ConfirmDialog
        title="Choose another file?"
        open={isLeaving}
        cancelLabel="Keep this file"
        close={() => setLeaving(false)}
        label="Choose another file"
        pending={false}
        act={leave}
      >
        <p>What you have chosen for the columns will be lost.</p>
      </ConfirmDialog>
    </>
  )
}

interface MappingProps {
  sheet: Sheet
  kinds: ColumnKind[]
  change: (kinds: ColumnKind[]) => void
}

/** A table of the first rows; each column heading has a choice of what the column contains. */
function Mapping({ sheet, kinds, change }: MappingProps) {
  return (
    <div className="table-holder">
      <table>
        <caption className="hidden-text">Columns of the file and its first rows</caption>
        <thead>
          <tr>
            {sheet.heading.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position, not its name
              <th key={at} scope="col">
                <label>
                  {name || `Column ${at + 1}`}
                  <select
                    value={kinds[at]}
                    onChange={(event) => change(kinds.map((kind, one) => (one === at ? (event.target.value as ColumnKind) : kind)))}
                  >
                    {columnKinds.map(([kind, words]) => (
                      <option key={kind} value={kind}>
                        {words}
                      </option>
                    ))}
                  </select>
                </label>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.slice(0, PREVIEW_ROWS).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other key
            <tr key={row}>
              {sheet.heading.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
                <td key={at} className={kinds[at] === '' ? 'soft' : undefined}>
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Notice({ bad, children }: { bad?: true; children: ReactNode }) {
  return (
    <div className={bad ? 'notice bad' : 'notice'} role={bad ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

interface ProgressProps {
  done: number
  of: number
  /** Why the import waits, and how long; null while it does not. */
  waiting: string | null
}

/** The progress of the import. Asks before the person leaves the page. */
function Progress({ done, of, waiting }: ProgressProps) {
  return (
    <>
      <div className="state" role="status">
        <p>
          {done.toLocaleString('en-US')} of {counted(of, 'row')} sent …
        </p>
        {waiting && <p>{waiting}</p>}
        <progress aria-label="Rows sent" value={done} max={of} />
      </div>
      <LeaveDialog title="Leave during the import?" when>
        <p>
          The import continues while this window is open, and a message appears when it is complete. Only this page shows which rows were
          skipped and why. To see that later, import the file again.
        </p>
      </LeaveDialog>
    </>
  )
}

/** Returns a function that states whether the page is still open, for work that finishes later. */
function useIsOpen(): () => boolean {
  const open = useRef(false)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  return () => open.current
}

/** The page shows this many of the rows that were not added. */
const LEFT_OUT_SHOWN = 100

function Outcome({ sheet, outcomes, leave }: { sheet: Sheet; outcomes: RowOutcome[]; leave: () => void }) {
  // What may need a correction is first.
  const leftOut = [...outcomes.filter(isLeftOut), ...outcomes.filter(({ status }) => status === 'duplicate')]
  const isComplete = !outcomes.some(isLeftOut) && notLocatedText(outcomes) === ''
  const save = () =>
    saveFile(
      'rows-not-added.csv',
      'text/csv',
      csvOf(
        [...sheet.heading, 'row', 'why'],
        leftOut.map((outcome) => [
          ...sheet.heading.map((_, column) => sheet.rows[outcome.at]?.[column] ?? ''),
          sheet.numbers[outcome.at] ?? '',
          reasonOf(outcome),
        ]),
      ),
    )
  return (
    <>
      <div className={isComplete ? 'notice good' : 'notice'} role="status">
        {outcomeSummary(outcomes)}
      </div>
      {notLocatedText(outcomes) !== '' && (
        <p>
          <Link to="/properties" search={{ located: 'false' }}>
            Show the properties that are not located
          </Link>
        </p>
      )}
      {leftOut.length > 0 && (
        <>
          <div className="row apart-above apart-below">
            <Button onPress={save}>Export these rows as CSV</Button>
          </div>
          <Table<RowOutcome>
            caption="Rows that were not added"
            rows={leftOut.slice(0, LEFT_OUT_SHOWN)}
            keyOf={({ at }) => at}
            columns={[
              { label: 'Row', number: true, show: ({ at }) => sheet.numbers[at] },
              { label: 'Content', show: ({ at }) => (sheet.rows[at] ?? []).filter(Boolean).join(', ') },
              { label: 'Reason', show: reasonOf },
            ]}
          />
          {leftOut.length > LEFT_OUT_SHOWN && (
            <p className="soft small">
              The first {LEFT_OUT_SHOWN} of {leftOut.length.toLocaleString('en-US')} rows are shown. The CSV file has all of them.
            </p>
          )}
        </>
      )}
      <div className="row apart-above">
        <Link to="/properties">Back to properties</Link>
        <Button onPress={leave}>Import another file</Button>
      </div>
    </>
  )
}

/** Why a row was not added. The service says nothing of a property that is already there. */
const reasonOf = ({ status, message }: RowOutcome) => (status === 'duplicate' ? 'Already there' : message)

const isLeftOut = ({ status }: RowOutcome) => status === 'rejected' || status === 'skipped'

/** "999 properties added, 0 were already there, 1 row was not imported. 2 of the added properties could not be located: ..." */
function outcomeSummary(outcomes: readonly RowOutcome[]): string {
  const count = (status: RowOutcome['status']) => outcomes.filter((one) => one.status === status).length
  const leftOut = outcomes.filter(isLeftOut).length
  const summary = `${counted(count('created'), 'property', 'properties')} added, ${counted(count('duplicate'), 'was', 'were')} already there`
  return `${summary}${leftOut > 0 ? `, ${counted(leftOut, 'row was', 'rows were')} not imported.` : '.'}${notLocatedText(outcomes)}`
}

/** How many of the added properties are not watched, because their place is not known; empty if none. */
function notLocatedText(outcomes: readonly RowOutcome[]): string {
  const addresses = outcomes.flatMap(({ status, property }) => (status === 'created' && property ? [property.address] : []))
  const unlocated = addresses.filter(({ located }) => !located)
  const failed = unlocated.filter(({ failure_message }) => failure_message !== null).length
  const waiting = unlocated.length - failed
  const parts = [
    failed > 0 && `${failed.toLocaleString('en-US')} could not be located`,
    waiting > 0 && `${counted(waiting, 'is', 'are')} not located yet`,
  ].filter(Boolean)
  return parts.length > 0 ? ` Of the added properties, ${parts.join(' and ')}: a property is not watched until it is located.` : ''
}

/**
 * Sends the rows in batches, and calls `advance` with the number done and `onWait` while it waits. Once the plan is full, the service
 * skips the rest.
 * @param team_id the team that gets the properties, even if the person switches teams in the meantime
 */
async function importRows(
  { rows }: Sheet,
  kinds: readonly ColumnKind[],
  team_id: string,
  advance: (done: number) => void,
  onWait: OnWait,
): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  advance(0)
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const properties = rows.slice(from, from + BATCH_ROWS).map((cells) => propertyOf(cells, kinds))
    // A batch that was saved before its response was lost then has the outcome of the first time.
    const key = randomKey()
    const { createProperties: batch } = await retryLater(() => ask(IMPORT, { properties, key }, team_id), onWait, true)
    for (const { index, message, ...outcome } of batch?.results ?? [])
      outcomes.push({ at: from + index, message: message && inFormWords(message), ...outcome })
    advance(outcomes.length)
  }
  return outcomes
}
