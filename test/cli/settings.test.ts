import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConnection } from '../../cli/settings.ts'

describe('how the command-line program finds its service', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    mkdirSync(path.join(folder, 'home'))
    mkdirSync(path.join(folder, 'config/weather'), { recursive: true })
    write('home/ready.json', { base_url: 'http://127.0.0.1:4000', token: 'wt_here', operator_key: 'wo_here' })
    write('config/weather/profiles.json', { work: { url: 'https://weather.example.com/', token: 'wt_work' } })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, value: unknown) => writeFileSync(path.join(folder, name), JSON.stringify(value), { mode: 0o600 })
  const env = (more: Record<string, string> = {}) => ({
    WEATHER_HOME: path.join(folder, 'home'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    ...more,
  })

  test('without settings it uses the service of the state folder', () => {
    expect(readConnection(env(), undefined)).toEqual({ url: 'http://127.0.0.1:4000', token: 'wt_here', operator_key: 'wo_here' })
  })

  test('a key of the local service is never sent to another address', () => {
    expect(readConnection(env({ WEATHER_URL: 'https://other.example.com' }), undefined)).toEqual({
      url: 'https://other.example.com',
      token: null,
      operator_key: null,
    })
  })

  test('WEATHER_URL is used with the keys of the profile that was saved for it', () => {
    const urlOf = (name: string) => `https://${name}.example.com`
    const tokenAt = (url: string, more = {}) => readConnection(env({ WEATHER_URL: url, ...more }), undefined).token
    expect(tokenAt(urlOf('weather'))).toBe('wt_work')
    expect(tokenAt(`${urlOf('weather')}/`)).toBe('wt_work')
    expect(tokenAt(urlOf('weather'), { WEATHER_TOKEN: 'wt_mine' })).toBe('wt_mine')
    const north = { url: urlOf('weather'), token: 'wt_north' }
    const south = { url: urlOf('weather'), token: 'wt_south' }
    write('config/weather/profiles.json', { north, south, away: { url: urlOf('away'), token: 'wt_away' } })
    expect(tokenAt(urlOf('weather'))).toBe(null)
    expect(tokenAt(urlOf('weather'), { WEATHER_PROFILE: 'south' })).toBe('wt_south')
    expect(tokenAt(urlOf('weather'), { WEATHER_PROFILE: 'away' })).toBe(null)
    write('config/weather/profiles.json', { north, default: south })
    expect(tokenAt(urlOf('weather'))).toBe('wt_south')
  })

  test('an address without http:// is named as such', () => {
    expect(() => readConnection(env({ WEATHER_URL: 'localhost:4000' }), undefined)).toThrow('WEATHER_URL is not a URL')
    write('config/weather/profiles.json', { work: { url: 'localhost:4000', token: 'wt_work' } })
    expect(() => readConnection(env(), 'work')).toThrow('has no valid url: weather login --url ADDRESS --profile work')
  })

  test('a configured key replaces the one found', () => {
    expect(readConnection(env({ WEATHER_OPERATOR_KEY: 'wo_mine' }), undefined)).toEqual({
      url: 'http://127.0.0.1:4000',
      token: 'wt_here',
      operator_key: 'wo_mine',
    })
  })

  test('the state folder may be given in a file, as for the service', () => {
    writeFileSync(path.join(folder, 'named'), `${path.join(folder, 'home')}\n`)
    const { WEATHER_HOME: _, ...unnamed } = env({ WEATHER_HOME_FILE: path.join(folder, 'named') })
    expect(readConnection(unnamed, undefined)).toMatchObject({ token: 'wt_here' })
  })

  test('a key or token may be given in a file', () => {
    writeFileSync(path.join(folder, 'key'), 'wo_of-a-file\n')
    writeFileSync(path.join(folder, 'token'), 'wt_of-a-file\n')
    const files = { WEATHER_OPERATOR_KEY_FILE: path.join(folder, 'key'), WEATHER_TOKEN_FILE: path.join(folder, 'token') }
    expect(readConnection(env(files), undefined)).toMatchObject({ token: 'wt_of-a-file', operator_key: 'wo_of-a-file' })
    expect(readConnection(env({ ...files, WEATHER_TOKEN: 'wt_mine' }), undefined)).toMatchObject({ token: 'wt_mine' })
    expect(() => readConnection(env({ WEATHER_TOKEN_FILE: path.join(folder, 'none') }), undefined)).toThrow(
      `WEATHER_TOKEN_FILE: ${path.join(folder, 'none')} cannot be read: there is no such file.`,
    )
  })

  test('a profile is chosen by setting or option, and its address loses the last slash', () => {
    const work = { url: 'https://weather.example.com', token: 'wt_work', operator_key: null }
    expect(readConnection(env({ WEATHER_PROFILE: 'work' }), undefined)).toEqual(work)
    expect(readConnection(env({ WEATHER_URL: 'https://other.example.com' }), 'work')).toEqual(work)
  })

  test('profiles that other users can read are refused', () => {
    chmodSync(path.join(folder, 'config/weather/profiles.json'), 0o644)
    expect(() => readConnection(env(), 'work')).toThrow(/chmod 600/)
  })

  test('a missing profile or file is named', () => {
    expect(() => readConnection(env(), 'home')).toThrow('There is no profile "home" in')
    expect(() => readConnection(env({ WEATHER_URL: 'nowhere' }), undefined)).toThrow('WEATHER_URL is not a URL')
    expect(() => readConnection(env({ WEATHER_HOME: folder }), undefined)).toThrow('No service found')
    write('config/weather/profiles.json', { work: { token: 'wt_work' }, default: { url: 'nowhere' } })
    expect(() => readConnection(env(), 'work')).toThrow(
      `The profile "work" in ${path.join(folder, 'config/weather/profiles.json')} has no valid url`,
    )
    expect(() => readConnection(env({ WEATHER_HOME: folder }), undefined)).toThrow('The profile "default" in')
    write('home/ready.json', { token: 'wt_here' })
    expect(() => readConnection(env(), undefined)).toThrow(`${path.join(folder, 'home/ready.json')} has no valid base_url`)
  })
})
