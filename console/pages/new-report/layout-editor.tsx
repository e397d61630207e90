import { Button } from '../../parts/button.tsx'
import type { Layout } from './layout.ts'
import { LayoutFields } from './layout-fields.tsx'
import { LayoutPicture } from './layout-picture.tsx'

interface Props {
  /** The default layout of the plan. */
  preset: Layout
  /** The custom layout; null for the default layout of the plan. */
  customLayout: Layout | null
  setCustomLayout: (layout: Layout | null) => void
  /** Whether the plan prints the team's logo. */
  branded: boolean
}

/** The layout of the document, beside a picture of it that changes with every choice. */
export function LayoutEditor({ preset, customLayout, setCustomLayout, branded }: Props) {
  const layout = customLayout ?? preset
  // A custom layout omits the logo unless it names it. Whether there is a logo depends on the letterhead.
  const change = (next: Layout) =>
    setCustomLayout({ ...next, elements: branded ? [...new Set([...next.elements, 'branding' as const])] : next.elements })
  return (
    <div className="layout">
      <div>
        <LayoutFields layout={layout} change={change} />
        <Button isDisabled={customLayout === null} onPress={() => setCustomLayout(null)}>
          Reset to plan default
        </Button>
      </div>
      <LayoutPicture layout={layout} branded={branded} />
    </div>
  )
}
