import type { Geometry } from 'geojson'
import type { Caller } from '#domain/access/caller.ts'
import { everyTransaction, transactionFilters } from '#domain/account/account.ts'
import type { App } from '#domain/app.ts'
import {
  type Columns,
  deliveryExportColumns,
  eventExportColumns,
  exposureExportColumns,
  placeOf,
  propertyExportColumns,
  reportExportColumns,
  territoryExportColumns,
  transactionExportColumns,
} from '#domain/exports/columns.ts'
import { csvOfViews } from '#domain/exports/csv-file.ts'
import { featureText } from '#domain/exports/geojson.ts'
import { exposureFilters } from '#domain/exposures/check-filters.ts'
import { everyExposure } from '#domain/exposures/find.ts'
import { deliveryFilters, everyDelivery } from '#domain/integrations/deliveries.ts'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import type { Cell } from '#domain/kernel/csv.ts'
import { checkDays, checkedLater } from '#domain/kernel/fields.ts'
import { type Form, readNew, refuseUnknown, required, type ValuesOf } from '#domain/kernel/form.ts'
import { type Faults, gatherFaults } from '#domain/kernel/validation.ts'
import { everyProperty, propertyFilters } from '#domain/properties/find.ts'
import { checkReportFilters, everyReport, reportFilters } from '#domain/reports/find.ts'
import { everyReportEvent, reportEventFilters, requireReport } from '#domain/reports/find-events.ts'
import { everyTerritory, territoryFilters } from '#domain/territories/find.ts'

/** The export of a listing as one file. */
export interface Export {
  /** Whether its rows have a place, so that GeoJSON is possible. */
  has_places: boolean
  /**
   * Checks the filters and returns the file in pieces, each made when it is requested.
   * @throws Refusal 422 with every invalid filter; 404 if the report does not belong to the team
   */
  open(app: App, caller: Caller, format: ExportFormat, sent: Record<string, unknown>): Promise<AsyncGenerator<string>>
}

export const exportFormats = ['csv', 'geojson'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The definition of an export: its filters, rows and columns. */
interface Listing<Of extends Form, View> {
  filters: Of
  /** Checks filters against each other and against stored data. */
  check?(filters: ValuesOf<Of>, faults: Faults, app: App, caller: Caller): Promise<void> | void
  every(app: App, caller: Caller, filters: ValuesOf<Of>, format: ExportFormat): AsyncGenerator<View[]>
  columns: Columns<View>
  place?(view: View): Geometry | null
}

/** Pages that the exports of one team may read concurrently in this process, so that many exports of one team do not slow down the others. */
const PAGES_AT_ONCE = 2
const readLimited = concurrencyLimit(PAGES_AT_ONCE)

function exportOf<Of extends Form, View>({ filters: form, check, every, columns, place }: Listing<Of, View>): Export {
  const names = Object.keys(columns)
  const cells = Object.values(columns)
  const cellsOf = (view: View): Cell[] => cells.map((cell) => cell(view))
  const files: Record<ExportFormat, (pages: AsyncIterable<View[]>) => AsyncGenerator<string>> = {
    csv: (pages) => csvOfViews(columns, pages),
    geojson: (pages) => geojsonOf(pages, (view) => featureText(names, cellsOf(view), place?.(view) ?? null)),
  }
  return {
    has_places: place !== undefined,
    async open(app, caller, format, sent) {
      const faults = gatherFaults()
      refuseUnknown(form, sent, faults)
      const filters = readNew(form, sent, faults)
      await check?.(filters, faults, app, caller)
      faults.refuse()
      return files[format](limited(every(app, caller, filters, format), caller.team.id))
    },
  }
}

async function* limited<View>(pages: AsyncGenerator<View[]>, team_id: string): AsyncGenerator<View[]> {
  try {
    for (;;) {
      const { done, value } = await readLimited(team_id, () => pages.next())
      if (done) return
      yield value
    }
  } finally {
    await pages.return(undefined)
  }
}

async function* geojsonOf<View>(pages: AsyncIterable<View[]>, feature: (view: View) => string): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n'
  for await (const views of pages) {
    yield before + views.map(feature).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n]}\n' : `${before}]}\n`
}

/** All exports by name. */
export const exportsByName = {
  reports: exportOf({
    filters: reportFilters,
    check: (filters, faults, app, caller) => checkReportFilters(app, caller, filters, faults),
    every: everyReport,
    columns: reportExportColumns,
    place: placeOf.report,
  }),
  events: exportOf({
    filters: { report: required(checkedLater('The report', { type: 'string', format: 'uuid' })), ...reportEventFilters },
    check: async ({ report, ...filters }, faults, app, caller) => {
      if (!faults.found.report) await requireReport(app, caller, report)
      checkDays(filters, faults)
    },
    every: (app, caller, { report, ...filters }) => everyReportEvent(app, caller, String(report), filters),
    columns: eventExportColumns,
    place: placeOf.event,
  }),
  exposures: exportOf({
    filters: exposureFilters,
    check: checkDays,
    every: everyExposure,
    columns: exposureExportColumns,
    place: placeOf.exposure,
  }),
  properties: exportOf({ filters: propertyFilters, every: everyProperty, columns: propertyExportColumns, place: placeOf.property }),
  territories: exportOf({
    filters: territoryFilters,
    every: (app, caller, filters, format) => everyTerritory(app, caller, filters, format === 'geojson'),
    columns: territoryExportColumns,
    place: placeOf.territory,
  }),
  deliveries: exportOf({ filters: deliveryFilters, every: everyDelivery, columns: deliveryExportColumns }),
  transactions: exportOf({ filters: transactionFilters, every: everyTransaction, columns: transactionExportColumns }),
} satisfies Record<string, Export>

export type ExportName = keyof typeof exportsByName
