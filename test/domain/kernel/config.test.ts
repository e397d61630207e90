import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { rootCertificates } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockedPorts } from '#domain/kernel/blocked-ports.ts'
import { BadSettings, readConfig } from '#domain/kernel/config.ts'
import { misspelledSettings } from '#domain/kernel/misspelled-settings.ts'
import { settingNames, settings } from '#domain/kernel/settings.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const WITNESS = 'witness.example/w1+0123abcd+BAAA'
const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const needed = { DATABASE_URL: 'postgresql://localhost/weather', WEATHER_SECRET_KEY: KEY }

describe('the settings', () => {
  it('have defaults for all except the database and its key', () => {
    expect(readConfig(needed)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      base_url: 'http://127.0.0.1:4000',
      home: path.resolve('.weather'),
      blobs: path.resolve('.weather/blobs'),
      database_wait_ms: 15_000,
      redis_url: null,
      operator_key: null,
      sample: false,
      rate_limit_per_minute: 120,
      trust_proxy: 0,
      webhook_allowed_networks: [],
      geocoder: 'embedded',
      enrichment_url: null,
      contact: null,
      smtp_url: null,
      mapillary_token: null,
      aerial_imagery: false,
      metrics_host: '127.0.0.1',
      metrics_port: null,
      mesh_retention_days: 30,
    })
  })

  it('treat an empty value as not set', () => {
    const empty = Object.fromEntries(settingNames.filter((name) => !(name in needed)).map((name) => [name, '']))
    expect(readConfig({ ...needed, ...empty })).toEqual(readConfig(needed))
  })

  it('use the host and port in every link, unless BASE_URL is set', () => {
    expect(readConfig({ ...needed, HOST: '::1', PORT: '8080' }).base_url).toBe('http://[::1]:8080')
    expect(readConfig({ ...needed, BASE_URL: 'https://weather.example/', PORT: '6000' }).base_url).toBe('https://weather.example')
  })

  it('refuse the ports that fetch refuses', async () => {
    const { badPorts } = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js')
    expect([...blockedPorts]).toEqual(badPorts.map(Number))
  })

  it.each([
    ['DATABASE_URL', undefined, 'is required'],
    ['DATABASE_URL', 'mysql://localhost/weather', 'must be a URL beginning with postgresql://'],
    ['WEATHER_SECRET_KEY', undefined, 'is required with DATABASE_URL'],
    ['WEATHER_SECRET_KEY', 'c2hvcnQ=', 'must be 32 bytes in base64'],
    ['WEATHER_OPERATOR_KEY', 'letmein', 'must be wo_'],
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PORT', '70000', 'must be at most 65535'],
    ['PORT', '6000', 'is a port that browsers and other clients refuse to connect to'],
    ['BASE_URL', 'http://weather.example:6667', 'has a port that browsers and other clients refuse to connect to'],
    ['BASE_URL', 'weather.example', 'must be a URL'],
    ['REDIS_URL', 'localhost:6379', 'must be a URL beginning with redis://'],
    ['REDIS_URL', 'redis+sentinel://a:1,b:2', 'must be a URL beginning with redis://'],
    ['REDIS_URL', 'redis+sentinel://a:1,b:99999/weather', 'must be a URL beginning with redis://'],
    ['REDIS_URL', 'redis://a:1,b:2', 'must be a URL beginning with redis://'],
    ['REDIS_URL', 'redis://:50%@redis', 'must be a URL beginning with redis://'],
    ['REDIS_CA', '/etc/ca.pem', 'must be certificates in PEM'],
    ['WEATHER_SIGNING_KEY', 'letmein', 'must be an Ed25519 private key'],
    ['WEATHER_SIGNING_KEY', RSA_KEY, 'must be an Ed25519 private key'],
    ['LOG_WITNESSES', WITNESS, 'must be verifier keys and addresses of witnesses'],
    ['LOG_WITNESSES', `${WITNESS} ftp://w.example`, 'must be verifier keys and addresses of witnesses'],
    ['LOG_WITNESSES', `${WITNESS} https://w.example https://more.example`, 'must be verifier keys and addresses of witnesses'],
    ['LOG_WITNESSES', Array(9).fill(`${WITNESS} https://w.example`).join(), 'must be verifier keys and addresses of witnesses'],
    ['GEOCODER', 'google', 'must be embedded, census, nominatim or pelias'],
    ['DATABASE_POOL', '3', 'must be at least 4: detection and a backfill use three connections'],
    ['DATABASE_WAIT_MS', '999', 'must be at least 1000'],
    ['RATE_LIMIT_PER_MINUTE', '0', 'must be at least 1'],
    ['TRUST_PROXY', '-1', 'must be at least 0'],
    ['WEATHER_CONTACT', 'nobody', 'must be an e-mail address'],
    ['WEATHER_SAMPLE', 'yes', 'must be 1 or 0'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8, 192.168.1.1', 'must be networks such as 10.0.0.0/8'],
    ['MESH_RETENTION_DAYS', '0.5', 'must be a whole number'],
  ])('refuse %s = %s by name', (name, value, reason) => {
    const faults = faultsOf({ ...needed, [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`${name} ${reason}`)
  })

  it.each([
    ['gs://documents', 'must be a folder, or s3://BUCKET/PREFIX'],
    ['s3://Documents_1', 'must be a folder, or s3://BUCKET/PREFIX'],
    ['s3://key:s3cret@documents?region=us-east-1', 'must hold no key'],
    ['s3://documents', 'must name the region of its bucket'],
    ['s3://documents?region=us-east-1&endpoint=s3cret', ': endpoint must be an address'],
    ['s3://documents?region=us-east-1&encryption=rot13', ': encryption must be AES256 or aws:kms'],
    ['s3://documents?region=us-east-1&downloads=away', ': downloads must be stream or redirect'],
    ['s3://documents?region=us-east-1&kms_key=1', ': kms_key is for encryption=aws:kms'],
    ['s3://documents?region=us-east-1&constructor=s3cret', 'may have the options endpoint, region'],
  ])('refuse WEATHER_BLOBS = %s without repeating it', (address, reason) => {
    const faults = faultsOf({ ...needed, WEATHER_BLOBS: address })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`WEATHER_BLOBS ${reason}`)
    expect(faults[0]).not.toContain('s3cret')
  })

  it('accept a bucket instead of the folder, with its key or the role of the machine', () => {
    const address = 's3://documents/a/b/?endpoint=http://minio:9000/&encryption=AES256'
    const bucket = {
      bucket: 'documents',
      prefix: 'a/b/',
      endpoint: 'http://minio:9000',
      path_style: true,
      encryption: 'AES256',
      kms_key: null,
      downloads: 'stream',
    }
    expect(readConfig({ ...needed, WEATHER_BLOBS: address }).bucket).toEqual({ ...bucket, region: 'us-east-1', credentials: null })
    const keys = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
    expect(readConfig({ ...needed, ...keys, WEATHER_BLOBS: 's3://documents' }).bucket).toMatchObject({
      prefix: '',
      endpoint: null,
      path_style: false,
      region: 'eu-west-1',
      credentials: { access_key: 'id', secret_key: 'secret', session_token: 'token' },
    })
    expect(faultsOf({ ...needed, WEATHER_BLOBS: address, AWS_ACCESS_KEY_ID: 'id' })).toEqual([
      'AWS_SECRET_ACCESS_KEY is required with AWS_ACCESS_KEY_ID',
    ])
    expect(readConfig(needed).bucket).toBeNull()
  })

  it('accept the signing key as PEM and as base64, and the witnesses of the log', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const text of [pem, pem.replace(/-.*-|\n/g, '')])
      expect(readConfig({ ...needed, WEATHER_SIGNING_KEY: text }).signing_key?.equals(privateKey)).toBe(true)
    const LOG_WITNESSES = `${WITNESS} https://w.example/, other.example+89abcdef+AQID  http://127.0.0.1:4001/log`
    expect(readConfig({ ...needed, LOG_WITNESSES }).log_witnesses).toEqual([
      { verifier_key: WITNESS, url: 'https://w.example' },
      { verifier_key: 'other.example+89abcdef+AQID', url: 'http://127.0.0.1:4001/log' },
    ])
  })

  it('refuse origins and domains that are anything else', () => {
    const basemap = { BASEMAP_STYLE_URL: 'https://tiles.example/style.json' }
    for (const BASEMAP_ORIGINS of ['https://a.example/path', "https://a.example 'unsafe-inline'", 'a.example', 'data:'])
      expect(faultsOf({ ...needed, ...basemap, BASEMAP_ORIGINS })).toEqual([
        'BASEMAP_ORIGINS must be origins such as https://tiles.example.com, separated by commas',
      ])
    expect(readConfig({ ...needed, ...basemap, BASEMAP_ORIGINS: 'https://a.example, http://b.example:8080' }).basemap_origins).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ])
    const company = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' }
    expect(faultsOf({ ...needed, ...company, OIDC_DOMAINS: 'example.com, example' })).toEqual([
      'OIDC_DOMAINS must be domains such as example.com, separated by commas',
    ])
    expect(faultsOf({ ...needed, OIDC_ISSUER: 'https://id.example.com' })).toEqual(
      ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_DOMAINS'].map((name) => `${name} is required with OIDC_ISSUER`),
    )
  })

  it('refuse an authority for a Redis without TLS, to which it would mean nothing', () => {
    const REDIS_CA = rootCertificates[0]
    const fault = 'REDIS_CA needs a REDIS_URL with TLS: rediss:// or rediss+sentinel://'
    expect(faultsOf({ ...needed, REDIS_CA })).toEqual([fault])
    expect(faultsOf({ ...needed, REDIS_CA, REDIS_URL: 'redis://redis:6379' })).toEqual([fault])
    expect(readConfig({ ...needed, REDIS_CA, REDIS_URL: 'rediss://redis:6379' }).redis_ca).toBe(REDIS_CA)
  })

  it('refuse what has no effect without another setting, naming both', () => {
    const ISSUER = 'OIDC_ISSUER, and has no effect without it'
    const alone: [settings: Record<string, string>, faults: string[]][] = [
      [
        { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret', OIDC_DOMAINS: 'example.com', OIDC_TEAM_CLAIM: 'teams', OIDC_ISSUER: '' },
        ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_DOMAINS', 'OIDC_TEAM_CLAIM'].map((name) => `${name} needs ${ISSUER}`),
      ],
      [{ OIDC_ROLE: 'analyst' }, ['OIDC_ROLE needs OIDC_TEAM_CLAIM, and has no effect without it']],
      [{ GEOCODER_URL: 'https://pelias.example.com' }, ['GEOCODER_URL needs a GEOCODER with an address: census, nominatim or pelias']],
      [
        { GEOCODER_URL: 'https://pelias.example.com', GEOCODER: 'embedded' },
        ['GEOCODER_URL needs a GEOCODER with an address: census, nominatim or pelias'],
      ],
      [{ ENRICHMENT_TOKEN: 'token' }, ['ENRICHMENT_TOKEN needs ENRICHMENT_URL, and has no effect without it']],
      [{ REDIS_PASSWORD: 'secret' }, ['REDIS_PASSWORD needs REDIS_URL, and has no effect without it']],
      [
        { REDIS_SENTINEL_PASSWORD: 'secret', REDIS_URL: 'redis://redis:6379' },
        ['REDIS_SENTINEL_PASSWORD needs a REDIS_URL with sentinels: redis+sentinel:// or rediss+sentinel://'],
      ],
      [{ DATABASE_MIGRATE_PASSWORD: 'secret' }, ['DATABASE_MIGRATE_PASSWORD needs DATABASE_MIGRATE_URL, and has no effect without it']],
      [
        { WEATHER_CERTIFICATE_PASSWORD: 'secret' },
        ['WEATHER_CERTIFICATE_PASSWORD needs WEATHER_CERTIFICATE, and has no effect without it'],
      ],
      [{ BASEMAP_ORIGINS: 'https://a.example' }, ['BASEMAP_ORIGINS needs BASEMAP_STYLE_URL, and has no effect without it']],
      [{ METRICS_HOST: '0.0.0.0' }, ['METRICS_HOST needs METRICS_PORT, and has no effect without it']],
      [
        { BROWSER_SANDBOX: 'on', BROWSER_WS: 'ws://browser:9222' },
        ['BROWSER_SANDBOX on cannot be ensured with BROWSER_WS: the remote browser is confined where it runs'],
      ],
      [
        { WEATHER_BLOBS: 's3://documents?region=us-east-1', AWS_SESSION_TOKEN: 'token' },
        ['AWS_ACCESS_KEY_ID is required with AWS_SESSION_TOKEN'],
      ],
    ]
    for (const [given, faults] of alone) expect(faultsOf({ ...needed, ...given })).toEqual(faults)
    // What cannot be used is reported once.
    expect(faultsOf({ ...needed, GEOCODER: 'google', GEOCODER_URL: 'https://pelias.example.com' })).toEqual([
      'GEOCODER must be embedded, census, nominatim or pelias',
    ])
    const together = {
      REDIS_URL: 'rediss+sentinel://a,b/weather',
      REDIS_PASSWORD: 'secret',
      REDIS_SENTINEL_PASSWORD: 'secret',
      GEOCODER: 'pelias',
      GEOCODER_URL: 'https://pelias.example.com',
      ENRICHMENT_URL: 'https://records.example.com',
      ENRICHMENT_TOKEN: 'token',
      METRICS_PORT: '0',
      METRICS_HOST: '0.0.0.0',
    }
    expect(readConfig({ ...needed, ...together })).toMatchObject({ redis_sentinel_password: 'secret', metrics_host: '0.0.0.0' })
  })

  it('refuse to move documents to where they are', () => {
    const bucket = 's3://documents/install-1?region=us-east-1'
    const moves = (WEATHER_BLOBS: string, WEATHER_BLOBS_ALSO: string) => ({ ...needed, WEATHER_BLOBS, WEATHER_BLOBS_ALSO })
    for (const same of [moves('/srv/blobs', '/srv/blobs/'), moves(bucket, `${bucket}&encryption=AES256`)])
      expect(faultsOf(same)).toEqual(['WEATHER_BLOBS_ALSO must name another store than WEATHER_BLOBS'])
    expect(readConfig(moves(bucket, 's3://documents/install-2?region=us-east-1')).blobs_also).toMatchObject({ prefix: 'install-2/' })
    expect(readConfig(moves(bucket, '/srv/blobs')).blobs_also).toBe('/srv/blobs')
  })

  it('allow what other programs read too, and what the container layouts set for every process', () => {
    const others = { AWS_ACCESS_KEY_ID: 'key', AWS_REGION: 'us-east-1', OTEL_SERVICE_NAME: 'machine', OTEL_TRACES_SAMPLER: 'always_off' }
    const layout = { BROWSER_MEMORY_MB: '1536', BROWSER_SANDBOX: 'auto', PUPPETEER_EXECUTABLE_PATH: '/usr/bin/chromium' }
    expect(readConfig({ ...needed, ...others, ...layout, BROWSER_WS: 'ws://browser:9222' })).toMatchObject({ traces: null, bucket: null })
    const foreign = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray', OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://agent' }
    expect(readConfig({ ...needed, ...foreign }).traces).toBeNull()
    expect(faultsOf({ ...needed, ...foreign, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toHaveLength(3)
    expect(readConfig({ ...needed, BROWSER_SANDBOX: 'on' }).browser_sandbox).toBe('on')
  })

  it('put the password of the database into the address of a socket too', () => {
    const DATABASE_PASSWORD = 'a+b c%/@é'
    const passwordOf = (DATABASE_URL: string) =>
      new pg.Client({ connectionString: readConfig({ ...needed, DATABASE_URL, DATABASE_PASSWORD }).database_url }).password
    for (const address of [
      'postgresql://weather@database/weather',
      'postgresql://weather:old@database/weather?password=older',
      'postgresql:///weather?host=/var/run/postgresql&user=weather',
      'postgresql://weather@%2Fvar%2Frun%2Fpostgresql/weather',
    ])
      expect([address, passwordOf(address)]).toEqual([address, DATABASE_PASSWORD])
    const { database_url } = readConfig({ ...needed, DATABASE_PASSWORD, DATABASE_URL: 'postgresql:///weather?host=/var/run/postgresql' })
    expect(new pg.Client({ connectionString: database_url })).toMatchObject({ host: '/var/run/postgresql', database: 'weather' })
  })

  it('report every fault at once', () => {
    expect(faultsOf({ PORT: 'x', GEOCODER: 'y' }).map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'WEATHER_SECRET_KEY',
      'GEOCODER',
    ])
  })
})

