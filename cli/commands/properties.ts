import type { Command } from 'commander'
import { gatherPages, PAGE_SIZE } from '../every-page.ts'
import { print, printLine } from '../format.ts'
import { rowsFrom } from '../rows.ts'
import { type Page, query, type Schemas } from '../service.ts'
import type { Invocation } from './command.ts'
import {
  addCommand,
  booleanFrom,
  type Columns,
  confirm,
  gather,
  list,
  notePages,
  numberFrom,
  perform,
  pickOptions,
  requireChanges,
  rowOf,
  segment,
  suggestedCommand,
  withIdempotencyKey,
  withPaging,
  wrapAction,
} from './command.ts'
import { exposureColumns, filtersOf, withExposureList } from './exposure-listing.ts'
import { addPersonalData } from './personal-data.ts'
import { withTimeout } from './poll-until.ts'
import { createReport, requirePlace, runBatch } from './report-requests.ts'

const propertyColumns: Columns<Schemas['Property']> = {
  id: 'id',
  name: 'name',
  reference: 'reference',
  kind: 'kind',
  status: 'status',
  city: 'address.city',
  state: 'address.state',
  located: ({ address }) => locatedText(address as LocatedAddress),
  miles: 'watch_radius_miles',
  tags: 'tags',
  last_activity: 'last_activity_on',
}

/** The filters of the list over REST. */
const FILTERS = ['status', 'tag', 'search']

interface LocatedAddress {
  located: boolean
  precision: string | null
  failure_message: string | null
}

/** How precisely it is located, or why it is not. */
function locatedText({ located, precision, failure_message }: LocatedAddress): string {
  return located ? (precision ?? 'yes') : (failure_message ?? 'not yet')
}

type ImportedRow = Schemas['PropertyBatch']['results'][number]

/** Whether a row was saved without a place: a property is not watched until it is located. */
const isUnlocated = ({ status, property }: ImportedRow) => status === 'created' && property !== null && !property.address.located

function importedText(row: ImportedRow): string | null {
  if (!isUnlocated(row)) return row.message
  return `Not watched: ${row.property?.address.failure_message ?? 'it is not located yet.'}`
}

const contactColumns: Columns<Schemas['Contact']> = {
  id: 'id',
  name: 'name',
  role: 'role',
  company: 'company',
  phone: 'phone',
  email: 'email',
  primary: 'primary',
}

const FIELDS = ['address', 'latitude', 'longitude', 'label', 'reference', 'kind', 'status', 'watch_radius_miles', 'tags', 'notes']
const CONTACT_FIELDS = ['name', 'role', 'company', 'phone', 'email', 'notes', 'primary']

