import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { around } from '../../map/box.ts'
import { circleArea, place, record } from '../../map/content.ts'
import { Button } from '../../parts/button.tsx'
import { copyText } from '../../parts/copy-text.ts'
import { day, distance, qualifierOf, typeInWords } from '../../parts/format.ts'
import { MapPart } from '../../parts/map.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { Empty } from '../../parts/states.tsx'
import { type Column, Pager, pageMetaOf, Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'
import {
  type CitedRecord,
  type CitedRecords,
  citationOf,
  figuresOf,
  filterAndSort,
  orders,
  type RecordFilters,
  summaryOf,
  whenOf,
} from './cited.ts'

export interface RecordsProps {
  cited: CitedRecords
  address: { query: string; latitude: number | null; longitude: number | null; precision: string | null; timezone: string | null }
  radius_miles: number
  /** The confidence of each family's finding. */
  findings: readonly { family: string; confidence: string }[]
}

const PER_PAGE = 25

const evidences = { ground: 'Seen at the ground', instrument: 'Measured by an instrument', radar: 'Estimated by radar' } as const
/** The qualifiers that the name of the evidence already states. */
const IMPLIED: Record<keyof typeof evidences, readonly string[]> = { ground: [], instrument: ['measured'], radar: ['radar_estimated'] }
const confidences = { high: 'High', medium: 'Medium', low: 'Low' } as const

/** The map and the table of the cited records. A record that is chosen in one is shown in the other. */
export function Records({ cited, address, radius_miles, findings }: RecordsProps) {
  const search = useSearch({ from: '/framed/reports/$id' })
  const navigate = useNavigate({ from: '/reports/$id' })
  const { type, source, evidence, confidence, day: date, sort } = search
  const shown = useMemo(() => {
    const confidenceOf = (family: string) => findings.find((finding) => finding.family === family)?.confidence
    return filterAndSort(cited.records, { type, source, evidence, confidence, day: date, sort }, confidenceOf)
  }, [cited, findings, type, source, evidence, confidence, date, sort])
  const at = shown.findIndex(({ id }) => id === search.record)
  // The page with the chosen record, otherwise the page in the URL.
  const page = at < 0 ? Math.min(search.page ?? 1, Math.max(Math.ceil(shown.length / PER_PAGE), 1)) : Math.floor(at / PER_PAGE) + 1
  const selectRecord = (id: number | undefined) =>
    navigate({ search: (before) => ({ ...before, record: id }), replace: true, resetScroll: false })
  const columns = useColumns(search.record, selectRecord, address)
  useEffect(() => {
    if (search.record !== undefined) document.querySelector('.records tr.at')?.scrollIntoView({ block: 'nearest' })
  }, [search.record])
  if (cited.total === 0)
    return (
      <Empty title="No record is cited">
        <p>A report without records does not show that nothing happened.</p>
      </Empty>
    )
  return (
    <section className="records">
      <h2>Cited records</h2>
      <Filters
        records={cited.records}
        choice={search}
        change={(choice) =>
          navigate({
            search: (before) => ({ ...before, ...choice, page: undefined, record: undefined }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <RecordsMap records={shown} chosen={search.record} choose={selectRecord} address={address} radius_miles={radius_miles} />
      {shown.length === 0 ? (
        <Empty heading="h3" title="No records match">
          <Button onPress={() => navigate({ search: {}, replace: true, resetScroll: false })}>Show all records</Button>
        </Empty>
      ) : (
        <PagedRecords
          shown={shown}
          page={page}
          at={at}
          columns={columns}
          go={(next) => navigate({ search: (before) => ({ ...before, page: next, record: undefined }), resetScroll: false })}
        />
      )}
    </section>
  )
}

interface PagedRecordsProps {
  shown: readonly CitedRecord[]
  page: number
  /** Index of the chosen record among all; -1 if none is chosen. */
  at: number
  columns: Column<CitedRecord>[]
  go: (page: number) => void
}

function PagedRecords({ shown, page, at, columns, go }: PagedRecordsProps) {
  const before = (page - 1) * PER_PAGE
  const rows = shown.slice(before, before + PER_PAGE)
  return (
    <>
      <Table<CitedRecord>
        caption="Records that the report cites"
        rows={rows}
        keyOf={({ id }) => id}
        currentIndex={at < 0 ? undefined : at % PER_PAGE}
        columns={columns}
      />
      <Pager meta={pageMetaOf(page, { per_page: PER_PAGE, rows: rows.length, total: shown.length })} go={go} />
    </>
  )
}

interface FiltersProps {
  records: readonly CitedRecord[]
  choice: RecordFilters
  change: (choice: RecordFilters) => void
}

function Filters({ records, choice, change }: FiltersProps) {
  const types = [...new Set(records.map(({ type }) => type))].sort()
  const sources = [...new Map(records.map(({ provenance }) => [provenance.source, provenance.source_label]))]
  const select = (key: keyof RecordFilters, label: string, all: string, options: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={choice[key] ?? ''}
      options={all ? [['', all], ...options] : options}
      change={(value) => change({ [key]: value || undefined })}
    />
  )
  return (
    <div className="filters">
      {select(
        'type',
        'Kind',
        'All kinds',
        types.map((type) => [type, typeInWords(type)] as const),
      )}
      {select('evidence', 'Evidence', 'All evidence', Object.entries(evidences))}
      {select('confidence', 'Confidence of the finding', 'Any', Object.entries(confidences))}
      {select('source', 'Source', 'All sources', sources)}
      <SelectField label="Order" value={choice.sort ?? 'newest'} options={Object.entries(orders)} change={(sort) => change({ sort })} />
      {choice.day && <Button onPress={() => change({ day: undefined })}>Only {day(choice.day)}: show all days</Button>}
    </div>
  )
}

interface RecordsMapProps extends Pick<RecordsProps, 'address' | 'radius_miles'> {
  records: readonly CitedRecord[]
  chosen: number | undefined
  choose: (id: number) => void
}

/** A map of the searched circle and the filtered records. */
function RecordsMap({ records, chosen, choose: selectRecord, address, radius_miles }: RecordsMapProps) {
  const { latitude, longitude, query } = address
  const content = useMemo(() => {
    if (latitude === null || longitude === null) return []
    const point = { latitude, longitude }
    const placed = records.flatMap((one) =>
      one.location.latitude === null || one.location.longitude === null
        ? []
        : [
            record(
              { latitude: one.location.latitude, longitude: one.location.longitude },
              one.type,
              `${day(one.occurred_on)}: ${summaryOf(one)}`,
              {
                id: one.id,
                chosen: one.id === chosen,
              },
            ),
          ],
    )
    // The chosen record is on top.
    placed.sort((one, other) => Number(one.properties.chosen) - Number(other.properties.chosen))
    return [circleArea(point, radius_miles), ...placed, place(point, query)]
  }, [latitude, longitude, records, chosen, radius_miles, query])
  if (latitude === null || longitude === null) return null
  return (
    <MapPart
      label="Map of the cited records"
      view={around({ latitude, longitude }, radius_miles)}
      content={content}
      choose={selectRecord}
    />
  )
}

function useColumns(
  chosen: number | undefined,
  selectRecord: (id: number | undefined) => void,
  { precision, timezone }: RecordsProps['address'],
): Column<CitedRecord>[] {
  const notify = useNotify()
  const copy = async (one: CitedRecord) => {
    const isCopied = await copyText(citationOf(one))
    notify(isCopied ? 'Citation copied.' : 'The browser did not allow copying. Open the source’s own record and copy from there.')
  }
  return [
    { label: 'When', short: true, show: (one) => whenOf(one, timezone) },
    {
      label: 'Record',
      show: (one) => (
        <>
          <strong>{summaryOf(one)}</strong>
          <span className="record-words">{one.description}</span>
        </>
      ),
    },
    { label: 'Distance', number: true, show: ({ relevance }) => distanceText(relevance, precision) },
    { label: 'Evidence', show: (one) => <EvidenceText {...one} /> },
    {
      label: 'Source',
      show: ({ provenance, sample }) => (
        <>
          <OutsideLink href={provenance.citation_url}>{provenance.source_label}</OutsideLink>{' '}
          {sample && <span className="badge">Sample</span>}
        </>
      ),
    },
    {
      label: 'Actions',
      show: (one) => (
        <div className="row record-acts">
          <Button aria-label={`Copy the citation: ${summaryOf(one)} of ${day(one.occurred_on)}`} onPress={() => copy(one)}>
            Copy
          </Button>
          {one.location.latitude !== null && (
            <Button
              aria-label={`Show on the map: ${summaryOf(one)} of ${day(one.occurred_on)}`}
              aria-pressed={one.id === chosen}
              onPress={() => selectRecord(one.id === chosen ? undefined : one.id)}
            >
              Map
            </Button>
          )}
        </div>
      ),
    },
  ]
}

/** The distance and direction from the address. Records of a county or a zone have none. */
function distanceText({ distance_miles, bearing }: CitedRecord['relevance'], precision: string | null): string {
  return distance_miles === null ? '–' : `${distance(distance_miles, precision)} ${bearing ?? ''}`
}

function EvidenceText(record: CitedRecord) {
  const { evidence_kind, qualifier, caveats } = record.provenance
  const manner = qualifierOf(qualifier, figuresOf(record))
  return (
    <>
      {evidences[evidence_kind]}
      {qualifier && manner && !IMPLIED[evidence_kind].includes(qualifier) && `, ${manner}`}
      {caveats.map((caveat) => (
        <span key={caveat} className="record-words">
          {caveat}
        </span>
      ))}
    </>
  )
}
