/** Modules of pure functions, and the tests that judge their mutants: none needs a database. */
export interface Area {
  modules: string[]
  tests: string[]
}

const within = (folder: string, names: string) => names.split(' ').map((name) => `${folder}/${name}`)

/** The pure core, by area. `areas.test.ts` fails for a file that does not exist. */
export const areas: Record<string, Area> = {
  evidence: {
    modules: [
      ...within('domain/evidence', 'supersede.ts episodes.ts corroborate.ts confidence.ts rounding.ts relevance.ts'),
      ...within('domain/evidence', 'record-distance.ts extremes.ts lead-record.ts qualifies.ts distance-text.ts'),
      ...within('domain/reports', 'compose.ts peaks.ts'),
    ],
    tests: [
      ...within('test/domain/evidence', 'supersede.test.ts episodes.test.ts corroborate.test.ts confidence.test.ts'),
      ...within(
        'test/domain/evidence',
        'distance-text.test.ts record-distance.test.ts lead-record.test.ts qualifies.test.ts rounding.test.ts',
      ),
      ...within('test/domain/reports', 'compose.test.ts peaks.test.ts wording/statement.test.ts'),
    ],
  },
  exposures: {
    modules: within('domain/exposures', 'escalation.ts compose.ts headline.ts'),
    tests: within('test/domain/exposures', 'escalation.test.ts compose.test.ts'),
  },
  plans: {
    modules: within('domain/plans', 'ceilings.ts periods.ts plans.ts'),
    tests: within('test/domain/plans', 'ceilings.test.ts periods.test.ts plans.test.ts'),
  },
  integrations: {
    modules: within('domain/integrations', 'payload.ts signature.ts schedule.ts channels/chat-a.ts channels/chat-b.ts'),
    tests: within('test/domain/integrations', 'payload.test.ts signature.test.ts schedule.test.ts channels.test.ts'),
  },
  geo: {
    modules: within(
      'domain/geo',
      'local-day.ts ring.ts geometry-parse.ts crossing.ts area.ts measure.ts shape.ts cells.ts prepared-shape.ts',
    ),
    tests: within(
      'test/domain/geo',
      'area.test.ts crossing.test.ts local-day.test.ts measure.test.ts shape.test.ts cells.test.ts polygon-cells.test.ts geometry.test.ts prepared-shape.test.ts',
    ),
  },
  maps: {
    modules: within('domain/maps', 'mercator.ts cut-paths.ts strength.ts point-list.ts strongest.ts band-areas.ts outlines.ts'),
    tests: within('test/domain/maps', 'mercator.test.ts cut-paths.test.ts point-list.test.ts band-areas.test.ts outlines.test.ts'),
  },
  idempotency: {
    modules: ['domain/access/idempotency.ts'],
    tests: ['test/domain/access/idempotency-locks.test.ts'],
  },
}
