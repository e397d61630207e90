import type { Command } from 'commander'
import { operateWithoutTimeout } from '../api.ts'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { addCommand, type Settings, settingsOf, suggestedCommand } from './command.ts'
import { printOlderKeys, SECRET_KEYS, type SecretKeys } from './keys.ts'
import { checkStored } from './stored-check.ts'
import { printUncheckedYears, UNCHECKED, type UncheckedYear } from './unchecked-years.ts'
import { printUnplaced, UNPLACED, type UnplacedZones } from './unplaced-zones.ts'

/** The first break in a chain of the audit log. */
interface AuditFault {
  team_id: string
  sequence: number | null
  fault: string
}

/**
 * weather doctor: violated invariants, stored bytes that are missing or changed, and tampered entries of the audit log and the log of
 * fingerprints. The exit status is 1 if there is a fault that --repair has not repaired. Values that no key opens and an unusable document
 * store also give 1. These are printed as notices only: forecast-zone records that no zone table locates, records never checked for
 * plausibility, files with a compile date in the future, gaps in row-level security, what older secret keys are still needed for, and how
 * the browser that prints is sandboxed.
 */
export function addDoctor(program: Command): void {
  addCommand(program, 'doctor', "check the data's invariants and all stored bytes (needs the operator key)", 'doctor')
    .option('--repair', 'create missing data again: documents are printed, maps drawn')
    .action(async ({ repair }: { repair?: boolean }, command: Command) => {
      const setting = settingsOf(command)
      const broken = await operateWithoutTimeout<unknown[]>(
        setting.connection,
        '{ invariantViolations { invariant team_id subject detail } }',
      )
      const unplaced = await operateWithoutTimeout<UnplacedZones[]>(setting.connection, UNPLACED)
      const unchecked = await operateWithoutTimeout<UncheckedYear[]>(setting.connection, UNCHECKED)
      const futureCompiles = await operateWithoutTimeout<string[]>(setting.connection, '{ compilesToCome }')
      const browsers = await operateWithoutTimeout<string[]>(setting.connection, '{ browsers }')
      const audit = await operateWithoutTimeout<AuditFault[]>(setting.connection, '{ auditFaults { team_id sequence fault } }')
      const log = await operateWithoutTimeout<string[]>(setting.connection, '{ logFaults }')
      const gaps = await operateWithoutTimeout<string[]>(setting.connection, '{ rowSecurityGaps }')
      const secretKeys = await operateWithoutTimeout<SecretKeys>(setting.connection, SECRET_KEYS)
      const documentStoreFaults = await operateWithoutTimeout<string[]>(setting.connection, '{ documentStoreFaults }')
      // If the store cannot be read, nothing is known about its bytes and nothing is repaired.
      const stored = documentStoreFaults.length > 0 ? [] : await checkStored(setting.connection, repair === true)
      const storedFaults = stored.map(({ kind, team_id, subject, detail }) => ({
        invariant: `${kind}_is_stored`,
        team_id,
        subject,
        detail,
      }))
      const auditFaults = audit.map(({ team_id, sequence, fault }) => ({
        invariant: 'audit_chain_is_whole',
        team_id,
        subject: sequence,
        detail: fault,
      }))
      const logFaults = log.map((detail) => ({ invariant: 'log_is_whole', team_id: null, subject: null, detail }))
      print([...broken, ...auditFaults, ...logFaults, ...storedFaults], setting)
      for (const sentence of [...documentStoreFaults, ...gaps, ...futureCompiles, ...browsers]) printLine(sentence)
      printUnplaced(unplaced, setting)
      printUncheckedYears(unchecked, setting)
      printOlderKeys(secretKeys)
      const unrepaired = stored.filter(({ repaired }) => !repaired)
      if (broken.length > 0) printLine(`${broken.length} ${broken.length === 1 ? 'row breaks' : 'rows break'} an invariant.`)
      if (audit.length > 0)
        printLine(
          `The audit log was tampered with, or its chain is broken, in ${audit.length === 1 ? 'one chain' : `${audit.length} chains`}.`,
        )
      if (log.length > 0) printLine('The log of fingerprints does not match its entries: the log or its disk was tampered with.')
      if (stored.length > 0)
        printLine(
          `${countsOf(stored)}: missing or changed. ${repair ? repairedText(stored.length - unrepaired.length) : repairHint(setting)}`,
        )
      if (broken.length + audit.length + log.length + documentStoreFaults.length + unrepaired.length > 0) process.exitCode = exits.failure
    })
}

const repairHint = (setting: Settings) =>
  `Check that WEATHER_BLOBS and ARCHIVE_FILES are unchanged. If they are, ${suggestedCommand(setting, 'doctor --repair')} creates again what it can; documents are also printed again on request.`

const repairedText = (count: number) =>
  `${count} ${count === 1 ? 'is' : 'are'} being repaired: documents are printed in turn, after new ones.`

/** "2 documents, 1 radar frame" */
function countsOf(stored: { kind: string }[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of stored) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}${count === 1 ? '' : 's'}`).join(', ')
}
