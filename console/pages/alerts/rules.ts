import type { ResultOf } from 'gql.tada'
import { graphql } from '../../api/graphql.ts'

/** The rules of the team, whether its plan mails alerts, and the morning digest if it could not be mailed. */
export const ALERTS = graphql(`
  query Alerts {
    alertRules {
      id name kinds least_hail_in least_gust_mph greatest_miles evidence tag property_id territory_id
      quiet_from quiet_until pace active recipients { email state }
    }
    failedDigest { date failed_at }
    team { timezone plan { label } includes { record_alerts } }
  }
`)

export type Rule = NonNullable<ResultOf<typeof ALERTS>['alertRules']>[number]
