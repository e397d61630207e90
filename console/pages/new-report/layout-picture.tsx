import type { ReactNode } from 'react'
import { type Layer, layers } from '#vocabulary'
import { type Block, type BlockKind, blocksOf, type Layout, SHEET, sheetsOf } from './layout.ts'

const CONTENT_WIDTH = SHEET.width - 2 * SHEET.margin
/** From the top of a part to the content below its heading. */
const HEADING_HEIGHT = 14

/** A small picture of the document: the parts of each sheet, in layout order. Its figures are not from a report. */
export function LayoutPicture({ layout, branded }: { layout: Layout; branded: boolean }) {
  const blocks = blocksOf(layout)
  const headings = blocks.flatMap(({ heading }) => heading || [])
  const sheets = sheetsOf(blocks)
  return (
    <figure className="sheets">
      <div role="img" aria-label={`The document: cover, ${headings.join(', ')}`}>
        {sheets.map((sheet) => (
          <svg key={sheet[0]?.heading} className="sheet" viewBox={`0 0 ${SHEET.width} ${SHEET.height}`} aria-hidden>
            <rect className="paper" width={SHEET.width} height={SHEET.height} />
            {sheet.map((block) => (
              <g key={block.heading} transform={`translate(${SHEET.margin} ${block.top})`}>
                {block.heading && <text y="8">{block.heading}</text>}
                {block.heading && <path className="rule" d={`M0 11.5H${CONTENT_WIDTH}`} />}
                {draw[block.kind]({ block, layout, branded })}
              </g>
            ))}
          </svg>
        ))}
      </div>
      <figcaption className="soft small">A small preview. The length of each part depends on what is found.</figcaption>
    </figure>
  )
}

interface Drawing {
  block: Block
  layout: Layout
  branded: boolean
}

const draw: Record<BlockKind, (drawing: Drawing) => ReactNode> = {
  cover: ({ branded }) => <Cover branded={branded} />,
  figures: () =>
    [0, 49, 98, 147].map((x) => (
      <g key={x} transform={`translate(${x} 17)`}>
        <rect className="outlined" width="45" height="18" />
        <path className="strong" d="M5 7H22" />
        <path className="words" d="M5 13H38" />
      </g>
    )),
  lines: ({ block }) => <Lines from={HEADING_HEIGHT + 5} until={block.height - 6} />,
  table: ({ block }) => <Rows until={block.height - 6} />,
  map: ({ layout }) => <MapThumbnail chosen={layout.map?.layers ?? []} />,
  bars: () => <Bars />,
  records: ({ block, layout }) => <Records block={block} layout={layout} />,
  photographs: ({ layout }) =>
    layout.imagery.map((name, at) => (
      <g key={name} transform={`translate(${at * 99} 17)`}>
        <rect className="photograph" width="93" height="38" />
        <path className="hills" d="M4 34 26 14 42 28 54 19 80 34z" />
      </g>
    )),
}

/** Lines of words of uneven length. */
function Lines({ from, until }: { from: number; until: number }) {
  const count = Math.max(1, Math.floor((until - from) / 6))
  return (
    <path
      className="words"
      d={Array.from({ length: count }, (_, at) => `M0 ${from + at * 6}H${CONTENT_WIDTH - ((at * 53) % 71)}`).join('')}
    />
  )
}

function Cover({ branded }: { branded: boolean }) {
  return (
    <>
      {branded && <rect className="brand" width="34" height="9" rx="1.5" />}
      <path className="title" d={`M0 ${branded ? 19 : 8}H112`} />
      <path className="words" d={`M0 ${branded ? 28 : 18}H86M0 ${branded ? 34 : 24}H98M0 ${branded ? 40 : 30}H74`} />
      <path className="code" d="M158 2h12v12h-12zM178 2h12v12h-12zM158 22h12v12h-12zM176 20h5v5h-5zM184 28h6v6h-6z" />
      <path className="edge" d={`M0 50H${CONTENT_WIDTH}`} />
    </>
  )
}

