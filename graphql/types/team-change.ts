import { Repeater } from 'graphql-yoga'
import { type ChangeSubject, changeSubjects } from '#domain/people/team-changes.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'

interface TeamChange {
  subjects: ChangeSubject[]
}

const TeamChange = builder.objectRef<TeamChange>('TeamChange').implement({
  description: 'That something of the team changed.',
  subGraphs: personOnly,
  fields: (t) => ({
    subjects: t.exposeStringList('subjects', {
      description: `Of which something changed since the last that was told: ${changeSubjects.join(', ')}. None in the first, which says that the telling began.`,
    }),
  }),
})

builder.subscriptionType({
  description: 'What is told as it happens, as server-sent events.',
  defaultSubGraphsForFields: personOnly,
  subGraphs: personOnly,
  fields: (t) => ({
    teamChanges: t.field({
      type: TeamChange,
      description:
        'Tells at once that exposures, reports or memberships of the team changed; it ends with the session, and when the person leaves the team.',
      subscribe: (_root, _args, context) => changesOf(context),
      resolve: (change: TeamChange) => change,
    }),
  }),
})

function changesOf(context: Context) {
  const { changes } = context
  if (!changes) throw new Error('changes are told over GraphQL alone')
  const caller = callerOf(context)
  return new Repeater<TeamChange>(async (push, stop) => {
    const untold = new Set<ChangeSubject>()
    let telling = false
    /** One at a time: a reader that is slow hears later, of everything at once. */
    const tell = async () => {
      if (telling) return
      telling = true
      do {
        const subjects = [...untold]
        untold.clear()
        await push({ subjects })
      } while (untold.size > 0)
      telling = false
    }
    const changed = (subjects: ChangeSubject[]) => {
      for (const subject of subjects) untold.add(subject)
      void tell()
    }
    const leave = changes.follow(caller, { changed, ended: () => stop() })
    void tell()
    await stop
    leave()
  })
}
