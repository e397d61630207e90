import { useQuery } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { askAsOperator, graphql } from '../../api/graphql.ts'
import { moment } from '../../parts/format.ts'
import { SignOut } from '../../parts/sign-out.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'

const OPERATORS = graphql(`
  query Operators {
    operators { id email name roles signed_in_at }
    adminAuditLog(per_page: 25) { data { sequence team_id at actor_kind actor operation target_kind target_id network } }
    adminTeams { id name }
  }
`)

type Found = ResultOf<typeof OPERATORS>
type Operator = NonNullable<Found['operators']>[number]
type Entry = NonNullable<Found['adminAuditLog']>['data'][number]

/** The operators, and the newest audit log rows of all teams. */
export function OperatorsPage() {
  const found = useQuery({ queryKey: ['operator', 'operators'], queryFn: () => askAsOperator(OPERATORS, {}) })
  if (found.isPending) return <Loading what="the operators" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const { operators, adminAuditLog, adminTeams } = found.data
  const actorName = ({ actor_kind, actor }: Entry) => {
    const operator = actor_kind === 'person' ? operators?.find(({ id }) => id === actor) : undefined
    return operator ? (operator.name ?? operator.email) : `${actor_kind} ${actor}`
  }
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Operators</h1>
          <p className="soft">
            Add an operator in a terminal: <code>weather admin person operator --email ann@example.com --role all</code>
          </p>
        </div>
        <SignOut />
      </header>
      <Table<Operator>
        caption="People who run the service"
        rows={operators ?? []}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', freeText: true, show: ({ name, email }) => (name ? `${name}, ${email}` : email) },
          { label: 'Roles', show: ({ roles }) => roles.join(', ') },
          { label: 'Signed in', short: true, show: ({ signed_in_at }) => moment(signed_in_at) },
        ]}
      />
      <h2 className="apart-above">Recent changes in all teams</h2>
      <Table<Entry>
        caption="The newest rows of the audit log"
        rows={adminAuditLog?.data ?? []}
        keyOf={({ team_id, sequence }) => `${team_id} ${sequence}`}
        columns={[
          { label: 'When', short: true, show: ({ at }) => moment(at) },
          { label: 'Who', show: actorName },
          { label: 'Operation', show: ({ operation }) => <code>{operation}</code> },
          { label: 'Team', show: ({ team_id }) => adminTeams?.find(({ id }) => id === team_id)?.name ?? 'The service' },
          {
            label: 'Target',
            show: ({ target_kind, target_id }) => (
              <>
                {target_kind.replaceAll('_', ' ')} <code className="small">{target_id}</code>
              </>
            ),
          },
        ]}
      />
    </>
  )
}
