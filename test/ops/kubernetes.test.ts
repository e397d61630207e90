import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { ConfigMap, PodSpec, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { openMetrics } from '#domain/engines/metrics.ts'
import { readConfig } from '#domain/kernel/config.ts'
import { present } from '#domain/kernel/present.ts'
import { settingNames } from '#domain/kernel/settings.ts'
import { openMetricsPort } from '#rest/metrics.ts'
import { openRest } from '#test/support/api.ts'
import { openWorld } from '#test/support/world.ts'
import { builtJobs, jobOf } from '#workers/jobs.ts'
import { declareQueueGauges } from '#workers/queue-gauges.ts'
import { secretsOf, secretUsers } from './secret-users.ts'

const folder = 'ops/kubernetes'

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
}
const manifestsOf = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []])
    return document.toJS()
  })

const { resources } = manifestsOf('kustomization.yaml')[0] as unknown as { resources: string[] }
/** The overlay that the guide starts from. */
const overlay = parse(/```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/kubernetes.md', 'utf8'))?.[1] ?? '') as {
  images: { name: string }[]
  patches: { patch: string }[]
}
const manifests = resources.flatMap(manifestsOf)
const ofKind = <Kind>(kind: string) => manifests.filter((one) => one.kind === kind) as unknown as (Kind & Manifest)[]
const deployments = ofKind<Deployment>('Deployment')
const settings = ofKind<ConfigMap>('ConfigMap')[0]?.data ?? {}
const pods = [...deployments, ...ofKind<Job>('Job')].map(({ metadata, spec }) => ({
  name: metadata.name,
  labels: spec?.template.metadata?.labels ?? {},
  spec: spec?.template.spec as PodSpec,
}))

const secretsFolder = mkdtempSync(path.join(tmpdir(), 'weather-secrets-'))
afterAll(() => rm(secretsFolder, { recursive: true }))

describe('the base for Kubernetes', () => {
  it('lists every file next to it except the values of another chart', async () => {
    const files = (await readdir(folder)).filter((file) => !['kustomization.yaml', 'prometheus-adapter.yaml'].includes(file))
    expect(files.sort()).toEqual(resources.toSorted())
    expect(pods.map(({ name }) => name).sort()).toEqual(['weather-api', 'weather-documents', 'weather-migrate', 'weather-worker'])
  })

  it('asks a name server again long before its time to connect is over', () => {
    const options = [
      { name: 'timeout', value: '1' },
      { name: 'attempts', value: '3' },
    ]
    expect(pods.map(({ spec }) => spec.dnsConfig?.options)).toEqual(pods.map(() => options))
  })

  it('leaves the names of images to overlays, which find them only by the names in the pods', () => {
    expect(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')).not.toMatch(/^images:/m)
  })

  it('has every object that the overlay of the guide changes, by name, namespace and container', () => {
    const patched = overlay.patches.map(({ patch }) => parse(patch) as Manifest & { metadata: { namespace: string } } & Pick<Job, 'spec'>)
    expect(patched.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Job'])
    for (const { kind, metadata, spec } of patched) {
      const changed = manifests.find((one) => one.kind === kind && one.metadata.name === metadata.name) as (Manifest & Job) | undefined
      expect([kind, changed?.kind, metadata.namespace]).toEqual([kind, kind, 'weather'])
      for (const { name, env = [] } of spec?.template.spec?.containers ?? []) {
        const container = changed?.spec?.template.spec?.containers.find((one) => one.name === name)
        expect(container?.env?.map((one) => one.name)).toEqual(expect.arrayContaining(env.map((one) => one.name)))
      }
    }
  })

  it('matches the Kubernetes types, without unknown keys', () => {
    const typed = manifests.map((one, index) => {
      const [group, version] = one.apiVersion.includes('/') ? one.apiVersion.split('/') : ['core', one.apiVersion]
      return `import type { ${one.kind} as T${index} } from 'kubernetes-types/${group?.replace('.k8s.io', '')}/${version}'
export const _${index}: T${index} = ${JSON.stringify(one)}`
    })
    const misspelt = `import type { ConfigMap as Wrong } from 'kubernetes-types/core/v1'\nexport const wrong: Wrong = { kind: 'ConfigMap', apiVersion: 'v1', date: {} }`
    const faults = faultsOf([...typed, misspelt].join('\n'))
    expect(faults).toEqual([expect.stringContaining("'date' does not exist in type 'ConfigMap'")])
  })
})

/** The compiler's messages for a module in the root of the repository. */
function faultsOf(text: string): string[] {
  const file = path.resolve('kubernetes-manifests.ts')
  const options: ts.CompilerOptions = { noEmit: true, strict: true, module: ts.ModuleKind.Preserve, types: [] }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Settings that no deployment needs, and why. */
const omittedSettings: Record<string, string> = {
  ...{ HOST: 'the image says it', WEATHER_HOME: 'the image says it', NODE_ENV: 'the image says it' },
  ...{ PUPPETEER_EXECUTABLE_PATH: 'the image says it', BROWSER_WS: 'the image has the browser' },
  PORT: 'a Service gives it another',
  BROWSER_UID: 'for a service that runs as root',
  AWS_SESSION_TOKEN: 'of a key for hours: a pod has a role',
  WEATHER_SAMPLE: 'for who tries it on a desk',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'there is one',
}

describe('the settings of the base', () => {
  it('include everything that a deployment may need', () => {
    const environments = [
      settings,
      ...pods.map(({ spec }) => Object.fromEntries(spec.containers[0]?.env?.map(({ name }) => [name, '']) ?? [])),
    ]
    const names = new Set(environments.flatMap((names) => Object.keys(names)).map((name) => name.replace(/_FILE$/, '')))
    expect(settingNames.filter((name) => !names.has(name)).sort()).toEqual(Object.keys(omittedSettings).sort())
  })

  const text = readFileSync(path.join(folder, 'settings.yaml'), 'utf8')
  const examples = [...text.matchAll(/^ {2}# ([A-Z_]+): (\S+)$/gm)].map(([, name = '', value = '']) => ({ name, value }))
  it('show the optional settings as examples in comments', () => {
    const shown = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL', 'ARCHIVE_FILES', 'BASEMAP']
    expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(shown))
  })

  it.each(examples)('may be $name=$value, with a port that the network policy allows', ({ name, value }) => {
    const environment = { DATABASE_URL: settings.DATABASE_URL, WEATHER_SECRET_KEY: secrets.weather_secret_key, [name]: value }
    expect(() => readConfig(environment)).not.toThrow()
    const opened = ofKind<NetworkPolicy>('NetworkPolicy').flatMap(({ spec }) => spec?.egress?.flatMap(({ ports = [] }) => ports) ?? [])
    for (const [, port] of value.matchAll(/:(\d+)/g)) expect(opened.map((one) => one.port)).toContain(Number(port))
  })
})

/** The keys that a secret with this name may have. */
const secrets: Record<string, string> = {
  weather_secret_key: Buffer.alloc(32, 7).toString('base64'),
  weather_operator_key: `wo_${'a'.repeat(24)}`,
  aws_access_key_id: 'id',
  aws_secret_access_key: 'key',
}

const SECRETS_OF_OTHERS: Record<string, string> = {
  ...secrets,
  redis_password: 'secret',
  redis_sentinel_password: 'secret',
  redis_ca: '-----BEGIN CERTIFICATE-----',
  enrichment_token: 'secret',
  mapillary_token: 'secret',
  oidc_client_secret: 'secret',
  smtp_url: 'smtp://mail.example.com',
}

/** Writes a file for each setting that names one, with the secret of the same name. */
function readableFiles(files: [name: string, file: string | undefined][], contents = secrets): Record<string, string> {
  const written = files.map(([name, file = '']) => {
    const secret = path.basename(file)
    const copy = path.join(secretsFolder, secret)
    writeFileSync(copy, contents[secret] ?? '')
    return [name, copy]
  })
  return Object.fromEntries(written)
}

describe.each(pods)('a pod of $name', ({ labels, spec }) => {
  const [container] = spec.containers
  const own = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]))
  const env = { ...settings, ...own }

  it('has settings that exist, from mounted files, and the service accepts them', () => {
    // HOME is the browser's.
    const unknown = Object.keys(env).filter((name) => name !== 'HOME' && !settingNames.includes(name.replace(/_FILE$/, '')))
    expect(unknown).toEqual([])
    const mount = container?.volumeMounts?.find(({ name }) => name === 'secrets')
    const items = spec.volumes?.find(({ name }) => name === 'secrets')?.secret?.items ?? []
    const mounted = items.map((item) => path.posix.join(mount?.mountPath ?? '', item.path))
    const files = Object.entries(env).filter(([name, file]) => name.endsWith('_FILE') && file)
    // Files that are mounted and not required do not matter here.
    expect(mounted.toSorted()).toEqual(files.map(([, file]) => file).sort())

    const readable = readableFiles(files)
    const config = readConfig({ ...env, ...readable })
    expect(config.bucket).not.toBeNull()
    expect(config.metrics_port).toBe(9464)
  })

  it('accepts a map with every setting of other services, whose secrets it may lack', () => {
    const others = {
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'weather',
      OIDC_DOMAINS: 'example.com',
      OIDC_TEAM_CLAIM: 'teams',
      OIDC_ROLE: 'analyst',
      ENRICHMENT_URL: 'https://records.example.com',
      GEOCODER: 'pelias',
      GEOCODER_URL: 'https://pelias.example.com',
      BASEMAP_STYLE_URL: 'https://maps.example.com/style.json',
      BASEMAP_ORIGINS: 'https://tiles.example.com',
      REDIS_URL: 'rediss+sentinel://sentinel-0,sentinel-1/weather',
    }
    const changed = { ...settings, ...others, ...own }
    const files = Object.entries(changed).filter(([name, file]) => name.endsWith('_FILE') && file)
    const { oidc } = readConfig({ ...changed, ...readableFiles(files, SECRETS_OF_OTHERS) })
    expect(oidc?.client_id).toBe(labels.component === 'api' ? 'weather' : undefined)
  })

  it('has the secrets of other services only if it calls them', () => {
    const mounted = spec.volumes?.find(({ name }) => name === 'secrets')?.secret?.items?.map(({ key }) => key) ?? []
    expect(Object.keys(secretUsers).filter((name) => mounted.includes(name))).toEqual(secretsOf(labels.component ?? ''))
  })

  it('starts with roles and jobs that exist', () => {
    const args = Object.fromEntries((container?.args ?? []).map((arg) => arg.split('=')))
    expect(['api', 'worker', 'none']).toContain(args['--roles'])
    const jobs = [args['--jobs'], args['--except-jobs']].flatMap((named) => named?.split(',') ?? [])
    expect(jobs.filter((name) => !builtJobs.some((job) => job === name))).toEqual([])
    expect(overlay.images.map(({ name }) => name)).toContain(container?.image)
  })

  it('runs as an unprivileged user, writes only to memory and its own folders, and declares its resources', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } })
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.containers).toHaveLength(1)
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(Object.keys(container?.resources?.requests ?? {}).sort()).toEqual(['cpu', 'memory'])
    expect(Object.keys(container?.resources?.limits ?? {})).toEqual(['memory'])
    const writable = (container?.volumeMounts ?? []).filter(({ readOnly }) => !readOnly)
    // An agency's file is larger than the memory volume.
    const imports = ['api', 'worker'].includes(labels.component ?? '')
    const arriving = imports ? ['/var/lib/weather/arriving'] : []
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/var/lib/weather', ...arriving, '/tmp'])
    for (const { name } of container?.volumeMounts ?? []) expect(spec.volumes?.map((volume) => volume.name)).toContain(name)
    for (const { configMapRef } of container?.envFrom ?? []) expect(configMapRef?.name).toBe('weather')
    expect(labels.app).toBe('weather')
  })
})

describe.each(deployments)('a deployment of $metadata.name', ({ metadata, spec }) => {
  const selector = spec?.selector.matchLabels
  const pod = spec?.template.spec as PodSpec
  const [container] = pod.containers
  const ports = new Map((container?.ports ?? []).map(({ name, containerPort }) => [name, containerPort]))

  it('has a liveness probe at a path that is served', async () => {
    const world = await openWorld({ config: { metrics_port: 0 } })
    const rest = await openRest(world)
    const figures = await openMetricsPort(world.app)
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe].flatMap((probe) => probe?.httpGet ?? [])
    expect(probes.length).toBeGreaterThan(1)
    for (const { path: probePath, port } of probes) {
      expect([probePath, ports.get(String(port))]).toEqual([probePath, port === 'http' ? world.app.config.port : 9464])
      const status =
        port === 'http'
          ? (await rest.fastify.inject({ method: 'GET', url: probePath ?? '' })).statusCode
          : (await fetch(`http://127.0.0.1:${figures?.port}${probePath}`)).status
      expect([probePath, status]).toEqual([probePath, 200])
    }
    await figures?.close()
    await rest.close()
    await world.close()
  })

  it('has time to stop, and never loses all pods at once', async () => {
    const within_ms = present(/STOP_TIMEOUT_MS = (\S+)/.exec(await readFile('serve.ts', 'utf8'))?.[1])
    const slept_s = Number(container?.lifecycle?.preStop?.exec?.command?.[1] ?? 0)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(within_ms.replace('_', '')) / 1000 + slept_s)
    expect(selector).toEqual(spec?.template.metadata?.labels)
    expect(ofKind<PodDisruptionBudget>('PodDisruptionBudget').map((one) => one.spec?.selector?.matchLabels)).toContainEqual(selector)
    const scaled = ofKind<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').find((one) => one.spec?.scaleTargetRef.name === metadata.name)
    expect(scaled?.spec?.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name })
  })

  it('is reachable on ports that it listens on', () => {
    for (const service of ofKind<Service>('Service').filter((one) => one.spec?.selector?.component === selector?.component))
      for (const { targetPort } of service.spec?.ports ?? []) expect([...ports.keys()]).toContain(targetPort)
    const policies = ofKind<NetworkPolicy>('NetworkPolicy').filter(({ spec: rule }) =>
      Object.entries(rule?.podSelector.matchLabels ?? {}).every(([key, value]) => selector?.[key] === value),
    )
    const opened = policies.flatMap(({ spec: rule }) =>
      (rule?.ingress ?? []).flatMap(({ ports: allowed = [] }) => allowed.map(({ port }) => port)),
    )
    expect(opened.sort()).toEqual([...ports.values()].sort())
  })
})

