import type { App } from '#domain/app.ts'
import { cellsOf } from '#domain/archive/radar/frame.ts'
import { coveredCells } from '#domain/archive/radar/frame-coverage.ts'
import { removeFrame } from '#domain/archive/radar/frames.ts'
import { present } from '#domain/kernel/present.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'

/** Frames in one step: for a large storm a frame has about two hundred blocks of about a hundred bytes. */
const FRAMES_A_STEP = 100

interface FrameRow {
  id: number
  source: string
  product: string
  valid_at: Date
  cells: number
  coverage: Buffer
  blocks: { block: number; cells: number; data: string }[]
}

/**
 * Looks for radar frames with a missing or unreadable block. Only the agency's file can restore one: repairing removes the
 * frame, so that its file counts as new.
 */
export async function checkFrames(app: Pick<App, 'pool' | 'clock'>, after: string | null, repair: boolean): Promise<CheckedStep> {
  const { rows } = await app.pool.query<FrameRow>({ name: 'frames.check', text: FRAMES, values: [after ?? 0, FRAMES_A_STEP] })
  const faults: StoredFault[] = []
  for (const row of rows.filter((one) => !isIntact(one))) {
    if (repair) await removeFrame(app, row)
    faults.push({
      kind: 'radar_frame',
      team_id: null,
      subject: `${row.source} ${row.product} ${row.valid_at.toISOString()}`,
      detail: DETAIL,
      repaired: repair,
    })
  }
  return { checked: rows.length, faults, next: rows.length === FRAMES_A_STEP ? String(present(rows.at(-1)).id) : null }
}

const DETAIL = 'This radar frame cannot be read. doctor --repair removes it, and archive import of its file restores it.'

function isIntact({ cells, coverage, blocks }: FrameRow): boolean {
  try {
    coveredCells(coverage)
    const cellCounts = blocks.map(({ block, data }) => cellsOf(block, Buffer.from(data, 'base64')).length)
    return cellCounts.every((count, at) => count === blocks[at]?.cells) && cellCounts.reduce((sum, count) => sum + count, 0) === cells
  } catch {
    return false
  }
}

const FRAMES = `
  SELECT f.id, f.source, f.product, f.valid_at, f.cells, f.coverage,
         coalesce((SELECT jsonb_agg(jsonb_build_object('block', b.block, 'cells', b.cells, 'data', encode(b.data, 'base64')))
                     FROM radar_blocks b WHERE b.frame_id = f.id), '[]') AS blocks
    FROM radar_frames f WHERE f.id > $1 ORDER BY f.id LIMIT $2`
