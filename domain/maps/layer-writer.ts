import type { PbfWriter } from 'pbf'
import { EXTENT } from '#domain/maps/mercator.ts'

// Writes the parts of a layer of the vector tile format (Mapbox Vector Tile specification 2.1) without an object for each feature.

/** Field numbers of the format. */
export const LAYER = 3
export const layerField = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const
export const featureField = { id: 1, tags: 2, type: 3, geometry: 4 } as const
const valueField = { text: 1, double: 3, whole: 5 } as const
const SPECIFICATION = 2

/** The attributes that a feature may have, with their index in the layer's keys. */
export const tag = { id: 0, type: 1, family: 2, severity: 3, date: 4, value: 5, source: 6, evidence_kind: 7 } as const

/** Values of a layer, with the index of each. */
export type Values = Map<string | number, number>

/** Begins a layer whose features have the attributes above. */
export function writeHead(to: PbfWriter, name: string): void {
  to.writeVarintField(layerField.version, SPECIFICATION)
  to.writeStringField(layerField.name, name)
  to.writeVarintField(layerField.extent, EXTENT)
  for (const key of Object.keys(tag)) to.writeStringField(layerField.key, key)
}

/** Writes a pair: the index of a key and of a value. */
export function writeTag(to: PbfWriter, key: number, values: Values, value: string | number): void {
  let number = values.get(value)
  if (number === undefined) values.set(value, (number = values.size))
  to.writeVarint(key)
  to.writeVarint(number)
}

/** Writes the values, which end a layer. */
export function writeValues(to: PbfWriter, values: Values): void {
  for (const value of values.keys()) to.writeMessage(layerField.value, writeValue, value)
}

function writeValue(value: string | number, to: PbfWriter): void {
  if (typeof value === 'string') to.writeStringField(valueField.text, value)
  else if (Number.isInteger(value)) to.writeVarintField(valueField.whole, value)
  else to.writeDoubleField(valueField.double, value)
}
