import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { Choices } from '../../parts/choices.tsx'
import { Field } from '../../parts/field.tsx'
import { type Faults, FormDialog, faultsWithin } from '../../parts/form-dialog.tsx'
import { changedOf, choiceOf, tagsOf, textOf } from '../../parts/form-text.ts'
import { useIdempotencyKey } from '../../parts/idempotency-key.ts'
import { useLapsedRefusal } from '../../parts/lapsed-plan.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { useNotify } from '../../parts/toasts.tsx'
import { useCurrentSession } from '../../signed-in.tsx'
import { evidences, kinds, paces } from './labels.ts'
import type { Rule } from './rules.ts'
import { ScopeFields } from './scope-fields.tsx'

const CREATE = graphql(`
  mutation MakeAlert(
    $name: String!, $recipients: [String!]!, $kinds: [AlertKind!], $least_hail_in: Float, $least_gust_mph: Float, $greatest_miles: Float,
    $evidence: AlertEvidence, $tag: String, $property: UUID, $territory: UUID, $quiet_from: String, $quiet_until: String, $pace: AlertPace,
    $key: String
  ) {
    createAlertRule(
      name: $name, recipients: $recipients, kinds: $kinds, least_hail_in: $least_hail_in, least_gust_mph: $least_gust_mph,
      greatest_miles: $greatest_miles, evidence: $evidence, tag: $tag, property: $property, territory: $territory, quiet_from: $quiet_from,
      quiet_until: $quiet_until, pace: $pace, idempotency_key: $key
    ) { id name recipients { state } }
  }
`)

const CHANGE = graphql(`
  mutation ChangeAlert(
    $rule: UUID!, $name: String, $recipients: [String!], $kinds: [AlertKind!], $least_hail_in: Float, $least_gust_mph: Float,
    $greatest_miles: Float, $evidence: AlertEvidence, $tag: String, $property: UUID, $territory: UUID, $quiet_from: String,
    $quiet_until: String, $pace: AlertPace
  ) {
    updateAlertRule(
      rule: $rule, name: $name, recipients: $recipients, kinds: $kinds, least_hail_in: $least_hail_in, least_gust_mph: $least_gust_mph,
      greatest_miles: $greatest_miles, evidence: $evidence, tag: $tag, property: $property, territory: $territory, quiet_from: $quiet_from,
      quiet_until: $quiet_until, pace: $pace
    ) { id name recipients { state } }
  }
`)

interface Props {
  /** The rule to edit; null for a new one. */
  rule: Rule | null
  close: () => void
  /** The team's time zone, in which all times of day are. */
  timezone: string
}

/** A dialog that creates or edits a rule. */
export function RuleDialog({ rule, close, timezone }: Props) {
  const queries = useQueryClient()
  const notify = useNotify()
  const keyOf = useIdempotencyKey()
  const write = useMutation({
    mutationFn: async (form: FormData) => {
      if (rule) return (await ask(CHANGE, { rule: rule.id, ...changedOf(formValuesOf(rule), inputOf(form)) })).updateAlertRule
      const input = inputOf(form)
      return (await ask(CREATE, { ...input, key: keyOf(input) })).createAlertRule
    },
    onSuccess: (saved) => {
      queries.invalidateQueries({ queryKey: ['alerts'] })
      const hasUnconfirmed = saved?.recipients.some(({ state }) => state === 'unconfirmed')
      notify(
        `The rule is ${rule ? 'saved' : 'created'}.${hasUnconfirmed ? ' Recipients outside the team first get a link to confirm their address.' : ''}`,
      )
      close()
    },
  })
  const title = rule ? `Edit ${rule.name}` : 'New alert rule'
  return (
    <FormDialog title={title} open close={close} label={rule ? 'Save' : 'Create rule'} mutation={write} refusal={useLapsedRefusal()}>
      {(faults) => <RuleFields rule={rule} faults={faults} timezone={timezone} />}
    </FormDialog>
  )
}

