import { sourceOf } from '#domain/archive/sources/index.ts'
import { weatherLayers } from '#domain/weather/layers.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import { severities, severityRow } from '#domain/weather/severities.ts'
import { preliminarySources, recordSources } from '#domain/weather/sources.ts'
import { layerOf, recordTypes } from '#domain/weather/types.ts'
import { warningColours } from '#domain/weather/warning-phenomena.ts'

/** Returns the weather vocabulary as a module for the scripts of the map page and of the console: layers, severities in ascending order, radar bands, names of sources, colours of warnings. */
export function mapVocabulary(): string {
  return Object.entries({
    layers: weatherLayers,
    severityMarks: Object.fromEntries(severities.map((severity) => [severity, severityRow(severity).mark_px])),
    radarBands,
    layerOfType: Object.fromEntries(recordTypes.map((type) => [type, layerOf(type)])),
    sourceNames: Object.fromEntries(recordSources.map((source) => [source, sourceOf({ source }).label])),
    preliminarySources,
    warningColours,
  })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
