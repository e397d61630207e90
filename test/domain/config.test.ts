import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { BadSettings, readConfig, settingNames } from '#domain/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const needed = { DATABASE_URL: 'postgresql://localhost/weather', WEATHER_SECRET_KEY: KEY }

describe('the settings', () => {
  it('have defaults for all but the database and its key', () => {
    expect(readConfig(needed)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      base_url: 'http://127.0.0.1:4000',
      home: path.resolve('.weather'),
      blobs: path.resolve('.weather/blobs'),
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

  it('take an empty value for one that is not set', () => {
    const empty = Object.fromEntries(settingNames.filter((name) => !(name in needed)).map((name) => [name, '']))
    expect(readConfig({ ...needed, ...empty })).toEqual(readConfig(needed))
  })

  it('follow the host and port into every link, but for a BASE_URL of its own', () => {
    expect(readConfig({ ...needed, HOST: '::1', PORT: '8080' }).base_url).toBe('http://[::1]:8080')
    expect(readConfig({ ...needed, BASE_URL: 'https://weather.example/' }).base_url).toBe('https://weather.example')
  })

  it.each([
    ['DATABASE_URL', undefined, 'is required'],
    ['DATABASE_URL', 'mysql://localhost/weather', 'must be a URL beginning with postgresql://'],
    ['WEATHER_SECRET_KEY', undefined, 'is required with DATABASE_URL'],
    ['WEATHER_SECRET_KEY', 'c2hvcnQ=', 'must be 32 bytes in base64'],
    ['WEATHER_OPERATOR_KEY', 'letmein', 'must be wo_'],
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PORT', '70000', 'must be at most 65535'],
    ['BASE_URL', 'weather.example', 'must be a URL'],
    ['REDIS_URL', 'localhost:6379', 'must be a URL beginning with redis://'],
    ['GEOCODER', 'google', 'must be embedded, census, nominatim or pelias'],
    ['DATABASE_POOL', '3', 'must be at least 4: detection and a back-fill hold three connections'],
    ['RATE_LIMIT_PER_MINUTE', '0', 'must be at least 1'],
    ['TRUST_PROXY', '-1', 'must be at least 0'],
    ['WEATHER_CONTACT', 'nobody', 'must be an e-mail address'],
    ['WEATHER_SAMPLE', 'yes', 'must be 1 or 0'],
    ['MESH_RETENTION_DAYS', '0.5', 'must be a whole number'],
  ])('refuse %s = %s by name', (name, value, reason) => {
    const faults = faultsOf({ ...needed, [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`${name} ${reason}`)
  })

  it('name every fault at once', () => {
    expect(faultsOf({ PORT: 'x', GEOCODER: 'y' }).map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'WEATHER_SECRET_KEY',
      'GEOCODER',
    ])
  })
})

describe('every setting', () => {
  it('stands in the README', async () => {
    const table = (await readFile('README.md', 'utf8')).split('## Settings')[1]?.split('\n## ')[0] ?? ''
    const named = new Set(
      [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, names]) => [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)),
    )
    expect(settingNames.filter((name) => !named.has(name))).toEqual([])
  })

  it('reaches the containers: from .env, or held by docker-compose.yml or the image', async () => {
    const compose = (await readFile('docker-compose.yml', 'utf8')).split('\nx-telling:')[0] ?? ''
    const passed = new Set([...compose.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name]) => name))
    const image = /^ENV (.+)$/m.exec(await readFile('Dockerfile', 'utf8'))?.[1] ?? ''
    // The range of ports that is published ends at the one that is the default.
    const held = new Set(['PORT', ...[...image.matchAll(/(\w+)=/g)].map(([, name]) => name)])
    expect(settingNames.filter((name) => !passed.has(name) && !held.has(name))).toEqual([])
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