/** The x positions at which the cells of a row begin. */
const CELLS = [0, 60, 92, 124, 160]

function Rows({ until }: { until: number }) {
  const rows = Array.from({ length: Math.max(1, Math.floor((until - HEADING_HEIGHT - 5) / 7)) }, (_, row) => HEADING_HEIGHT + 5 + row * 7)
  return <path className="words" d={rows.flatMap((y) => CELLS.map((x) => `M${x} ${y}h${x === 0 ? 46 : 22}`)).join('')} />
}

/** The positions of the marks of each layer on the small map. */
const marks: Record<Exclude<Layer, 'tornado_paths' | 'radar_hail'>, [x: number, y: number][]> = {
  hail: [
    [44, 26],
    [62, 50],
    [38, 54],
  ],
  wind: [
    [72, 22],
    [80, 52],
  ],
  tornado: [[26, 34]],
  flood: [[64, 62]],
  other: [[86, 34]],
}

function MapThumbnail({ chosen }: { chosen: readonly string[] }) {
  const shown = (Object.keys(marks) as (keyof typeof marks)[]).filter((name) => chosen.includes(name))
  return (
    <g transform="translate(0 17)">
      <rect className="ground" width="112" height="80" />
      <path className="rule" d="M0 30H112M70 0V80" />
      {chosen.includes('radar_hail') && (
        <path d="M30 14h24v8h18v18h-10v12H36V40h-6z" fill={layers.radar_hail.colour.light} opacity="0.35" />
      )}
      {chosen.includes('warnings') && <path className="warned" d="M20 8 92 18 84 70 30 62z" />}
      {chosen.includes('rings') && (
        <g className="rings">
          <circle cx="56" cy="40" r="14" />
          <circle cx="56" cy="40" r="34" />
        </g>
      )}
      {shown.flatMap((name) =>
        marks[name].map(([x, y]) => <circle key={`${x} ${y}`} cx={x} cy={y} r="3" fill={layers[name].colour.light} />),
      )}
      <path className="cross" d="M51 40H61M56 35V45" />
      {shown.map((name, at) => (
        <g key={name} transform={`translate(120 ${6 + at * 9})`}>
          <circle r="2.5" fill={layers[name].colour.light} />
          <path className="words" d="M7 0H44" />
        </g>
      ))}
    </g>
  )
}

/** Layer and height of each bar. */
const bars = [
  ['hail', 6],
  ['wind', 14],
  ['hail', 4],
  ['hail', 26],
  ['wind', 10],
  ['hail', 18],
  ['flood', 8],
  ['hail', 30],
  ['wind', 12],
] as const

function Bars() {
  return (
    <>
      {bars.map(([layer, height], at) => (
        <rect key={height} x={at * 21.5} y={50 - height} width="13" height={height} fill={layers[layer].colour.light} />
      ))}
      <path className="rule" d={`M0 50H${CONTENT_WIDTH}`} />
    </>
  )
}

/** The records that the picture shows. */
const RECORDS = 4

function Records({ block, layout }: { block: Block; layout: Layout }) {
  const step = (block.height - HEADING_HEIGHT - 4) / RECORDS
  const tops = Array.from({ length: RECORDS }, (_, at) => HEADING_HEIGHT + 5 + at * step)
  return tops.map((top) => (
    <g key={top} transform={`translate(0 ${top})`}>
      <path className="strong" d="M0 0H5M12 0H60" />
      {layout.elements.includes('evidence_badges') && <rect className="outlined" x="66" y="-3" width="24" height="6" rx="1" />}
      <path className="words" d={`M12 6H${CONTENT_WIDTH - 20}`} />
      {layout.elements.includes('narratives') && <path className="narrative" d={`M14 12H${CONTENT_WIDTH - 34}`} />}
    </g>
  ))
}
