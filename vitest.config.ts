import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Files that take several seconds each: services, terminals and browsers of their own, and proofs over many cases. They are
 * `npm run test:system`, so that `npm test` is done within minutes; a file that is named is run by either.
 */
export const systemTests = [
  'test/cli/{answers,archive,attestations,blobs,commands,failing-screens,failing-service,log,operate,pack,save-answer,screens,source-rows,verify,verify-sources,writes,wrong-values}.test.{ts,tsx}',
  'test/clients/{client,packed,snippets,stranger}.test.ts',
  'test/domain/archive/{coverage/coverage-days,feeds/feeds,ingest/ingest,observations/upsert,plausibility,radar/nearby,search/search,warnings/permutations}.test.ts',
  'test/domain/archive/versions/as-of.test.ts',
  'test/domain/engines/{bucket,limiter,migrations,pictures,pool,printer,redis,transaction-pooling}.test.ts',
  'test/domain/access/operator.test.ts',
  'test/domain/alerts/send-mail.test.ts',
  'test/domain/exposures/{converge,detect,north-texas,since}.test.ts',
  'test/domain/integrations/deliver.test.ts',
  'test/domain/maps/{radar,real-tiles,swaths,sync-radar-day}.test.ts',
  'test/domain/archive/radar/frame.test.ts',
  'test/domain/monitoring/{feeds-read,run-lane}.test.ts',
  'test/domain/personal-data/erase.test.ts',
  'test/domain/reports/document/{day-of-loss-page,oklahoma-city,pages,radar,render}.test.ts',
  'test/domain/reports/{diff,radar-places,unplaced-zones}.test.ts',
  'test/domain/fingerprint-log/{attest,check-log,merkle}.test.ts',
  'test/forgeries/**/*.test.ts',
  'test/graphql/alert-rules.test.ts',
  'test/hostile/**/*.test.ts',
  'test/journeys/{a-first-day-in-clicks,a-storm-comes,an-operator-runs-the-service,an-owner-keeps-the-account,first-day-at-the-desk,maps-at-the-desk}.test.ts',
  'test/journeys/{alerts-at-the-desk,a-book-from-a-spreadsheet,a-book-of-fifty-thousand,an-inbox-of-ten-thousand,other-ways-to-sign-in,following-a-destination,in-firefox,looking-after-a-property,playing-a-storm-day,reading-a-report}.test.ts',
  'test/journeys/{a-poor-network,two-windows-at-the-desk,load-errors-are-shown,what-is-written-stays-text,without-a-mouse}.test.ts',
  'test/oracle/{day-of-loss,every-row,real-records,report-preview,warnings}.test.ts',
  'test/rest/{archive-export,audit,client,examples,large-responses,ogc,revoked-during-request,streamed-exports,unusable-files,verify-page}.test.ts',
  'test/rest/console/team-changes.test.ts',
  'test/rest/pages/{docs,map,map-tools}.test.ts',
  'test/scripts/{bundle,packed,start,threads}.test.ts',
  'test/serve.test.ts',
  'test/workers/{documents-process,main,queue,queue-fallback,traces}.test.ts',
]

const named = process.argv.some((argument) => argument.startsWith('test/'))

/** What each run begins with: a temporary folder of its own, then its servers. */
export const scratch = 'test/support/scratch-setup.ts'
/** The embedded ones. */
export const setup = 'test/support/global-setup.ts'

/** One PostgreSQL for the run, one database for each worker; modules are loaded once a worker, not once a file. */
export default defineConfig({
  // The bundler would take graphql's other build than Node gives the packages that share it: two copies refuse each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: [...configDefaults.exclude, ...(named ? [] : systemTests)],
    globalSetup: [scratch, process.env.WEATHER_TEST_FLEET === '1' ? 'test/support/fleet-setup.ts' : setup],
    setupFiles: ['test/support/seed.ts', 'test/support/tidy.ts'],
    pool: 'forks',
    isolate: false,
    // Much of a test waits for PostgreSQL: two workers use two processors well, more would wait for each other.
    maxWorkers: 2,
    execArgv: [
      // MB: what a test makes and leaves is then mostly gone before it is moved. Collecting it took a seventh of a worker's time, and takes a tenth.
      '--max-semi-space-size=64',
      // What runs a few times is not worth the compiler's best: an eighth of the processors' work went there. Later versions know no such option.
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
    ],
    // Bounds for what hangs, with room for a machine that does much else: the first world of a worker loads the whole application.
    hookTimeout: 180_000,
    testTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
    // What a file becomes is kept for the next run, in node_modules: loading it takes half the time.
    experimental: { fsModuleCache: true },
  },
})
