import { askAddressAgain } from '#domain/alerts/addresses.ts'
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

const AlertKind = enumOf('AlertKind', exposureFamilies, 'A kind of weather that a rule asks for.')
const AlertEvidence = enumOf(
  'AlertEvidence',
  alertEvidences,
  'What a rule takes: observed is what somebody or an instrument reported; any is that and what radar estimated.',
)
const AlertPace = enumOf(
  'AlertPace',
  alertPaces,
  'When a rule mails: at once, or with the next morning at seven, by the clock of the team.',
)
const AlertRecipientState = enumOf(
  'AlertRecipientState',
  alertRecipientStates,
  'How a recipient stands: a member of the team or confirmed is mailed; unconfirmed is not yet, and left no more.',
)
const AlertMailStatus = enumOf('AlertMailStatus', alertMailStatuses, 'How an alert mail stands; sent, failed and skipped are final.')

const AlertRecipient = builder.objectRef<AlertRuleView['recipients'][number]>('AlertRecipient').implement({
  description: 'Who a rule mails.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address.' }),
    state: t.expose('state', { type: AlertRecipientState, description: 'Whether it is mailed.' }),
  }),
})

const AlertRule = builder.objectRef<AlertRuleView>('AlertRule').implement({
  description: 'Which storm days the team is mailed of, whom, and when. A storm day meets a rule once.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the rule.' }),
    name: t.exposeString('name', { description: 'Name given by the team.' }),
    kinds: t.expose('kinds', { type: [AlertKind], description: 'Kinds of weather that it asks for.' }),
    least_hail_in: t.exposeFloat('least_hail_in', { nullable: true, description: 'Least hail in inches; null for any.' }),
    least_gust_mph: t.exposeFloat('least_gust_mph', { nullable: true, description: 'Least gust in miles an hour; null for any wind.' }),
    greatest_miles: t.exposeFloat('greatest_miles', {
      nullable: true,
      description: 'Greatest distance of the record from the place, in miles; null for as far as it is watched.',
    }),
    evidence: t.expose('evidence', { type: AlertEvidence, description: 'What it takes.' }),
    tag: t.exposeString('tag', { nullable: true, description: 'Only properties with this tag.' }),
    property_id: t.expose('property_id', { type: 'UUID', nullable: true, description: 'Only this property.' }),
    territory_id: t.expose('territory_id', { type: 'UUID', nullable: true, description: 'Only this territory.' }),
    quiet_from: t.exposeString('quiet_from', { nullable: true, description: 'Start of quiet hours, HH:MM by the clock of the team.' }),
    quiet_until: t.exposeString('quiet_until', { nullable: true, description: 'Their end, when what waited is mailed.' }),
    pace: t.expose('pace', { type: AlertPace, description: 'When it mails.' }),
    active: t.exposeBoolean('active', { description: 'False: it mails nothing.' }),
    recipients: t.expose('recipients', { type: [AlertRecipient], description: 'Whom it mails; who left stays listed.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was made.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

const AlertMail = builder.objectRef<AlertMailView>('AlertMail').implement({
  description: 'One e-mail of a rule to one recipient.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the mail: its Message-ID begins with it.' }),
    rule_id: t.expose('rule_id', { type: 'UUID', description: 'The rule, which may be gone.' }),
    email: t.exposeString('email', { description: 'Whom it went to.' }),
    subject: t.exposeString('subject', { description: "Its subject line; the rule's name until it is written." }),
    exposure_ids: t.exposeIntList('exposure_ids', { description: 'Storm days that it names.' }),
    status: t.expose('status', { type: AlertMailStatus, description: 'How it stands.' }),
    status_label: t.string({ description: 'The same in words.', resolve: ({ status }) => alertMailStatusLabels[status] }),
    attempts: t.exposeInt('attempts', { description: 'Attempts made.' }),
    failure_reason: t.exposeString('failure_reason', {
      nullable: true,
      description: 'Why the last attempt failed, or why it was not sent.',
    }),
    maybe_repeated: t.exposeBoolean('maybe_repeated', {
      description:
        'True where the mail server may have had it before: nothing was heard after its end was sent. Every sending has the same Message-ID.',
    }),
    send_after: t.expose('send_after', { type: 'DateTime', description: 'When it is due.' }),
    sent_at: t.expose('sent_at', { type: 'DateTime', nullable: true, description: 'When the mail server took it.' }),
    failed_at: t.expose('failed_at', { type: 'DateTime', nullable: true, description: 'When it was given up.' }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was queued, with the storm day.' }),
  }),
})

const AlertMailPage = builder.objectRef<PageOf<AlertMailView>>('AlertMailPage').implement({
  description: 'A page of the ledger of alert mails.',
  fields: (t) => ({
    data: t.field({ type: [AlertMail], description: 'The rows of this page.', extensions: { rows: 1 }, resolve: ({ data }) => data }),
    total: t.exposeInt('total', { description: 'Rows on all pages.' }),
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
    args: { status: t.arg({ type: AlertMailStatus, description: 'Only mails that stand so.' }), ...pagingArguments },
    resolve: (_root, args, context) => listAlertMails(context.app, callerOf(context), args),
  }),
}))

const conditions = builder.args((t) => ({
  kinds: t.field({ type: [AlertKind], description: 'Kinds of weather; all unless sent.' }),
  least_hail_in: t.float({ description: 'Least hail in inches, of hail alone.' }),
  least_gust_mph: t.float({ description: 'Least gust in miles an hour, of wind alone.' }),
  greatest_miles: t.float({ description: 'Greatest distance of the record from the place.' }),
  evidence: t.field({ type: AlertEvidence, description: 'What it takes; observed unless sent.' }),
  tag: t.string({ description: 'Only properties with this tag.' }),
  property: t.field({ type: 'UUID', description: 'Only this property.' }),
  territory: t.field({ type: 'UUID', description: 'Only this territory.' }),
  quiet_from: t.string({ description: 'Start of quiet hours, HH:MM by the clock of the team.' }),
  quiet_until: t.string({ description: 'Their end.' }),
  pace: t.field({ type: AlertPace, description: 'When it mails; at once unless sent.' }),
  active: t.boolean({ description: 'False: it mails nothing.' }),
}))

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: AlertRule,
    subGraphs: graphOnly,
    description: `Makes an alert rule; at most ${ALERT_RULES_MAX} a team. Recipients who are not in the team are mailed a link to confirm first.`,
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
    description: 'Changes what is sent of a rule; recipients that are sent take the place of those before.',
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
    description: 'Mails a recipient who has not confirmed the link again, once an hour at most; the link before ends.',
    extensions: { ...needs('integrations:write'), ...accepts(alertAddressForm) },
    args: { email: t.arg.string({ required: true, description: 'Whom a rule names.' }) },
    resolve: async (_root, args, context) => {
      await askAddressAgain(context.app, callerOf(context), args)
      return true
    },
  }),
  deleteAlertRule: t.field({
    type: 'Boolean',
    subGraphs: graphOnly,
    description: 'Removes a rule; the ledger keeps what it mailed.',
    extensions: needs('integrations:write'),
    args: ruleArgument,
    resolve: async (_root, { rule }, context) => {
      await removeAlertRule(context.app, callerOf(context), rule)
      return true
    },
  }),
}))
