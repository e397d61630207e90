import type { ReactNode } from 'react'
import { layers } from '#vocabulary'
import { elements, imageries, type Layout, type MapLayer, mapExtras, move, type Section, sections, toggle } from './layout.ts'

interface Props {
  layout: Layout
  change: (layout: Layout) => void
}

/** The sections of the document, their order, and their contents. */
export function LayoutFields({ layout, change }: Props) {
  const { map } = layout
  return (
    <div className="layout-fields">
      <SectionList layout={layout} change={change} />
      {layout.sections.includes('map') && map && (
        <CheckboxGroup
          legend="On the map"
          of={mapLayers}
          chosen={map.layers}
          change={(name, on) => change({ ...layout, map: { ...map, layers: toggle(map.layers, name, on) } })}
        />
      )}
      {layout.sections.includes('imagery') && (
        <CheckboxGroup
          legend="Imagery"
          hint="If the service has no imagery provider, or no picture of the place, the document says so."
          of={imageries}
          chosen={layout.imagery}
          change={(name, on) => change({ ...layout, imagery: toggle(layout.imagery, name, on) })}
        />
      )}
      <CheckboxGroup
        legend="Also include"
        of={elements}
        chosen={layout.elements}
        change={(name, on) => change({ ...layout, elements: toggle(layout.elements, name, on) })}
      />
    </div>
  )
}

const { tornado_paths: _, ...otherLayers } = layers
const mapLayers = {
  ...(Object.fromEntries(Object.entries(otherLayers).map(([name, { label }]) => [name, label])) as Record<
    keyof typeof otherLayers,
    string
  >),
  ...mapExtras,
} satisfies Partial<Record<MapLayer, string>>

function SectionList({ layout, change }: Props) {
  const chosen = layout.sections
  const others = (Object.keys(sections) as Section[]).filter((section) => !chosen.includes(section))
  const toggleSection = (section: Section, on: boolean) => {
    const imagery = on && section === 'imagery' && layout.imagery.length === 0 ? (['aerial', 'street_view'] as const) : layout.imagery
    change({ ...layout, imagery: [...imagery], sections: toggle(chosen, section, on) })
  }
  return (
    <fieldset className="bare">
      <legend>Sections in order</legend>
      <ul className="plain sections">
        {[...chosen, ...others].map((section) => {
          const at = chosen.indexOf(section)
          return (
            <li key={section}>
              <label>
                <input type="checkbox" checked={at >= 0} onChange={(event) => toggleSection(section, event.target.checked)} />{' '}
                {sections[section]}
              </label>
              {at >= 0 && (
                <span>
                  <MoveButton
                    name={`Move ${sections[section]} up`}
                    idle={at === 0}
                    press={() => change({ ...layout, sections: move(chosen, section, -1) })}
                  >
                    ↑
                  </MoveButton>
                  <MoveButton
                    name={`Move ${sections[section]} down`}
                    idle={at === chosen.length - 1}
                    press={() => change({ ...layout, sections: move(chosen, section, 1) })}
                  >
                    ↓
                  </MoveButton>
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** Stays in place and focusable when it has nothing to do, so that the keyboard focus does not jump. */
function MoveButton({ name, idle, press, children }: { name: string; idle: boolean; press: () => void; children: ReactNode }) {
  return (
    <button className="mover" type="button" aria-label={name} aria-disabled={idle} onClick={() => !idle && press()}>
      {children}
    </button>
  )
}

interface CheckboxGroupProps<Name extends string> {
  legend: string
  hint?: string
  /** Name -> label. */
  of: Record<Name, string>
  chosen: readonly string[]
  change: (name: Name, on: boolean) => void
}

function CheckboxGroup<Name extends string>({ legend, hint, of, chosen, change }: CheckboxGroupProps<Name>) {
  return (
    <fieldset className="bare">
      <legend>{legend}</legend>
      {hint && <p className="soft small">{hint}</p>}
      <ul className="plain ticks">
        {(Object.entries(of) as [Name, string][]).map(([name, words]) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={chosen.includes(name)} onChange={(event) => change(name, event.target.checked)} /> {words}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
