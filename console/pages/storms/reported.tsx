import { formatPoint } from '../../map/box.ts'
import { inches, localMoment, typeInWords } from '../../parts/format.ts'
import { Table } from '../../parts/table.tsx'

interface Report {
  at: string
  type: string
  magnitude_in: number | null
  latitude: number
  longitude: number
}

interface Props {
  /** Reports in the shown area up to the current time. */
  reports: readonly Report[]
  /** Radar cells of the current time, or of 24 hours. */
  cells: readonly { mesh_in: number }[]
  /** Whether they are the largest of 24 hours. */
  areOfHours: boolean
  /** IANA time zone of the day. */
  timezone: string
}

/** Replaces a map that cannot be drawn: shows in words what the map would show at the current time. */
export function MapInWords({ reports, cells, areOfHours, timezone }: Props) {
  const rows = reports.map((one, index) => ({ ...one, place: index })).sort((one, other) => other.at.localeCompare(one.at))
  return (
    <>
      <p className="small">
        {cells.length > 0
          ? `Radar estimates up to ${inches(Math.max(...cells.map(({ mesh_in }) => mesh_in)))} ${areOfHours ? 'in 24 hours' : 'at this time'}.`
          : 'The archive has no radar estimate for this time.'}{' '}
        {rows.length === 0 && 'The archive has no report with a point by then.'}
      </p>
      {rows.length > 0 && (
        <Table
          caption="Reported by this time, newest first"
          rows={rows}
          keyOf={({ place }) => place}
          columns={[
            { label: 'When', short: true, show: ({ at }) => localMoment(at, timezone) },
            { label: 'Type', show: ({ type }) => typeInWords(type) },
            { label: 'Size', number: true, show: ({ magnitude_in }) => inches(magnitude_in) },
            { label: 'Where', short: true, show: (one) => <span className="mono">{formatPoint(one)}</span> },
          ]}
        />
      )}
    </>
  )
}
