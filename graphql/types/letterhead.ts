import { papers } from '#domain/closed-sets.ts'
import { type LetterheadView, readLetterhead, setLetterhead } from '#domain/plans/letterhead.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'
import { byOwner } from '#graphql/owner.ts'

const Letterhead = builder.objectRef<LetterheadView>('Letterhead').implement({
  description: "How the team's documents are set.",
  subGraphs: personOnly,
  fields: (t) => ({
    paper: t.exposeString('paper', { description: `What they are printed on: ${papers.join(' or ')}.` }),
    brand_name: t.exposeString('brand_name', { nullable: true, description: 'The name on them.' }),
    brand_logo: t.exposeString('brand_logo', { nullable: true, description: 'The mark on them, as a data: address.' }),
    shown: t.exposeBoolean('shown', {
      description: 'True where the plan includes report branding: else name and mark are kept and not printed.',
    }),
  }),
})

builder.queryField('letterhead', (t) =>
  t.field({
    type: Letterhead,
    description: "How the team's documents are set.",
    ...byOwner,
    resolve: (_root, _args, context) => ownLetterhead(context),
  }),
)

builder.mutationField('setLetterhead', (t) =>
  t.field({
    type: Letterhead,
    description: "Sets how the team's documents look from the next one printed. What is not named stays; null takes it away.",
    ...byOwner,
    args: {
      paper: t.arg.string({ description: `${papers.join(' or ')}.` }),
      brand_name: t.arg.string({ description: 'Name, 1 to 80 characters; printed where the plan includes report branding.' }),
      brand_logo: t.arg.string({
        description: 'PNG, JPEG or WebP in base64, at most 200 kB; printed where the plan includes report branding.',
      }),
    },
    resolve: async (_root, { paper, brand_name, brand_logo }, context) => {
      await setLetterhead(context.app, callerOf(context).team.id, {
        brand_name,
        brand_logo: brand_logo == null ? brand_logo : Buffer.from(brand_logo, 'base64'),
        ...(paper != null && { paper }),
      })
      return ownLetterhead(context)
    },
  }),
)

function ownLetterhead(context: Context): Promise<LetterheadView> {
  const { team, plan } = callerOf(context)
  return readLetterhead(context.app, team.id, plan)
}
