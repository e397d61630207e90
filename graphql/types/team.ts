import { teamView } from '#domain/account/account.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { CreditSummary } from '#graphql/types/credit-summary.ts'
import { Tier } from '#graphql/types/tier.ts'

type TeamView = Awaited<ReturnType<typeof teamView>>

const TeamPlan = builder.objectRef<TeamView['plan']>('TeamPlan').implement({
  description: 'The plan in force.',
  fields: (t) => ({
    tier: t.expose('tier', { type: Tier, description: 'Current tier.' }),
    label: t.exposeString('label', { description: 'Name of the tier.' }),
    on_trial: t.exposeBoolean('on_trial', { description: 'True during the trial.' }),
    lapsed: t.exposeBoolean('lapsed', {
      description: 'True if the plan has lapsed: the team can still read, but requests that cost credits or watch places are refused.',
    }),
  }),
})

const TeamIncludes = builder.objectRef<TeamView['includes']>('TeamIncludes').implement({
  description: 'Features of the plan.',
  fields: (t) => ({
    api: t.exposeBoolean('api', { description: 'This API.' }),
    pdf_export: t.exposeBoolean('pdf_export', { description: 'PDFs of reports.' }),
    observations: t.exposeBoolean('observations', { description: 'Station observations in reports.' }),
    imagery: t.exposeBoolean('imagery', { description: 'Photographs in reports.' }),
    compose_layout: t.exposeBoolean('compose_layout', { description: 'Custom layouts.' }),
    report_branding: t.exposeBoolean('report_branding', { description: "The team's own logo on documents." }),
    property_intelligence: t.exposeBoolean('property_intelligence', { description: 'Public records of properties.' }),
    live_warnings: t.exposeBoolean('live_warnings', { description: 'Official warnings at watched places.' }),
    record_alerts: t.exposeBoolean('record_alerts', { description: 'Mail about storm days at watched places.' }),
  }),
})

const HeldProperties = builder.objectRef<TeamView['limits']['properties']>('HeldProperties').implement({
  description: 'Number of properties, and the limit.',
  fields: (t) => ({
    held: t.exposeInt('held', { description: 'Watched and paused ones. Archived ones do not count.' }),
    limit: t.exposeInt('limit', { description: 'Largest number allowed.' }),
  }),
})

const HeldTerritories = builder.objectRef<TeamView['limits']['territories']>('HeldTerritories').implement({
  description: 'Number of territories, and the limits on number and size.',
  fields: (t) => ({
    held: t.exposeInt('held', { description: 'Watched and paused ones. Archived ones do not count.' }),
    limit: t.exposeInt('limit', { description: 'Largest number allowed.' }),
    max_area_sq_miles: t.exposeFloat('max_area_sq_miles', { description: 'Largest area of a territory, in square miles.' }),
  }),
})

const TeamLimits = builder.objectRef<TeamView['limits']>('TeamLimits').implement({
  description: 'The ceilings of the plan.',
  fields: (t) => ({
    lookback_years: t.exposeInt('lookback_years', { description: 'How far back a window may reach, in years.' }),
    max_radius_miles: t.exposeFloat('max_radius_miles', { description: 'Largest radius of a report, in miles.' }),
    properties: t.expose('properties', { type: HeldProperties, description: 'Number of properties, and the limit.' }),
    territories: t.expose('territories', {
      type: HeldTerritories,
      description: 'Number of territories, and the limits on number and size.',
    }),
    watch_radius_miles: t.exposeFloat('watch_radius_miles', { description: 'Largest watch radius of a property, in miles.' }),
  }),
})

const TeamLinks = builder.objectRef<TeamView['links']>('TeamLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    credits: t.exposeString('credits', { description: 'The credit balance.' }),
    monitoring: t.exposeString('monitoring', { description: 'When monitoring last ran, and the state of each lane.' }),
  }),
})

const Team = builder.objectRef<TeamView>('Team').implement({
  description: 'The team, its plan and ceilings.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('team')),
    name: t.exposeString('name', { description: 'Name of the team.' }),
    timezone: t.exposeString('timezone', { description: 'IANA time zone of the team.' }),
    plan: t.expose('plan', { type: TeamPlan, description: 'The plan in force.' }),
    includes: t.expose('includes', { type: TeamIncludes, description: 'Features of the plan.' }),
    limits: t.expose('limits', { type: TeamLimits, description: 'The ceilings of the plan.' }),
    credits: t.expose('credits', { type: CreditSummary, description: 'Credits of the period.' }),
    links: t.expose('links', { type: TeamLinks, description: 'Related links.' }),
  }),
})

builder.queryField('team', (t) =>
  t.field({
    type: Team,
    description: 'The team, its plan and ceilings.',
    extensions: needs('account:read'),
    resolve: (_root, _args, context) => teamView(context.app, callerOf(context)),
  }),
)
