import { graphql } from '../../api/graphql.ts'

/** The limits for the team's reports, and the default layout. */
export const REPORT_OPTIONS = graphql(`
  query ReportCeilings {
    account { limits { lookback_years max_radius_miles } credits { balance } }
    team { includes { compose_layout report_branding } plan { label } }
    presetLayout { sections imagery elements map { base layers } }
  }
`)
