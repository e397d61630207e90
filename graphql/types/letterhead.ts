import { papers } from '#domain/closed-sets.ts'
import { type LetterheadView, readLetterhead, setLetterhead } from '#domain/plans/letterhead.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'
import { byOwner } from '#graphql/owner.ts'

/** 200 kB in base64. */
const LOGO_KILOBYTES = 270

const Letterhead = builder.objectRef<LetterheadView>('Letterhead').implement({
  description: "Letterhead of the team's documents.",
  subGraphs: personOnly,
  fields: (t) => ({
    paper: t.exposeString('paper', { description: `Paper size: ${papers.join(' or ')}.` }),
    brand_name: t.exposeString('brand_name', { nullable: true, description: 'Name printed on them.' }),
    brand_logo: t.exposeString('brand_logo', {
      nullable: true,
      description: 'Logo printed on them, as a data: URL.',
      extensions: { kilobytes: LOGO_KILOBYTES },
    }),
    shown: t.exposeBoolean('shown', {
      description: 'True if the plan includes report branding. Otherwise the name and logo are stored but not printed.',
    }),
  }),
})

builder.queryField('letterhead', (t) =>
  t.field({
    type: Letterhead,
    description: "Letterhead of the team's documents.",
    ...byOwner,
    resolve: (_root, _args, context) => ownLetterhead(context),
  }),
)

builder.mutationField('setLetterhead', (t) =>
  t.field({
    type: Letterhead,
    description: "Sets the letterhead of the team's documents, from the next one printed. Omitted fields stay; null clears a field.",
    ...byOwner,
    args: {
      paper: t.arg.string({ description: `Paper size: ${papers.join(' or ')}.` }),
      brand_name: t.arg.string({ description: 'Name, 1 to 80 characters. It is printed if the plan includes report branding.' }),
      brand_logo: t.arg.string({
        description: 'Logo: PNG, JPEG or WebP in base64, at most 200 kB. It is printed if the plan includes report branding.',
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
