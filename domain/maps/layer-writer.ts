import type { PbfWriter } from 'pbf'
import { EXTENT } from '#domain/maps/mercator.ts'

// The parts of a layer of the vector tile format (Mapbox Vector Tile specification 2.1) that are written without an object for each feature.

/** Numbers of the format's fields. */
export const LAYER = 3
export const layerField = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const
export const featureField = { id: 1, tags: 2, type: 3, geometry: 4 } as const
const valueField = { text: 1, double: 3, whole: 5 } as const
const SPECIFICATION = 2

/** What every feature may say of itself, and its place in a layer. */
export const tag = { id: 0, type: 1, family: 2, severity: 3, date: 4, value: 5, source: 6, evidence_kind: 7 } as const

/** Values of a layer and which number each has. */
export type Values = Map<string | number, number>

/** Begins a layer whose features have the tags above. */
export function writeHead(to: PbfWriter, name: string): void {
  to.writeVarintField(layerField.version, SPECIFICATION)
  to.writeStringField(layerField.name, name)
  to.writeVarintField(layerField.extent, EXTENT)
  for (const key of Object.keys(tag)) to.writeStringField(layerField.key, key)
}

/** Writes a pair of a key's number and a value's. */
export function writeTag(to: PbfWriter, key: number, values: Values, value: string | number): void {
  let number = values.get(value)
  if (number === undefined) values.set(value, (number = values.size))
  to.writeVarint(key)
  to.writeVarint(number)
}

/** Ends a layer. */
export function writeValues(to: PbfWriter, values: Values): void {
  for (const value of values.keys()) to.writeMessage(layerField.value, writeValue, value)
}

function writeValue(value: string | number, to: PbfWriter): void {
  if (typeof value === 'string') to.writeStringField(valueField.text, value)
  else if (Number.isInteger(value)) to.writeVarintField(valueField.whole, value)
  else to.writeDoubleField(valueField.double, value)
}
