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
      description: `Of which something changed since the last event: ${changeSubjects.join(', ')}. None in the first, which says that changes are heard from now on.`,
    }),
  }),
})

builder.subscriptionType({
  description: 'What happens, as it happens: server-sent events.',
  defaultSubGraphsForFields: personOnly,
  subGraphs: personOnly,
  fields: (t) => ({
    teamChanges: t.field({
      type: TeamChange,
      description:
        'Says at once that exposures, reports or memberships of the team changed; it ends with the session, and when the person leaves the team.',
      subscribe: (_root, _args, context) => changesOf(context),
      resolve: (change: TeamChange) => change,
    }),
  }),
})

function changesOf(context: Context) {
  const { changes } = context
  if (!changes) throw new Error('changes are heard over GraphQL alone')
  const caller = callerOf(context)
  return new Repeater<TeamChange>(async (push, stop) => {
    const unsaid = new Set<ChangeSubject>()
    let sending = false
    /** One at a time: a reader that is slow hears later, of everything at once. */
    const send = async () => {
      if (sending) return
      sending = true
      do {
        const subjects = [...unsaid]
        unsaid.clear()
        await push({ subjects })
      } while (unsaid.size > 0)
      sending = false
    }
    const changed = (subjects: ChangeSubject[]) => {
      for (const subject of subjects) unsaid.add(subject)
      void send()
    }
    const leave = changes.follow(caller, { changed, ended: () => stop() })
    void send()
    await stop
    leave()
  })
}
