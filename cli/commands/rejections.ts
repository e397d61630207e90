import { closeSync, openSync, writeSync } from 'node:fs'
import { unwritable } from '../file-fault.ts'
import { csvRow, printLine } from '../format.ts'

/** A row that an import could not read. */
export interface Rejection {
  row: string
  reason: string
}

/** Rejections of one kind. */
export interface RejectionGroup {
  /** The reason of the first of them. */
  reason: string
  count: number
  /** The first of them. */
  rows: Rejection[]
}

/** Example rows of a kind. */
const ROWS_SHOWN = 3
/** Kinds shown: a file in another format may give every row its own reason. */
const KINDS_SHOWN = 20
/** Share of the rows read that may be rejected before the command fails. */
const REJECTED_MAX = 0.01

/** Groups rejections by reason, ignoring values and numbers in it. */
export function gatherRejections(): { add(rejections: readonly Rejection[]): void; groups(): RejectionGroup[] } {
  const kinds = new Map<string, RejectionGroup>()
  return {
    add(rejections) {
      for (const rejection of rejections) {
        const kind = kindOf(rejection.reason)
        const group = kinds.get(kind) ?? { reason: rejection.reason, count: 0, rows: [] }
        kinds.set(kind, group)
        group.count++
        if (group.rows.length < ROWS_SHOWN) group.rows.push(rejection)
      }
    },
    groups: () => [...kinds.values()].sort((one, other) => other.count - one.count),
  }
}

/** `MAGNITUDE "x" is not a size` and `MAGNITUDE "y" is not a size` are of the same kind. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"/g, '"').replace(/\d[\d.,:/-]*/g, '0')
}

/** Prints the rejections of a file: each kind with its count and first rows. */
export function printRejected(file: string, groups: readonly RejectionGroup[]): void {
  for (const { reason, count, rows } of groups.slice(0, KINDS_SHOWN)) {
    printLine(`${file}: ${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'} rejected: ${reason}`)
    for (const one of rows) printLine(`  ${one.row}${one.reason === reason ? '' : `: ${one.reason}`}`)
    if (count > rows.length) printLine(`  and ${(count - rows.length).toLocaleString('en')} more`)
  }
  if (groups.length > KINDS_SHOWN) printLine(`${file}: ${groups.length - KINDS_SHOWN} more kinds of rejections`)
}

/** Whether more rows of a file were rejected than a successful import may lose. */
export function hasTooManyRejections({ rows, rejected }: { rows: number; rejected: number }): boolean {
  return rejected > rows * REJECTED_MAX
}

/** Writes every rejection to a CSV file as it comes; does nothing without a file. */
export function openRejectionsFile(file: string | undefined): { add(name: string, rejections: readonly Rejection[]): void; close(): void } {
  if (file === undefined) return { add: () => {}, close: () => {} }
  const orUnwritable = <Done>(write: () => Done): Done => {
    try {
      return write()
    } catch (fault) {
      throw unwritable(file, fault)
    }
  }
  const descriptor = orUnwritable(() => openSync(file, 'w'))
  const add = (rows: readonly (readonly string[])[]) => void orUnwritable(() => writeSync(descriptor, rows.map(csvRow).join('')))
  add([['file', 'row', 'reason']])
  return {
    add: (name, rejections) => add(rejections.map(({ row, reason }) => [name, row, reason])),
    close: () => closeSync(descriptor),
  }
}
