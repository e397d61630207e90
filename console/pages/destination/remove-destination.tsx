import { useQueryClient } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { RemoveRecord } from '../../parts/remove-record.tsx'

const REMOVE = graphql(`mutation RemoveDestination($id: UUID!) { deleteIntegration(integration: $id) }`)

/** Removes a destination, once that is confirmed. */
export function RemoveDestination({ id, name }: { id: string; name: string }) {
  const queries = useQueryClient()
  return (
    <RemoveRecord
      kind="destination"
      name={name}
      list="/destinations"
      remove={() => ask(REMOVE, { id })}
      refresh={() => void queries.invalidateQueries({ queryKey: ['destinations'], exact: true })}
    >
      <p>
        Nothing is posted to it any more, and waiting posts are not sent. Its deliveries stay in the list of deliveries. To pause it,
        deactivate it instead.
      </p>
    </RemoveRecord>
  )
}
