import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { companyRefusal } from './pages/sign-in/company-refusals.ts'
import { loadedPage } from './parts/loaded-page.tsx'
import { Failed } from './parts/states.tsx'
import { amount, date, oneOf, page, positiveInteger, text } from './search-params.ts'

const root = createRootRoute({
  errorComponent: ({ error, reset }) => <Failed error={error instanceof Error ? error : new Error(String(error))} retry={reset} />,
  notFoundComponent: () => (
    <main className="alone">
      <h1>Page not found</h1>
      <p>
        <a href="/app/inbox">Go to the inbox</a>
      </p>
    </main>
  ),
})

/** The pages for signed-in people. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Frame })

/** Undefined values override what the URL has, and are left out of it. */
const optional = <Of extends object>(of: Of) => of as Partial<Of>

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { title: 'Sign in' },
  validateSearch: ({ return_to, refused }) => optional({ return_to: text(return_to), refused: companyRefusal(refused) }),
  component: loadedPage(() => import('./pages/sign-in.tsx'), 'SignInPage'),
})
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' })
  },
})
const inbox = createRoute({
  getParentRoute: () => framed,
  path: '/inbox',
  staticData: { title: 'Inbox' },
  validateSearch: (sent) =>
    optional({
      state: oneOf(['settled', 'all'], sent.state),
      kind: oneOf(['record', 'warning'], sent.kind),
      from: date(sent.from),
      to: date(sent.to),
      min_hail: amount(sent.min_hail),
    }),
  component: loadedPage(() => import('./pages/inbox.tsx'), 'InboxPage'),
})
const exposure = createRoute({
  getParentRoute: () => framed,
  path: '/exposures/$id',
  staticData: { title: 'Exposure' },
  component: loadedPage(() => import('./pages/exposure.tsx'), 'ExposurePage'),
})
const reports = createRoute({
  getParentRoute: () => framed,
  path: '/reports',
  staticData: { title: 'Reports' },
  validateSearch: (sent) => optional({ address: text(sent.address), status: text(sent.status), page: page(sent.page) }),
  component: loadedPage(() => import('./pages/reports.tsx'), 'ReportsPage'),
})
const newReport = createRoute({
  getParentRoute: () => framed,
  path: '/reports/new',
  staticData: { title: 'New report' },
  validateSearch: (sent) => optional({ address: text(sent.address), day: date(sent.day), property: text(sent.property) }),
  component: loadedPage(() => import('./pages/new-report.tsx'), 'NewReportPage'),
})
const report = createRoute({
  getParentRoute: () => framed,
  path: '/reports/$id',
  staticData: { title: 'Report' },
  validateSearch: (sent) =>
    optional({
      type: text(sent.type),
      evidence: text(sent.evidence),
      confidence: text(sent.confidence),
      source: text(sent.source),
      day: date(sent.day),
      sort: text(sent.sort),
      record: positiveInteger(sent.record),
      page: page(sent.page),
    }),
  component: loadedPage(() => import('./pages/report.tsx'), 'ReportPage'),
})
const storms = createRoute({
  getParentRoute: () => framed,
  path: '/storms',
  staticData: { title: 'Storms' },
  validateSearch: (sent) => optional({ day: date(sent.day), place: text(sent.place), at: text(sent.at) }),
  component: loadedPage(() => import('./pages/storms.tsx'), 'StormsPage'),
})
const properties = createRoute({
  getParentRoute: () => framed,
  path: '/properties',
  staticData: { title: 'Properties' },
  validateSearch: (sent) =>
    optional({ search: text(sent.search), status: text(sent.status), tag: text(sent.tag), located: text(sent.located) }),
  component: loadedPage(() => import('./pages/properties.tsx'), 'PropertiesPage'),
})
const importProperties = createRoute({
  getParentRoute: () => framed,
  path: '/properties/import',
  staticData: { title: 'Import properties' },
  component: loadedPage(() => import('./pages/import-properties.tsx'), 'ImportPropertiesPage'),
})
const property = createRoute({
  getParentRoute: () => framed,
  path: '/properties/$id',
  staticData: { title: 'Property' },
  validateSearch: ({ exposures, reports }) => optional({ exposures: page(exposures), reports: page(reports) }),
  component: loadedPage(() => import('./pages/property.tsx'), 'PropertyPage'),
})
const territories = createRoute({
  getParentRoute: () => framed,
  path: '/territories',
  staticData: { title: 'Territories' },
  validateSearch: (sent) => optional({ page: page(sent.page) }),
  component: loadedPage(() => import('./pages/territories.tsx'), 'TerritoriesPage'),
})
const newTerritory = createRoute({
  getParentRoute: () => framed,
  path: '/territories/new',
  staticData: { title: 'Draw a territory' },
  component: loadedPage(() => import('./pages/territory.tsx'), 'NewTerritoryPage'),
})
const territory = createRoute({
  getParentRoute: () => framed,
  path: '/territories/$id',
  staticData: { title: 'Territory' },
  component: loadedPage(() => import('./pages/territory.tsx'), 'TerritoryPage'),
})
const destinations = createRoute({
  getParentRoute: () => framed,
  path: '/destinations',
  staticData: { title: 'Destinations' },
  component: loadedPage(() => import('./pages/destinations.tsx'), 'DestinationsPage'),
})
const destination = createRoute({
  getParentRoute: () => framed,
  path: '/destinations/$id',
  staticData: { title: 'Destination' },
  validateSearch: (sent) => optional({ status: text(sent.status), page: page(sent.page) }),
  component: loadedPage(() => import('./pages/destination.tsx'), 'DestinationPage'),
})
const alerts = createRoute({
  getParentRoute: () => framed,
  path: '/alerts',
  staticData: { title: 'Alerts' },
  validateSearch: (sent) => optional({ status: text(sent.status), page: page(sent.page) }),
  component: loadedPage(() => import('./pages/alerts.tsx'), 'AlertsPage'),
})
const people = createRoute({
  getParentRoute: () => framed,
  path: '/people',
  staticData: { title: 'People' },
  component: loadedPage(() => import('./pages/people.tsx'), 'PeoplePage'),
})
const tokens = createRoute({
  getParentRoute: () => framed,
  path: '/tokens',
  staticData: { title: 'Tokens' },
  component: loadedPage(() => import('./pages/tokens.tsx'), 'TokensPage'),
})
const coverage = createRoute({
  getParentRoute: () => framed,
  path: '/coverage',
  staticData: { title: 'Coverage' },
  component: loadedPage(() => import('./pages/coverage.tsx'), 'CoveragePage'),
})
const allowedSites = createRoute({
  getParentRoute: () => framed,
  path: '/allowed-sites',
  staticData: { title: 'Allowed sites' },
  component: loadedPage(() => import('./pages/allowed-origins.tsx'), 'AllowedOriginsPage'),
})
const letterhead = createRoute({
  getParentRoute: () => framed,
  path: '/letterhead',
  staticData: { title: 'Letterhead' },
  component: loadedPage(() => import('./pages/letterhead.tsx'), 'LetterheadPage'),
})
const auditLog = createRoute({
  getParentRoute: () => framed,
  path: '/audit-log',
  staticData: { title: 'Audit log' },
  validateSearch: (sent) =>
    optional({ actor_kind: text(sent.actor_kind), operation: text(sent.operation), since: date(sent.since), page: page(sent.page) }),
  component: loadedPage(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
})
const account = createRoute({
  getParentRoute: () => framed,
  path: '/account',
  staticData: { title: 'Account' },
  validateSearch: (sent) => optional({ page: page(sent.page) }),
  component: loadedPage(() => import('./pages/account.tsx'), 'AccountPage'),
})

/** The operator pages, which belong to no team. */
const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  component: loadedPage(() => import('./operator-frame.tsx'), 'OperatorFrame'),
})
const operatorTeams = createRoute({
  getParentRoute: () => operator,
  path: '/',
  staticData: { title: 'Teams' },
  component: loadedPage(() => import('./pages/operator/teams.tsx'), 'TeamsPage'),
})
const operatorArchive = createRoute({
  getParentRoute: () => operator,
  path: '/archive',
  staticData: { title: 'Archive' },
  component: loadedPage(() => import('./pages/operator/archive.tsx'), 'ArchivePage'),
})
const operatorService = createRoute({
  getParentRoute: () => operator,
  path: '/service',
  staticData: { title: 'Service' },
  component: loadedPage(() => import('./pages/operator/service.tsx'), 'ServicePage'),
})
const operatorOperators = createRoute({
  getParentRoute: () => operator,
  path: '/operators',
  staticData: { title: 'Operators' },
  component: loadedPage(() => import('./pages/operator/operators.tsx'), 'OperatorsPage'),
})

export const routes = root.addChildren([
  start,
  signIn,
  operator.addChildren([operatorTeams, operatorArchive, operatorService, operatorOperators]),
  framed.addChildren([
    inbox,
    exposure,
    reports,
    newReport,
    report,
    storms,
    properties,
    importProperties,
    property,
    territories,
    newTerritory,
    territory,
    destinations,
    destination,
    alerts,
    people,
    tokens,
    coverage,
    letterhead,
    allowedSites,
    auditLog,
    account,
  ]),
])