describe('a setting in a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-settings-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const fileOf = (name: string, text: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  }

  it('is read for every setting, without the final newline', () => {
    const written = {
      DATABASE_URL: 'postgresql://weather@database/weather',
      DATABASE_PASSWORD: 'a/b @',
      REDIS_URL: 'redis://redis:6379',
      REDIS_PASSWORD: "it's",
      WEATHER_SECRET_KEY: KEY,
      WEATHER_OPERATOR_KEY: `wo_${'k'.repeat(20)}`,
      WEATHER_CERTIFICATE: '/etc/weather.p12',
      WEATHER_CERTIFICATE_PASSWORD: 'two\nlines ',
      ENRICHMENT_URL: 'https://records.example.com',
      ENRICHMENT_TOKEN: 'enrich',
      MAPILLARY_TOKEN: 'street',
      SMTP_URL: 'smtp://user:password@mail',
      PORT: '8080',
    }
    const files = Object.entries(written).map(([name, text]) => [`${name}_FILE`, fileOf(name, `${text}\n`)])
    expect(readConfig(Object.fromEntries(files))).toMatchObject({
      database_url: 'postgresql://weather:a%2Fb%20%40@database/weather',
      database_migrate_url: 'postgresql://weather:a%2Fb%20%40@database/weather',
      redis_url: "redis://:it's@redis:6379",
      secret_keys: readConfig(needed).secret_keys,
      operator_key: `wo_${'k'.repeat(20)}`,
      certificate_password: 'two\nlines ',
      enrichment_token: 'enrich',
      mapillary_token: 'street',
      smtp_url: 'smtp://user:password@mail',
      port: 8080,
    })
  })

  it('is not set if the file is empty', () => {
    expect(readConfig({ ...needed, SMTP_URL_FILE: fileOf('empty', '\n'), MAPILLARY_TOKEN: '' })).toEqual(readConfig(needed))
  })

  it('is refused by name and without its value if it is set twice or the file cannot be read', () => {
    const secret = fileOf('secret', 'do-not-print')
    expect(faultsOf({ ...needed, MAPILLARY_TOKEN: 'do-not-print', MAPILLARY_TOKEN_FILE: secret })).toEqual([
      'MAPILLARY_TOKEN and MAPILLARY_TOKEN_FILE are both set: keep one of them',
    ])
    expect(faultsOf({ DATABASE_URL_FILE: '/no/such', WEATHER_SECRET_KEY_FILE: folder, WEATHER_OPERATOR_KEY_FILE: secret })).toEqual([
      'DATABASE_URL_FILE /no/such cannot be read: there is no such file',
      `WEATHER_SECRET_KEY_FILE ${folder} cannot be read: it is a folder`,
      'WEATHER_OPERATOR_KEY must be wo_ and at least 20 letters or digits',
    ])
  })
})

