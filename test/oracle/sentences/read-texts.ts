import type { VerificationView } from '#domain/reports/view.ts'
import type { Connection } from '../../../cli/settings.ts'
import { type Call, importAddressPoints, openTeam, readAnswer, requestReports, type WaitForReports } from '../service.ts'
import { faultsOfTexts } from './check.ts'
import type { StatedReport } from './claims.ts'
import { documentOf } from './document.ts'
import { faultsOfPage } from './page.ts'
import type { Place } from './places.ts'

/** The results of reading a report's texts. */
export interface Read {
  stated: StatedReport
  faults: string[]
}

/** Requests a report on every place, and checks its headline, statements, key figures and captions against the records that it cites. */
export async function readTexts(connection: Connection, places: readonly Place[], waitForReports: WaitForReports): Promise<Read[]> {
  const exact = places.flatMap(({ spot }) => (spot ? [spot] : []))
  const addresses = await importAddressPoints(connection, exact)
  const call = await openTeam(connection)
  const inputs = places.map(({ spot, address, start, end, radius_miles }) => ({
    address: spot ? (addresses[exact.indexOf(spot)] as string) : (address as string),
    window_start: start,
    window_end: end,
    radius_miles,
  }))
  const read: Read[] = []
  for (const id of await requestReports(call, inputs, waitForReports)) read.push(await readReport(call, id))
  return read
}

async function readReport(call: Call, id: string): Promise<Read> {
  const stated = await readAnswer<StatedReport>(call, id)
  const { status, failure_reason } = stated.report
  if (status !== 'complete') return { stated, faults: [`${id}: it is ${status}: ${failure_reason}`] }
  const verification = (await call<{ data: VerificationView }>('GET', `/reports/${id}/verification`)).data
  return {
    stated,
    faults: [
      ...faultsOfTexts(stated),
      ...verificationFaults(stated, verification),
      ...faultsOfPage(stated, await documentOf(stated, verification)),
    ],
  }
}

function verificationFaults({ report }: StatedReport, { finding }: VerificationView): string[] {
  return finding === report.headline ? [] : [`${report.id}: its verification says "${finding}"`]
}
