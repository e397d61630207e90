import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { Choices } from '../../parts/choices.tsx'
import { Field } from '../../parts/field.tsx'
import { type Faults, FormDialog } from '../../parts/form-dialog.tsx'
import { choiceOf, tagsOf, textOf } from '../../parts/form-text.ts'
import { useSay } from '../../parts/passing.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { useHere } from '../../signed-in.tsx'
import { ScopeFields } from './scope-fields.tsx'
import { evidences, kinds, paces } from './words.ts'

const CREATE = graphql(`
  mutation MakeAlert(
    $name: String!, $recipients: [String!]!, $kinds: [AlertKind!], $least_hail_in: Float, $least_gust_mph: Float, $greatest_miles: Float,
    $evidence: AlertEvidence, $tag: String, $property: UUID, $territory: UUID, $quiet_from: String, $quiet_until: String, $pace: AlertPace
  ) {
    createAlertRule(
      name: $name, recipients: $recipients, kinds: $kinds, least_hail_in: $least_hail_in, least_gust_mph: $least_gust_mph,
      greatest_miles: $greatest_miles, evidence: $evidence, tag: $tag, property: $property, territory: $territory, quiet_from: $quiet_from,
      quiet_until: $quiet_until, pace: $pace
    ) { id name recipients { state } }
  }
`)

interface Props {
  open: boolean
  close: () => void
  /** Of the team: its clock is meant by every time of day. */
  timezone: string
}

/** Asks what a new rule is about, and makes it. */
export function RuleDialog({ open, close, timezone }: Props) {
  const queries = useQueryClient()
  const say = useSay()
  const make = useMutation({
    mutationFn: (form: FormData) => ask(CREATE, ruleOf(form)),
    onSuccess: ({ createAlertRule }) => {
      queries.invalidateQueries({ queryKey: ['alerts'] })
      const waits = createAlertRule?.recipients.some(({ state }) => state === 'unconfirmed')
      say(`The rule is made.${waits ? ' Addresses outside the team are mailed a link to confirm first.' : ''}`)
      leave()
    },
  })
  const leave = () => {
    make.reset()
    close()
  }
  return (
    <FormDialog title="Make an alert rule" open={open} close={leave} label="Make the rule" send={make}>
      {(faults) => <RuleFields faults={faults} timezone={timezone} />}
    </FormDialog>
  )
}

function RuleFields({ faults, timezone }: { faults: Faults; timezone: string }) {
  const { person } = useHere()
  return (
    <>
      <Field label="Name" faults={faults.name}>
        {(tied) => <input {...tied} name="name" required maxLength={80} placeholder="Large hail" />}
      </Field>
      <Field
        label="Recipients"
        faults={faultsWithin(faults, 'recipients')}
        hint="Separated by commas. Outside the team they confirm first."
      >
        {(tied) => <input {...tied} name="recipients" required defaultValue={person.email} autoComplete="off" spellCheck={false} />}
      </Field>
      <Choices
        name="kinds"
        legend="Kinds of weather"
        faults={faultsWithin(faults, 'kinds')}
        choices={Object.entries(kinds).map(([name, label]) => ({ name, label, description: label }))}
        chosen={() => true}
      />
      <div className="pair">
        <Bound label="Least hail, inches" name="least_hail_in" faults={faults} step="0.01" />
        <Bound label="Least gust, mph" name="least_gust_mph" faults={faults} step="0.1" />
      </div>
      <div className="pair">
        <Bound label="Within miles" name="greatest_miles" faults={faults} step="0.01" />
        <SelectField
          label="Evidence"
          faults={faults.evidence}
          name="evidence"
          defaultValue="observed"
          options={Object.entries(evidences)}
        />
      </div>
      <ScopeFields faults={faults} />
      <SelectField
        label="When"
        faults={faults.pace}
        name="pace"
        defaultValue="at_once"
        options={Object.entries(paces)}
        hint={`By the clock of the team, ${timezone}.`}
      />
      <div className="pair">
        <Field label="Quiet from" faults={faults.quiet_from} hint="What comes then waits.">
          {(tied) => <input {...tied} name="quiet_from" type="time" />}
        </Field>
        <Field label="Quiet until" faults={faults.quiet_until}>
          {(tied) => <input {...tied} name="quiet_until" type="time" />}
        </Field>
      </div>
    </>
  )
}

/** A number that narrows the rule; any where nothing stands. */
function Bound({ label, name, faults, step }: { label: string; name: string; faults: Faults; step: string }) {
  return (
    <Field label={label} faults={faults[name]} hint="Empty: no bound.">
      {(tied) => <input {...tied} name={name} type="number" min="0" step={step} />}
    </Field>
  )
}

/** What is wrong with a list: with the whole, and with each of it. */
function faultsWithin(faults: Faults, name: string): string[] | undefined {
  const said = Object.entries(faults).flatMap(([path, sentences]) =>
    path === name || path.startsWith(`${name}.`) ? (sentences ?? []) : [],
  )
  return said.length > 0 ? said : undefined
}

function ruleOf(form: FormData) {
  const number = (name: string) => {
    const text = textOf(form, name)
    return text === null ? null : Number(text)
  }
  // Where nothing is chosen it is refused: the rule would be about every place.
  const within = (scope: string) => (form.get('scope') === scope ? (textOf(form, scope) ?? '') : null)
  return {
    name: textOf(form, 'name') ?? '',
    recipients: tagsOf(form, 'recipients'),
    kinds: (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => form.getAll('kinds').includes(kind)),
    least_hail_in: number('least_hail_in'),
    least_gust_mph: number('least_gust_mph'),
    greatest_miles: number('greatest_miles'),
    evidence: choiceOf(form, 'evidence', evidences) ?? 'observed',
    tag: within('tag'),
    property: within('property'),
    territory: within('territory'),
    quiet_from: textOf(form, 'quiet_from'),
    quiet_until: textOf(form, 'quiet_until'),
    pace: choiceOf(form, 'pace', paces) ?? 'at_once',
  }
}
