import { operateWithoutTimeout } from '../api.ts'
import type { Connection } from '../settings.ts'

/** Stored bytes that are missing or changed. */
interface StoredFault {
  kind: string
  team_id: string | null
  subject: string
  detail: string
  repaired: boolean
}

interface Step {
  checked: number
  faults: StoredFault[]
  next: string | null
}

const STEP = '{ checked next faults { kind team_id subject detail repaired } }'
const CHECK = `query ($after: String) { storedCheck(after: $after) ${STEP} }`
const REPAIR = `mutation ($after: String) { storedRepair(after: $after) ${STEP} }`

/** Checks everything that is stored, step by step. */
export async function checkStored(connection: Connection, repair: boolean): Promise<StoredFault[]> {
  const faults: StoredFault[] = []
  for (let after: string | null = null; ; ) {
    const step: Step = await operateWithoutTimeout(connection, repair ? REPAIR : CHECK, { after })
    faults.push(...step.faults)
    if (step.next === null) return faults
    after = step.next
  }
}