describe('the basemap of the map page', () => {
  it('can be a file, an archive on a web server, or tiles', () => {
    const basemapOf = (BASEMAP?: string) => readConfig({ ...needed, BASEMAP }).basemap
    expect(basemapOf()).toBe(null)
    expect(basemapOf('maps/us.pmtiles')).toEqual({ kind: 'file', path: path.resolve('maps/us.pmtiles') })
    expect(basemapOf('https://maps.example.com/us.pmtiles')).toEqual({ kind: 'archive', url: 'https://maps.example.com/us.pmtiles' })
    const url = 'https://maps.example.com:8443/t/{z}/{x}/{y}.mvt?key=1'
    expect(basemapOf(url)).toEqual({ kind: 'tiles', url, origin: 'https://maps.example.com:8443' })
  })

  it('is refused by name if it is none of these', () => {
    for (const BASEMAP of [
      'https://maps.example.com/style.json',
      'https://maps.example.com/{z}/{x}.mvt',
      'ftp://a/us.pmtiles',
      'https://me:secret@a/us.pmtiles',
    ])
      expect(faultsOf({ ...needed, BASEMAP })).toEqual([expect.stringMatching(/^BASEMAP must be the path of a PMTiles file, /)])
  })
})

describe('every setting', () => {
  it('is in docs/settings.md', async () => {
    const table = await readFile('docs/settings.md', 'utf8')
    const named = new Set(
      [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, names]) => [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)),
    )
    expect(settingNames.filter((name) => !named.has(name))).toEqual([])
  })

  it('is the only one there, with the default that it states', async () => {
    const rows = [...(await readFile('docs/settings.md', 'utf8')).matchAll(/^\| (`[A-Z].+?) \| (.+) \| (.+) \|$/gm)]
    const ofOthers = /^(of the terminal program|of the tests)/
    const stated = rows.flatMap(([, names = '', meaning = '', fallback = '']) =>
      ofOthers.test(meaning)
        ? []
        : [...names.matchAll(/`(\w+)`/g)].map(([, name = ''], at) => ({ name, fallback: fallback.split(', ')[at] })),
    )
    expect(stated.map(({ name }) => name).sort()).toEqual(settingNames.toSorted())
    const defaults: Record<string, unknown> = settings.parse(needed)
    // The docs state empty lists and disabled flags in words.
    const numbers = stated.filter(
      ({ name }) => typeof defaults[name] === 'number' || (typeof defaults[name] === 'string' && !(name in needed)),
    )
    expect(numbers.map(({ name, fallback = '' }) => [name, /^[\w./-]+/.exec(fallback.replaceAll('`', ''))?.[0]])).toEqual(
      numbers.map(({ name }) => [name, String(defaults[name])]),
    )
    expect(numbers.length).toBeGreaterThan(20)
  })

  it('reaches the containers, from .env or set by docker-compose.yml or the image', async () => {
    const compose = await readFile('docker-compose.yml', 'utf8')
    const passed = new Set([...compose.matchAll(/^ {4,6}([A-Z_]+?)(?:_FILE)?: /gm)].map(([, name]) => name))
    const image = [...(await readFile('Dockerfile', 'utf8')).matchAll(/^ENV (.+)$/gm)].map(([, names]) => names).join(' ')
    // The published port range ends at the default port.
    const imageSettings = new Set(['PORT', ...[...image.matchAll(/(\w+)=/g)].map(([, name]) => name)])
    expect(settingNames.filter((name) => !passed.has(name) && !imageSettings.has(name))).toEqual([])
  })
})

function faultsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
  } catch (fault) {
    if (fault instanceof BadSettings) return fault.faults
    throw fault
  }
  throw new Error('the settings were taken')
}

it('reports a name that is almost a setting, and no name of another program', () => {
  const env = {
    RATE_LIMIT_PER_MINUT: '5',
    METRIC_PORT: '9464',
    WEATHER_SECRET_KEYS_FILE: '/run/secrets/key',
    OBSERVATIONS_YEAR: '',
    REDIS_URL: 'redis://redis',
    REDIS_PASSWORD_FILE: '/run/secrets/redis',
    WEATHER_URL: 'http://127.0.0.1:4000',
    WEATHER_TOKEN: 'wt_1',
    WEATHER_PROFILE: 'desk',
    WEATHER_API_SERVICE_PORT: '4000',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318',
    AWS_DEFAULT_REGION: 'us-east-1',
    BROWSER: 'firefox',
    HOSTNAME: 'api-1',
  }
  expect(misspelledSettings(env)).toEqual([
    { name: 'RATE_LIMIT_PER_MINUT', like: 'RATE_LIMIT_PER_MINUTE' },
    { name: 'METRIC_PORT', like: 'METRICS_PORT' },
    { name: 'WEATHER_SECRET_KEYS_FILE', like: 'WEATHER_SECRET_KEY' },
  ])
})
