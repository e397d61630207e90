import type { Source } from '#domain/archive/sources/source.ts'

/** Maximum estimated size of hail from the national radar mosaic. */
export const mesh = {
  id: 'noaa_mesh',
  slug: 'mesh',
  label: 'NOAA MRMS maximum estimated size of hail',
  lane: 'surfaces',
  evidence_kind: 'radar',
  methodology:
    'MRMS maximum estimated size of hail (MESH): the severe hail index of the national radar mosaic on a grid of 0.01 degree every 2 minutes; size is estimated aloft, not measured at the ground, and is shown as delivered.',
  /** https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/20240228/ */
  cite: (record) =>
    `https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/${record.begins_at.toISOString().slice(0, 10).replaceAll('-', '')}/`,
} as const satisfies Source