function RuleFields({ rule, faults, timezone }: { rule: Rule | null; faults: Faults; timezone: string }) {
  const { person } = useCurrentSession()
  return (
    <>
      <Field label="Name" faults={faults.name}>
        {(controlProps) => <input {...controlProps} name="name" required placeholder="Large hail" defaultValue={rule?.name} />}
      </Field>
      <Field
        label="Recipients"
        faults={faultsWithin(faults, 'recipients')}
        hint="Separated by commas. Recipients outside the team must confirm first."
      >
        {(controlProps) => (
          <input
            {...controlProps}
            name="recipients"
            required
            defaultValue={rule ? subscribedEmailsOf(rule).join(', ') : person.email}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Choices
        name="kinds"
        legend="Weather"
        faults={faultsWithin(faults, 'kinds')}
        choices={Object.entries(kinds).map(([name, label]) => ({ name, label, description: label }))}
        defaultChecked={(name) => rule?.kinds.some((kind) => kind === name) ?? true}
      />
      <div className="pair">
        <LimitField label="Minimum hail, inches" name="least_hail_in" value={rule?.least_hail_in} faults={faults} step="0.01" />
        <LimitField label="Minimum gust, mph" name="least_gust_mph" value={rule?.least_gust_mph} faults={faults} step="0.1" />
      </div>
      <div className="pair">
        <LimitField label="Maximum distance, miles" name="greatest_miles" value={rule?.greatest_miles} faults={faults} step="0.01" />
        <SelectField
          label="Evidence"
          faults={faults.evidence}
          name="evidence"
          defaultValue={rule?.evidence ?? 'observed'}
          options={Object.entries(evidences)}
        />
      </div>
      <ScopeFields rule={rule} faults={faults} />
      <SelectField
        label="When"
        faults={faults.pace}
        name="pace"
        defaultValue={rule?.pace ?? 'at_once'}
        options={Object.entries(paces)}
        hint={`In the team's time zone, ${timezone}.`}
      />
      <div className="pair">
        <Field label="Quiet from" faults={faults.quiet_from} hint="E-mails wait until the quiet time ends.">
          {(controlProps) => <input {...controlProps} name="quiet_from" type="time" defaultValue={rule?.quiet_from ?? ''} />}
        </Field>
        <Field label="Quiet until" faults={faults.quiet_until}>
          {(controlProps) => <input {...controlProps} name="quiet_until" type="time" defaultValue={rule?.quiet_until ?? ''} />}
        </Field>
      </div>
    </>
  )
}

interface LimitFieldProps {
  label: string
  name: string
  value: number | null | undefined
  faults: Faults
  step: string
}

/** An optional number that limits the rule; an empty field sets no limit. */
function LimitField({ label, name, value, faults, step }: LimitFieldProps) {
  return (
    <Field label={label} faults={faults[name]} hint="Leave empty for no limit.">
      {(controlProps) => <input {...controlProps} name={name} type="number" min="0" step={step} defaultValue={value ?? ''} />}
    </Field>
  )
}

/** The recipients without those who have unsubscribed, so that saving a rule does not add them again. They stay listed as unsubscribed. */
const subscribedEmailsOf = ({ recipients }: Rule) => recipients.filter(({ state }) => state !== 'left').map(({ email }) => email)

/** A rule as the form would send it without any change. */
const formValuesOf = (rule: Rule) => ({
  ...rule,
  recipients: subscribedEmailsOf(rule),
  kinds: orderedKinds(rule.kinds),
  property: rule.property_id,
  territory: rule.territory_id,
})

/** The chosen kinds in a fixed order. */
const orderedKinds = (chosen: readonly unknown[]) => (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => chosen.includes(kind))

function inputOf(form: FormData) {
  const number = (name: string) => {
    const text = textOf(form, name)
    return text === null ? null : Number(text)
  }
  // Without a choice an empty text is sent, which the service refuses: null would make the rule apply to all places.
  const scopeValue = (scope: string) => (form.get('scope') === scope ? (textOf(form, scope) ?? '') : null)
  return {
    name: textOf(form, 'name') ?? '',
    recipients: tagsOf(form, 'recipients'),
    kinds: orderedKinds(form.getAll('kinds')),
    least_hail_in: number('least_hail_in'),
    least_gust_mph: number('least_gust_mph'),
    greatest_miles: number('greatest_miles'),
    evidence: choiceOf(form, 'evidence', evidences) ?? 'observed',
    tag: scopeValue('tag'),
    property: scopeValue('property'),
    territory: scopeValue('territory'),
    quiet_from: textOf(form, 'quiet_from'),
    quiet_until: textOf(form, 'quiet_until'),
    pace: choiceOf(form, 'pace', paces) ?? 'at_once',
  }
}