/** weather properties and weather contacts. */
export function addProperties(program: Command): void {
  const properties = program.command('properties').description('watched properties')

  withPaging(addCommand(properties, 'list', 'watched properties', 'properties list --tag hq --search frisco'))
    .option('--status <status>', 'watching, paused or archived')
    .option('--tag <tag>', 'only properties with this tag')
    .option('--search <text>', 'only properties whose name, address or reference contains this text')
    .option('--located <boolean>', 'false: only properties that are not located, which are not watched', booleanFrom)
    .action(
      wrapAction((invocation) =>
        invocation.options.located === undefined
          ? list(invocation, '/properties', pickOptions(invocation.options, FILTERS), propertyColumns)
          : listByLocation(invocation),
      ),
    )

  addCommand(properties, 'show', 'one property with its contacts', 'properties show ID')
    .argument('<property>', 'id of the property')
    .action(wrapAction((invocation) => perform(invocation, { method: 'GET', path: pathOf(invocation) })))

  withPropertyFields(
    addCommand(properties, 'add', 'watch a property', "properties add --address '100 Main Street, Frisco, TX 75034' --label HQ --tag roof"),
  )
    .option('--address <text>', 'street, city, state and ZIP (default: the coordinates)')
    .action(
      wrapAction((invocation) =>
        perform(invocation, { method: 'POST', path: '/properties', body: requirePlace(bodyOf(invocation)) }, propertyColumns),
      ),
    )

  withIdempotencyKey(addCommand(properties, 'import', 'watch up to 100 properties of a CSV file', 'properties import book.csv'))
    .argument('<csv>', `columns ${FIELDS.join(', ')} (tags separated by semicolons, or as a JSON list); - for standard input`)
    .action(
      wrapAction(async (invocation) => {
        const properties = await rowsFrom(invocation.arguments[0] as string, FIELDS)
        const rows = await runBatch<ImportedRow>(invocation, '/properties/batch', { properties }, importedText)
        const unlocated = rows.filter(isUnlocated).length
        if (unlocated > 0)
          printLine(
            `${unlocated} created but not located, and not watched until then: ${suggestedCommand(invocation.setting, 'properties list --located false')}`,
          )
      }),
    )

  withPropertyFields(addCommand(properties, 'edit', 'change a property', 'properties edit ID --watch-radius-miles 2'))
    .argument('<property>', 'id of the property')
    .option('--address <text>', 'a new address')
    .action(
      wrapAction((invocation) =>
        perform(invocation, { method: 'PATCH', path: pathOf(invocation), body: requireChanges(bodyOf(invocation)) }, propertyColumns),
      ),
    )

  addCommand(properties, 'archive', 'stop watching a property; its exposures stay', 'properties archive ID')
    .argument('<property>', 'id of the property')
    .action(
      wrapAction((invocation) =>
        perform(invocation, { method: 'PATCH', path: pathOf(invocation), body: { status: 'archived' } }, propertyColumns),
      ),
    )

  addCommand(properties, 'delete', 'delete a property with its contacts and exposures', 'properties delete ID --yes')
    .argument('<property>', 'id of the property')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, `Delete property ${invocation.arguments[0]} with its contacts and exposures?`)
        await perform(invocation, { method: 'DELETE', path: pathOf(invocation) })
      }),
    )

  addPropertyActions(properties)
  addContacts(program)
}

/** Commands on one property: public records, a report, its exposures. */
function addPropertyActions(properties: Command): void {
  addCommand(properties, 'enrich', 'fill in public records', 'properties enrich ID')
    .argument('<property>', 'id of the property')
    .action(wrapAction((invocation) => perform(invocation, { method: 'POST', path: `${pathOf(invocation)}/enrich` }, propertyColumns)))

  withIdempotencyKey(
    withTimeout(
      addCommand(properties, 'report', 'request a report about a property: one credit', 'properties report ID --start 2025-01-01 --wait'),
    ),
  )
    .argument('<property>', 'id of the property')
    .option('--start <date>', "first day (default: the plan's full lookback)")
    .option('--end <date>', 'last day (default: today)')
    .option('--radius <miles>', 'radius around it', numberFrom)
    .option('--as-of <moment>', 'point in time of the archive: 2026-05-20T12:00:00Z')
    .option('--date-of-loss <date>', 'date of loss, in the local time of the place')
    .option('--recipient <text>', 'text printed on the cover')
    .option('--wait', 'wait until it is complete')
    .action(
      wrapAction((invocation) => {
        const { start, end, radius, ...others } = invocation.options
        const body = pickOptions({ ...others, windowStart: start, windowEnd: end, radiusMiles: radius }, REPORT_FIELDS)
        return createReport(invocation, `${pathOf(invocation)}/reports`, body)
      }),
    )

  withExposureList(addCommand(properties, 'exposures', 'exposures near a property', 'properties exposures ID --open true'))
    .argument('<property>', 'id of the property')
    .action(wrapAction((invocation) => list(invocation, `${pathOf(invocation)}/exposures`, filtersOf(invocation.options), exposureColumns)))
}

const REPORT_FIELDS = ['window_start', 'window_end', 'radius_miles', 'as_of', 'date_of_loss', 'recipient']

interface PropertyPage {
  data: Schemas['Property'][]
  meta: Page['meta']
}

const BY_LOCATION = `
  query ($status: PropertyStatus, $tag: String, $search: String, $located: Boolean, $page: Int, $per_page: Int) {
    properties(status: $status, tag: $tag, search: $search, located: $located, page: $page, per_page: $per_page) {
      data {
        id object name label reference kind status
        address {
          query street city state postal_code county county_fips latitude longitude located precision failure_reason failure_message
        }
        watch_radius_miles tags notes last_activity_on created_at updated_at links { self exposures reports }
      }
      meta { current_page from last_page path per_page to total }
    }
  }`

