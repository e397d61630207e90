import { resendConfirmation } from '#domain/alerts/addresses.ts'
import { alertAddressForm, alertRuleForm } from '#domain/alerts/check-rule.ts'
import { type AlertRuleView, listAlertRules } from '#domain/alerts/find.ts'
import { type AlertMailView, alertMailFilters, alertMailStatusLabels, listAlertMails } from '#domain/alerts/ledger.ts'
import { ALERT_RULES_MAX, changeAlertRule, createAlertRule, removeAlertRule } from '#domain/alerts/rules.ts'
import { alertEvidences, alertMailStatuses, alertPaces, alertRecipientStates } from '#domain/closed-sets.ts'
import { type PageOf, pagingForm } from '#domain/kernel/pagination.ts'
import { exposureFamilies } from '#domain/weather/exposure-families.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { pagingArguments } from '#graphql/page.ts'

const AlertKind = enumOf('AlertKind', exposureFamilies, 'A kind of weather that a rule matches.')
const AlertEvidence = enumOf(
  'AlertEvidence',
  alertEvidences,
  'Evidence that a rule accepts: observed is reported by a person or measured by an instrument; any also includes radar estimates.',
)
const AlertPace = enumOf(
  'AlertPace',
  alertPaces,
  "When a rule sends mail: immediately, or the next morning at seven in the team's time zone.",
)
const AlertRecipientState = enumOf(
  'AlertRecipientState',
  alertRecipientStates,
  'State of a recipient. Members of the team and confirmed recipients receive mail; unconfirmed recipients do not yet, and recipients who left no longer do.',
)
const AlertMailStatus = enumOf('AlertMailStatus', alertMailStatuses, 'Status of an alert mail; sent, failed and skipped are final.')

const AlertRecipient = builder.objectRef<AlertRuleView['recipients'][number]>('AlertRecipient').implement({
  description: "A recipient of a rule's mail.",
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address.' }),
    state: t.expose('state', { type: AlertRecipientState, description: 'Whether it receives mail.' }),
  }),
})

const AlertRule = builder.objectRef<AlertRuleView>('AlertRule').implement({
  description: 'Which storm days trigger mail, to whom, and when. A storm day triggers a rule once.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the rule.' }),
    name: t.exposeString('name', { description: 'Name given by the team.' }),
    kinds: t.expose('kinds', { type: [AlertKind], description: 'Kinds of weather that it matches.' }),
    least_hail_in: t.exposeFloat('least_hail_in', { nullable: true, description: 'Smallest hail, in inches; null for any size.' }),
    least_gust_mph: t.exposeFloat('least_gust_mph', { nullable: true, description: 'Weakest gust, in miles an hour; null for any wind.' }),
    greatest_miles: t.exposeFloat('greatest_miles', {
      nullable: true,
      description: 'Greatest distance from the record to the place, in miles; null for the watch radius of the place.',
    }),
    evidence: t.expose('evidence', { type: AlertEvidence, description: 'Evidence that it accepts.' }),
    tag: t.exposeString('tag', { nullable: true, description: 'Only properties with this tag.' }),
    property_id: t.expose('property_id', { type: 'UUID', nullable: true, description: 'Only this property.' }),
    territory_id: t.expose('territory_id', { type: 'UUID', nullable: true, description: 'Only this territory.' }),
    quiet_from: t.exposeString('quiet_from', { nullable: true, description: "Start of quiet hours, HH:MM in the team's time zone." }),
    quiet_until: t.exposeString('quiet_until', { nullable: true, description: 'End of quiet hours, when waiting mail is sent.' }),
    pace: t.expose('pace', { type: AlertPace, description: 'When it sends mail.' }),
    active: t.exposeBoolean('active', { description: 'False: it sends no mail.' }),
    recipients: t.expose('recipients', { type: [AlertRecipient], description: 'Recipients of its mail; those who left stay listed.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

const AlertMail = builder.objectRef<AlertMailView>('AlertMail').implement({
  description: 'One e-mail from a rule to one recipient.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the mail. Its Message-ID starts with this id.' }),
    rule_id: t.expose('rule_id', { type: 'UUID', description: 'Id of the rule, which may have been deleted.' }),
    email: t.exposeString('email', { description: 'Recipient.' }),
    subject: t.exposeString('subject', { description: 'Its subject line; the name of the rule until the mail is written.' }),
    exposure_ids: t.exposeIntList('exposure_ids', { description: 'Exposures that it names; until it is sent, those that it is about.' }),
    status: t.expose('status', { type: AlertMailStatus, description: 'Status of the mail.' }),
    status_label: t.string({ description: 'The status in words.', resolve: ({ status }) => alertMailStatusLabels[status] }),
    attempts: t.exposeInt('attempts', { description: 'Attempts made.' }),
    failure_reason: t.exposeString('failure_reason', {
      nullable: true,
      description: 'Why the last attempt failed, or why it was not sent.',
    }),
    maybe_repeated: t.exposeBoolean('maybe_repeated', {
      description:
        'True if the mail server may have received it more than once: the server did not respond after the whole mail was sent. Every attempt uses the same Message-ID.',
    }),
    send_after: t.expose('send_after', { type: 'DateTime', description: 'When it is due.' }),
    sent_at: t.expose('sent_at', { type: 'DateTime', nullable: true, description: 'When the mail server accepted it.' }),
    failed_at: t.expose('failed_at', { type: 'DateTime', nullable: true, description: 'When the service stopped trying.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was queued.' }),
  }),
})

