import { beforeAll, expect, it } from 'vitest'
import { exportsByName } from '#domain/exports/exports.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let weather: Terminal
beforeAll(async () => {
  weather = await openTerminal({ WEATHER_URL: 'http://127.0.0.1:1', WEATHER_TOKEN: 'wt_any', WEATHER_OPERATOR_KEY: 'wo_any' })
})

it.each([
  ['listen --port 99999', "'--port <number>'", 'It must be a whole number from 0 to 65535.'],
  ['exposures watch --every 0', "'--every <seconds>'", 'It must be more than 0.'],
  ['log watch --every -5', "'--every <seconds>'", 'It must be more than 0.'],
  ['admin credits top-up --team ID --amount 1.5', "'--amount <number>'", 'It must be a whole number.'],
  ['admin credits adjust --team ID --amount ten --note why', "'--amount <number>'", 'It must be a whole number.'],
  ['tiles get a 14 25', 'A tile', 'three whole numbers: zoom, column and row.'],
  ['tiles get 6 14 2.5', 'A tile', 'three whole numbers: zoom, column and row.'],
  ['archive sync radar --year 2024', "'source'", 'Allowed choices are storm-events, zones, mesh.'],
  ['export everything', "'name'", `Allowed choices are ${Object.keys(exportsByName).join(', ')}.`],
  ['territories quote --name Moore', 'Name an area', '--geojson, --address, --latitude and --longitude, or --place.'],
  ['territories add --name Moore --radius-miles 5', 'Name an area', '--geojson, --address, --latitude and --longitude, or --place.'],
  ['admin team create --name A --plan business --trial', "'--trial'", "cannot be used with option '--plan <tier>'"],
  ['admin token issue --team ID --name A --ability maps:read --all-abilities', "'--all-abilities'", "with option '--ability <ability>'"],
  ['admin audit --all --page 2', "'--all'", "cannot be used with option '--page <number>'"],
  ['properties list --per-page 5 --all', "'--all'", "cannot be used with option '--per-page <number>'"],
  ['properties list --json --output csv', '--json', 'leave it out, or --output csv.'],
  ['verify report.pdf --service https://weather.example.com --offline', "'--offline'", "with option '--service <address>'"],
  ['reports pdf ID --link --out a.pdf', "'--link'", "cannot be used with option '--out <file>'"],
  ['storms show 2025-05-28 --out a.csv --page 2', "'--out <file>'", "cannot be used with option '--page <number>'"],
  ['alerts edit ID --pause --resume', "'--pause'", "cannot be used with option '--resume'"],
  ['archive sync zones --year 2024', '--year', 'do not apply to zones.'],
  ['exposures dismiss --open true --page 2', 'unknown option', "'--page'"],
  ['credits --kind spend', '--kind', 'of the ledger: add --transactions.'],
  ['reports create --idempotency-key ключ', "'--idempotency-key <key>'", 'It must have 1 to 255 visible ASCII characters.'],
  ['properties import book.csv --idempotency-key=', "'--idempotency-key <key>'", 'It must have 1 to 255 visible ASCII characters.'],
  ['log watch --service localhost:4000', '--service', 'must be an address such as https://weather.example.com'],
  ['verify package.json --service localhost:4000', '--service', 'must be an address such as https://weather.example.com'],
  ['login --url localhost:4000', 'Name a service', '--url https://weather.example.com'],
  ['exposures dismiss 12 --open true', 'Select exposures', 'by their ids, or by filters or --all: not both.'],
])('weather %s names the fault, and sends no request', async (line, what, message) => {
  const { status, stdout, stderr } = await weather(...line.split(' '))
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(what)
  expect(stderr).toContain(message)
})

it.each(['verify', 'admin person operator', 'operator keys issue', 'territories add'])(
  'the help of weather %s shows no value in code notation',
  async (line) => {
    const { status, stdout } = await weather(...line.split(' '), '--help')
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/[[{]\W*[\]}]/)
  },
)

it.each(['WEATHER_TOKEN', 'WEATHER_OPERATOR_KEY'])('a %s that does not fit a header is named as such', async (name) => {
  const noun = name === 'WEATHER_TOKEN' ? 'token' : 'operator key'
  const words = name === 'WEATHER_TOKEN' ? ['whoami'] : ['archive', 'status']
  for (const key of ['wt_\u0142', 'wt_a\nb', 'wt_a b'])
    expect(await (await openTerminal({ WEATHER_URL: 'http://127.0.0.1:1', [name]: key }))(...words)).toEqual({
      status: 4,
      stdout: '',
      stderr: `weather: The ${noun} has characters that no ${noun} has, such as spaces or line breaks: copy it again.\n`,
    })
})
