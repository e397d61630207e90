import { Repeater } from 'graphql-yoga'
import { type ChangeSubject, changeSubjects } from '#domain/people/team-changes.ts'
import { builder, personOnly } from '#graphql/builder.ts'
import { type Context, callerOf } from '#graphql/context.ts'

interface TeamChange {
  subjects: ChangeSubject[]
}

const TeamChange = builder.objectRef<TeamChange>('TeamChange').implement({
  description: 'A notice that something in the team changed.',
  subGraphs: personOnly,
  fields: (t) => ({
    subjects: t.exposeStringList('subjects', {
      description: `Subjects that changed since the last event: ${changeSubjects.join(', ')}. Empty in the first event, which confirms that changes are reported from now on.`,
    }),
  }),
})

builder.subscriptionType({
  description: 'Live changes, as server-sent events.',
  defaultSubGraphsForFields: personOnly,
  subGraphs: personOnly,
  fields: (t) => ({
    teamChanges: t.field({
      type: TeamChange,
      description:
        'Reports immediately when exposures, reports or memberships of the team change. It ends with the session, and when the person leaves the team.',
      subscribe: (_root, _args, context) => changesOf(context),
      resolve: (change: TeamChange) => change,
    }),
  }),
})

function changesOf(context: Context) {
  const { changes } = context
  if (!changes) throw new Error('changes are reported only over GraphQL')
  const caller = callerOf(context)
  // The repeater starts with the response, when a refusal can no longer decide its status.
  changes.requireRoom(caller)
  return new Repeater<TeamChange>(async (push, stop) => {
    const pending = new Set<ChangeSubject>()
    let sending = false
    /** Emits one event at a time: a slow reader later receives everything in one event. */
    const send = async () => {
      if (sending) return
      sending = true
      do {
        const subjects = [...pending]
        pending.clear()
        await push({ subjects })
      } while (pending.size > 0)
      sending = false
    }
    const changed = (subjects: ChangeSubject[]) => {
      for (const subject of subjects) pending.add(subject)
      void send()
    }
    const leave = changes.follow(caller, { changed, ended: () => stop() })
    void send()
    await stop
    leave()
  })
}
