import {
  defaultLayout,
  type Layout as LayoutShape,
  layoutElements,
  layoutImagery,
  layoutSchema,
  layoutSections,
  mapBases,
  mapLayers,
} from '#domain/reports/layout.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'

const LayoutSection = enumOf('LayoutSection', layoutSections, 'A section of the document.')
const LayoutImagery = enumOf('LayoutImagery', layoutImagery, 'Pictures in the document.')
const LayoutElement = enumOf(
  'LayoutElement',
  layoutElements,
  "Parts within sections. `branding` is the team's name and logo, if its plan includes them: elements that are sent without it leave them out; if none are sent, they are printed.",
)
const MapBase = enumOf('MapBase', mapBases, 'Basemap.')
const MapLayer = enumOf('MapLayer', mapLayers, 'A layer on the map.')

const LayoutMap = builder.objectRef<NonNullable<LayoutShape['map']>>('LayoutMap').implement({
  description: 'The map of the document.',
  fields: (t) => ({
    base: t.expose('base', { type: MapBase, description: 'Basemap.' }),
    layers: t.expose('layers', { type: [MapLayer], description: 'Layers on the map.' }),
  }),
})

export const Layout = builder.objectRef<LayoutShape>('Layout').implement({
  description: 'Layout of the document. The cover, coverage with its limits, and verification are always printed.',
  fields: (t) => ({
    sections: t.expose('sections', { type: [LayoutSection], description: 'Sections, in order.' }),
    imagery: t.expose('imagery', { type: [LayoutImagery], description: 'Pictures.' }),
    elements: t.expose('elements', { type: [LayoutElement], description: 'Parts within sections.' }),
    map: t.expose('map', { type: LayoutMap, nullable: true, description: 'The map; null for none.' }),
  }),
})

/** An object or a list of section names, so it cannot be an input type. The domain names the faulty field. */
builder.scalarType('LayoutInput', {
  description: `A layout: {sections, imagery, elements, map: {base, layers}}, each part optional; a bare list of strings is read as the sections.`,
  serialize: () => {
    throw new Error('a layout as sent is never returned')
  },
  parseValue: (value) => value,
  extensions: { json_schema_of_input: { $ref: '#/components/schemas/LayoutInput' }, json_schemas: { LayoutInput: layoutSchema } },
})

builder.queryField('presetLayout', (t) =>
  t.field({
    type: Layout,
    subGraphs: graphOnly,
    description: 'The default layout: used for reports requested without a layout, and for every part that a given layout omits.',
    extensions: needs('reports:read'),
    resolve: (_root, _args, context) => defaultLayout(callerOf(context).plan, context.app.config),
  }),
)