it('scales by a metric that is served, for jobs that the scaled process runs', async () => {
  const metrics = openMetrics()
  declareQueueGauges({ metrics }, { depths: async () => [] })
  const { text } = await metrics.read()
  const external = ofKind<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').flatMap(({ metadata, spec }) =>
    (spec?.metrics ?? []).flatMap(({ external: by }) => (by ? [{ of: metadata.name, by: by.metric }] : [])),
  )
  expect(external.length).toBeGreaterThan(3)
  const rule = await readFile(path.join(folder, 'prometheus-adapter.yaml'), 'utf8')
  for (const { of, by } of external) {
    expect(text).toContain(`# TYPE ${by.name} gauge`)
    expect(rule).toContain(`{ as: ${by.name} }`)
    const job = builtJobs.find((name) => name === by.selector?.matchLabels?.job_name)
    expect([of, job && jobOf(job).concurrency > 0]).toEqual([of, true])
    expect([job, job === 'report.render']).toEqual([job, of === 'weather-documents'])
  }
})

it('a pooler that is set up by the guide takes the connections of every pod, and the guide states how many there are', () => {
  const count = ofKind<HorizontalPodAutoscaler>('HorizontalPodAutoscaler').reduce((sum, { spec }) => sum + (spec?.maxReplicas ?? 0), 0)
  const pool = Number(
    readConfig({ DATABASE_URL: 'postgresql://127.0.0.1/weather', WEATHER_SECRET_KEY: randomBytes(32).toString('base64') }).database_pool,
  )
  expect(readFileSync('docs/kubernetes.md', 'utf8')).toContain(`open up to ${count * (pool + 1)} connections`)
  const [, most] = /^max_client_conn = (\d+)$/m.exec(readFileSync('docs/production.md', 'utf8')) ?? []
  expect(Number(most)).toBeGreaterThan(count * pool)
})

it('a trace collector gets pipelines made of its own parts', () => {
  const { receivers, processors, exporters, connectors, service } = parse(readFileSync('ops/otel-collector.yml', 'utf8'))
  const parts = { receivers: { ...receivers, ...connectors }, processors, exporters: { ...exporters, ...connectors } }
  const pipelines = Object.values(service.pipelines) as Record<keyof typeof parts, string[] | undefined>[]
  expect(pipelines.length).toBeGreaterThan(0)
  for (const kind of ['receivers', 'processors', 'exporters'] as const) {
    const used = pipelines.flatMap((pipeline) => pipeline[kind] ?? [])
    expect([...new Set(used)].sort()).toEqual(Object.keys(parts[kind]).sort())
  }
})
