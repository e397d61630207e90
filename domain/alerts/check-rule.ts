import { alertEvidences, alertPaces } from '#domain/closed-sets.ts'
import { type Field, flag, idOf, list, mapped, number, oneOf, text } from '#domain/kernel/fields.ts'
import { clearable, preset, readChanges, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { readEmail } from '#domain/people/email.ts'
import { exposureFamilies } from '#domain/weather/exposure-families.ts'

/** The most recipients of one rule: enough for a desk of people, beyond which a mailing list is one address. */
const RECIPIENTS_MAX = 20

const email: Field<string> = {
  name: 'The recipient',
  schema: { type: 'string', format: 'email', maxLength: 254 },
  read(sent, path, faults) {
    const read = typeof sent === 'string' ? readEmail(sent) : null
    if (read === null) faults.add(path, 'The recipient must be an e-mail address like ann@example.com.')
    return read
  },
}

/** HH:MM in the team's local time. */
const clockTime = (name: string): Field<string> => ({
  name,
  bounds: 'HH:MM',
  schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
  read(sent, path, faults) {
    const read = typeof sent === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(sent) ? sent : null
    if (read === null) faults.add(path, `${name} must be a time of day, written HH:MM.`)
    return read
  },
})

const unique = <Value>(values: Value[]) => [...new Set(values)]
const kindBounds = { min: 1, count: 'Choose at least one kind of weather.' }
const recipientBounds = { min: 1, max: RECIPIENTS_MAX, count: `A rule has 1 to ${RECIPIENTS_MAX} recipients.` }

/** The request body of an alert rule. */
export const alertRuleForm = {
  name: required(text('The name', { min: 1, max: 80 })),
  kinds: preset(mapped(list('The kinds', oneOf('A kind', exposureFamilies), kindBounds), unique), [...exposureFamilies]),
  least_hail_in: clearable(number('The least hail', { min: 0.25, max: 8, unit: 'inches', decimals: 2 })),
  least_gust_mph: clearable(number('The least gust', { min: 1, max: 300, unit: 'miles an hour', decimals: 1 })),
  greatest_miles: clearable(number('The greatest distance', { min: 0, max: 10, unit: 'miles', decimals: 2 })),
  evidence: preset(oneOf('The evidence', alertEvidences), 'observed'),
  tag: clearable(text('The tag', { min: 1, max: 40 })),
  property: clearable(idOf('property')),
  territory: clearable(idOf('territory')),
  quiet_from: clearable(clockTime('The start of quiet hours')),
  quiet_until: clearable(clockTime('The end of quiet hours')),
  pace: preset(oneOf('The pace', alertPaces), 'at_once'),
  active: preset(flag('Active'), true),
  recipients: required(mapped(list('The recipients', email, recipientBounds), unique)),
}

export type AlertRuleInput = Sent<typeof alertRuleForm>
export type AlertRuleFields = ValuesOf<typeof alertRuleForm>
type RuleSettings = Omit<AlertRuleFields, 'recipients'>

/** The request body that asks an address again to confirm. */
export const alertAddressForm = { email: required({ ...email, name: 'The address' }) }
export type AlertAddressInput = Sent<typeof alertAddressForm>

/** Returns the address to ask again. Use the result only if no fault was added. */
export function checkAddress(input: AlertAddressInput, faults: Faults): string {
  return readNew(alertAddressForm, input, faults).email
}

/** Checks the body of a new rule. Use the result only if no fault was added. */
export function checkNewRule(input: AlertRuleInput, faults: Faults): AlertRuleFields {
  const fields = readNew(alertRuleForm, input, faults)
  if (Object.keys(faults.found).length === 0) checkCombination(fields, faults)
  return fields
}

/** Checks a change, and the rule that results from it. */
export function checkRuleChanges(current: RuleSettings, input: AlertRuleInput, faults: Faults): Partial<AlertRuleFields> {
  const changes = readChanges(alertRuleForm, input, faults)
  if (Object.keys(faults.found).length === 0) checkCombination({ ...current, ...changes }, faults)
  return changes
}

function checkCombination({ tag, property, territory, quiet_from, quiet_until }: RuleSettings, faults: Faults): void {
  const scopes = Object.entries({ tag, property, territory }).filter(([, value]) => value !== null)
  faults.unless(scopes.length <= 1, scopes[1]?.[0] ?? 'tag', 'A rule applies to one tag, one property, one territory, or all places.')
  faults.unless((quiet_from === null) === (quiet_until === null), 'quiet_until', 'Quiet hours need a start and an end.')
  faults.unless(quiet_from === null || quiet_from !== quiet_until, 'quiet_until', 'Quiet hours must not start and end at the same time.')
}
