import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { lazyScript, NotLoaded, useScript } from '../../parts/script.tsx'
import { Loading } from '../../parts/states.tsx'
import type { REPORT_OPTIONS } from './ceilings.ts'
import type { Layout } from './layout.ts'

const editor = lazyScript(async () => (await import('./layout-editor.tsx')).LayoutEditor)

interface Props {
  reportOptions: ResultOf<typeof REPORT_OPTIONS>
  /** Null for the default layout of the plan. */
  customLayout: Layout | null
  setCustomLayout: (layout: Layout | null) => void
  /** Validation messages from the service about the layout. */
  faults: readonly string[]
}

/** The layout of the document. People open it to use another layout than the plan's default. */
export function LayoutChoice({ reportOptions: { team, presetLayout }, customLayout, setCustomLayout, faults }: Props) {
  const [opened, setOpened] = useState(false)
  const { part: LayoutEditor, failed, retry } = useScript(editor, opened)
  if (!team || !presetLayout) return null
  if (!team.includes.compose_layout)
    return <p className="soft small">The {team.plan.label} plan has one report layout. Higher plans let you change it.</p>
  return (
    <details className="panel" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        Layout of the document <span className="soft small">{customLayout ? 'custom' : 'plan default'}</span>
      </summary>
      {faults.length > 0 && <p className="fault small">{faults.join(' ')}</p>}
      {opened && LayoutEditor && (
        <LayoutEditor
          preset={presetLayout}
          customLayout={customLayout}
          setCustomLayout={setCustomLayout}
          branded={team.includes.report_branding}
        />
      )}
      {opened && !LayoutEditor && (failed ? <NotLoaded what="The layout" retry={retry} /> : <Loading what="the layout" />)}
    </details>
  )
}