/** The list by a filter that REST does not have: without the links of REST, which would lack it too. */
async function listByLocation({ setting, options }: Invocation): Promise<void> {
  const filters = pickOptions(options, [...FILTERS, 'located'])
  const readPage = (paging: object) => query<PropertyPage>(setting.connection, BY_LOCATION, { ...filters, ...paging })
  const found = options.all ? await everyProperty(readPage) : await readPage(pickOptions(options, ['page', 'per_page']))
  print(
    found,
    setting,
    found.data.map((row) => rowOf(row, propertyColumns)),
  )
  notePages({ setting, options }, found.meta)
}

async function everyProperty(readPage: (paging: object) => Promise<PropertyPage>): Promise<PropertyPage> {
  const { last, rows } = await gatherPages(
    (page) => readPage({ page, per_page: PAGE_SIZE }),
    ({ data }) => data,
    ({ meta }) => meta.total,
  )
  return { ...last, data: rows }
}

const pathOf = ({ arguments: [id] }: Invocation) => `/properties/${segment(id as string)}`

function withPropertyFields(command: Command): Command {
  return command
    .option('--latitude <degrees>', 'degrees north; overrides the location of the address', numberFrom)
    .option('--longitude <degrees>', 'degrees east: negative in the Americas', numberFrom)
    .option('--label <text>', 'name of the property')
    .option('--reference <text>', 'a reference of your own')
    .option('--kind <kind>', 'residential, commercial, multifamily, industrial, land or other')
    .option('--status <status>', 'watching, paused or archived')
    .option('--watch-radius-miles <miles>', 'watch radius, 0.5 to 10', numberFrom)
    .option('--tag <tag>', 'a tag; repeat for several', gather)
    .option('--notes <text>', 'notes')
}

const bodyOf = ({ options: { tag, ...options } }: Invocation) => pickOptions({ ...options, tags: tag }, FIELDS)

function addContacts(program: Command): void {
  const contacts = program.command('contacts').description('contacts of properties: personal data')
  addPersonalData(contacts)

  withPaging(addCommand(contacts, 'list', 'contacts of a property', 'contacts list PROPERTY'))
    .argument('<property>', 'id of the property')
    .action(wrapAction((invocation) => list(invocation, `${pathOf(invocation)}/contacts`, {}, contactColumns)))

  withContactFields(
    addCommand(contacts, 'add', 'add a contact', "contacts add PROPERTY --name 'Site office' --role site_contact --phone '+1 555 0100'"),
  )
    .argument('<property>', 'id of the property')
    .action(
      wrapAction(async (invocation) => {
        await perform(
          invocation,
          { method: 'POST', path: `${pathOf(invocation)}/contacts`, body: pickOptions(invocation.options, CONTACT_FIELDS) },
          contactColumns,
        )
      }),
    )

  withContactFields(addCommand(contacts, 'edit', 'change a contact', 'contacts edit PROPERTY CONTACT --primary'))
    .argument('<property>', 'id of the property')
    .argument('<contact>', 'id of the contact')
    .action(
      wrapAction(async (invocation) => {
        await perform(
          invocation,
          { method: 'PATCH', path: contactPathOf(invocation), body: requireChanges(pickOptions(invocation.options, CONTACT_FIELDS)) },
          contactColumns,
        )
      }),
    )

  addCommand(contacts, 'delete', 'delete a contact', 'contacts delete PROPERTY CONTACT --yes')
    .argument('<property>', 'id of the property')
    .argument('<contact>', 'id of the contact')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, `Delete contact ${invocation.arguments[1]}?`)
        await perform(invocation, { method: 'DELETE', path: contactPathOf(invocation) })
      }),
    )
}

const contactPathOf = (invocation: Invocation) => `${pathOf(invocation)}/contacts/${segment(invocation.arguments[1] as string)}`

function withContactFields(command: Command): Command {
  return command
    .option('--name <text>', 'name')
    .option('--role <role>', 'owner, property_manager, tenant, site_contact, insurance_agent, adjuster, contractor or other')
    .option('--company <text>', 'company')
    .option('--phone <text>', 'telephone')
    .option('--email <text>', 'e-mail address')
    .option('--notes <text>', 'notes')
    .option('--primary', 'make it the primary contact')
}
