import { graphql } from '../../api/graphql.ts'

/** What a report of the team may ask for, and what stands in one that asks for no layout. */
export const REPORT_CEILINGS = graphql(`
  query ReportCeilings {
    account { limits { lookback_years max_radius_miles } credits { balance } }
    team { includes { compose_layout report_branding } plan { label } }
    presetLayout { sections imagery elements map { base layers } }
  }
`)
