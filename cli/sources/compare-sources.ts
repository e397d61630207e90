import { basename } from 'node:path'
import { counted } from '../counted.ts'
import { typeName } from '../type-name.ts'
import { type Check, checksOf } from '../verify/checks.ts'
import type { CitedFile, CitedFiles, CitedRow } from './cited-rows.ts'
import { rowFaults } from './compare-row.ts'
import { digestOf, type FileDigest, readSpans } from './source-file.ts'

/** Differences shown per file: a wrong reading rule would give one per row. */
const FAULTS_SHOWN = 5
/** Cited files shown if the given file is none of them. */
const FILES_SHOWN = 5

/**
 * Finds each cited record in the given agencies' files, by the files' hashes and the bytes of its row, and compares the row, read again,
 * with the report. If all records of a report match, the report agrees with something outside it.
 */
export async function compareSources(paths: readonly string[], cited: CitedFiles): Promise<Check[]> {
  const found = new Map<CitedFile, Check[]>()
  const uncited: Check[] = []
  for (const path of paths) {
    const digest = await digestOf(path)
    const file = cited.files.find(({ sha256 }) => sha256 === digest.sha256 || sha256 === digest.unpacked_sha256)
    if (file) found.set(file, [])
    else uncited.push(inside.differs('source', uncitedFileText(path, digest, cited)))
    if (!file) continue
    const source = await readSpans(
      path,
      digest.is_gzip,
      file.rows.map(({ span }) => span),
    )
    found.set(
      file,
      checkRows(
        file,
        file.rows.map((row) => ({ row, faults: rowFaults(row, source, file.name) })),
      ),
    )
  }
  const left = cited.files.filter((file) => !found.has(file))
  const is_all = left.length === 0 && cited.untraced === 0 && cited.files.every(({ rows }) => rows.length > 0)
  const agreed = [...found.values()].flat().map((check) => ({ ...check, outside: is_all && check.outcome === 'agrees' }))
  return [...agreed, ...uncited, ...leftOut(left, cited.untraced)]
}

const inside = checksOf({ outside: false })

function checkRows({ name, sha256 }: CitedFile, rows: { row: CitedRow; faults: string[] }[]): Check[] {
  const differing = rows.filter(({ faults }) => faults.length > 0)
  if (differing.length === 0)
    return [
      inside.agrees('source', `${name} (SHA-256 ${sha256}) contains ${counted(rows.length, 'cited record')}, each as the report states it`),
    ]
  const named = differing
    .slice(0, FAULTS_SHOWN)
    .map(({ row: { record, span }, faults }) =>
      inside.differs(
        'source',
        `${typeName(record.type)} of ${record.begins_at} in ${name}, bytes ${span.start} to ${span.start + span.length}: ${faults.join('; ')}`,
      ),
    )
  const more = differing.length - named.length
  return more > 0 ? [...named, inside.differs('source', `and ${counted(more, 'more record')} of ${name}`)] : named
}

/** Describes a file that the report does not cite, with a possible reason. */
function uncitedFileText(path: string, { sha256, bytes, is_gzip, unpacked_sha256 }: FileDigest, { files }: CitedFiles): string {
  const same = files.find(({ name }) => basename(name) === basename(path))
  if (same) {
    const why = is_gzip && unpacked_sha256 === null ? '; it is cut off or damaged' : ''
    return `${path} is not the ${same.name} that the report cites: its ${bytes} bytes have the SHA-256 ${sha256}, not ${same.sha256}${why}`
  }
  const packed = files.find(({ name }) => basename(name) === `${basename(path)}.gz`)
  if (packed)
    return `${path} (SHA-256 ${sha256}) is unpacked, but the report cites ${packed.name} as it was downloaded (SHA-256 ${packed.sha256})`
  return `${path} (SHA-256 ${sha256}) is not one of the files that the report cites: ${namesOf(files) || 'it cites none'}`
}

function leftOut(files: readonly CitedFile[], untraced: number): Check[] {
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0)
  return [
    ...(files.length === 0
      ? []
      : [
          inside.notCompared(
            'source',
            `${counted(rows, 'cited record')} in ${counted(files.length, 'file')} that ${files.length === 1 ? 'was' : 'were'} not given: ${namesOf(files)}`,
          ),
        ]),
    ...(untraced === 0 ? [] : [inside.notCompared('source', `${counted(untraced, 'cited record')} whose file the report does not name`)]),
  ]
}

function namesOf(files: readonly CitedFile[]): string {
  const named = files.slice(0, FILES_SHOWN).map(({ name, sha256 }) => `${name} (SHA-256 ${sha256})`)
  return [...named, ...(files.length > FILES_SHOWN ? [`and ${files.length - FILES_SHOWN} more`] : [])].join(', ')
}