const AlertMailPage = builder.objectRef<PageOf<AlertMailView>>('AlertMailPage').implement({
  description: 'One page of alert mails.',
  fields: (t) => ({
    data: t.field({ type: [AlertMail], description: 'The rows of this page.', extensions: { rows: 1 }, resolve: ({ data }) => data }),
    total: t.exposeInt('total', { description: 'Number of rows on all pages.' }),
  }),
})
const ruleArgument = builder.args((t) => ({ rule: t.field({ type: 'UUID', required: true, description: 'Id of the rule.' }) }))

builder.queryFields((t) => ({
  alertRules: t.field({
    type: [AlertRule],
    subGraphs: graphOnly,
    description: "The team's alert rules, oldest first.",
    extensions: needs('integrations:read'),
    resolve: (_root, _args, context) => listAlertRules(context.app, callerOf(context)),
  }),
  alertMails: t.field({
    type: AlertMailPage,
    subGraphs: graphOnly,
    description: 'Every alert mail of the team, newest first.',
    extensions: { ...needs('integrations:read'), ...accepts({ ...alertMailFilters, ...pagingForm }) },
    args: { status: t.arg({ type: AlertMailStatus, description: 'Only mails with this status.' }), ...pagingArguments },
    resolve: (_root, args, context) => listAlertMails(context.app, callerOf(context), args),
  }),
}))

const conditions = builder.args((t) => ({
  kinds: t.field({ type: [AlertKind], description: 'Kinds of weather. All by default.' }),
  least_hail_in: t.float({ description: 'Smallest hail. Applies only to hail.' }),
  least_gust_mph: t.float({ description: 'Weakest gust. Applies only to wind.' }),
  greatest_miles: t.float({ description: 'Greatest distance from the record to the place.' }),
  evidence: t.field({ type: AlertEvidence, description: 'Evidence that it accepts.' }),
  tag: t.string({ description: 'Only properties with this tag.' }),
  property: t.field({ type: 'UUID', description: 'Only this property.' }),
  territory: t.field({ type: 'UUID', description: 'Only this territory.' }),
  quiet_from: t.string({ description: "Start of quiet hours, in the team's time zone." }),
  quiet_until: t.string({ description: 'End of quiet hours.' }),
  pace: t.field({ type: AlertPace, description: 'When it sends mail.' }),
  active: t.boolean({ description: 'False: it sends no mail.' }),
}))

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: AlertRule,
    subGraphs: graphOnly,
    description: `Creates an alert rule, at most ${ALERT_RULES_MAX} per team. Recipients outside the team first receive a link to confirm.`,
    extensions: { ...needs('integrations:write'), ...accepts(alertRuleForm) },
    args: {
      name: t.arg.string({ required: true, description: 'Name.' }),
      recipients: t.arg.stringList({ required: true, description: 'E-mail addresses.' }),
      ...conditions,
      ...idempotencyArgument,
    },
    resolve: (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createAlertRule', idempotency_key, input)
      return createAlertRule(context.app, callerOf(context), input, idempotency)
    },
  }),
  updateAlertRule: t.field({
    type: AlertRule,
    subGraphs: graphOnly,
    description: 'Updates the given fields of a rule. A given list of recipients replaces the old list.',
    extensions: { ...needs('integrations:write'), ...accepts(alertRuleForm, { kind: 'change' }) },
    args: {
      ...ruleArgument,
      name: t.arg.string({ description: 'Name.' }),
      recipients: t.arg.stringList({ description: 'E-mail addresses.' }),
      ...conditions,
    },
    resolve: (_root, { rule, ...input }, context) => changeAlertRule(context.app, callerOf(context), rule, input),
  }),
  mailAlertConfirmation: t.field({
    type: 'Boolean',
    subGraphs: graphOnly,
    description:
      'Sends the confirmation link again to a recipient who has not confirmed, at most once an hour. The earlier link stops working.',
    extensions: { ...needs('integrations:write'), ...accepts(alertAddressForm) },
    args: { email: t.arg.string({ required: true, description: 'Address of a recipient of a rule.' }) },
    resolve: async (_root, args, context) => {
      await resendConfirmation(context.app, callerOf(context), args)
      return true
    },
  }),
  deleteAlertRule: t.field({
    type: 'Boolean',
    subGraphs: graphOnly,
    description: 'Deletes a rule. Its sent mails stay listed.',
    extensions: needs('integrations:write'),
    args: ruleArgument,
    resolve: async (_root, { rule }, context) => {
      await removeAlertRule(context.app, callerOf(context), rule)
      return true
    },
  }),
}))
