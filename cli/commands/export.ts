import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { exits, failure, lost } from '../failure.ts'
import { liveLine, printLine } from '../format.ts'
import { openFile, type Query } from '../service.ts'
import { gather, settingOf } from './command.ts'

const FORMATS = ['csv', 'geojson'] as const

interface ExportOptions {
  format: (typeof FORMATS)[number]
  output?: string
  report?: string
  where?: string[]
  profile?: string
}

/** weather export: a whole listing as a file. */
export function addExport(program: Command): void {
  program
    .command('export')
    .description('a whole listing as a file')
    .argument('<name>', 'reports, events, exposures, properties, territories, deliveries or transactions')
    .addOption(new Option('--format <format>', 'geojson for those that have places').choices(FORMATS).default('csv'))
    .option('--output <file>', 'where to put it, - for standard output (default: the name and the format)')
    .option('--report <id>', 'the report whose events are wanted')
    .option('--where <filter=value>', 'a filter of the listing; may be given more than once', filterFrom)
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText('after', '\nExample:\n  weather export exposures --format geojson --output exposures.geojson --where from=2026-05-01')
    .action((name: string, options: ExportOptions, command: Command) => exportListing(name, options, command))
}

function filterFrom(text: string, before?: string[]): string[] {
  if (!/^\w+=/.test(text)) throw new InvalidArgumentError('It must be a filter and its value: status=complete.')
  return gather(text, before)
}

async function exportListing(name: string, { format, output, report, where = [] }: ExportOptions, command: Command): Promise<void> {
  const filters: Query = {
    ...Object.fromEntries(where.map((filter) => [filter.slice(0, filter.indexOf('=')), filter.slice(filter.indexOf('=') + 1)])),
    ...(report !== undefined && { report }),
  }
  const file = `${encodeURIComponent(name)}.${format}`
  const { answer } = await openFile(settingOf(command).connection, `/exports/${file}`, filters)
  if (output === '-') return pipeline(answer, process.stdout, { end: false }).catch(brokenOff)
  await save(answer, output ?? file)
}

/** A file that is not whole never stands under its name. */
async function save(answer: NodeJS.ReadableStream, file: string): Promise<void> {
  const part = `${file}.part`
  const live = liveLine()
  let bytes = 0
  const counted = new Transform({
    transform(piece: Buffer, _encoding, passed) {
      bytes += piece.length
      live.show(`${file}: ${megabytes(bytes)}`)
      passed(null, piece)
    },
  })
  try {
    await pipeline(answer, counted, createWriteStream(part)).catch(brokenOff)
    await rename(part, file)
  } catch (fault) {
    await rm(part, { force: true })
    throw fault
  } finally {
    live.clear()
  }
  printLine(`${file}: ${megabytes(bytes)}`)
}

function brokenOff(fault: NodeJS.ErrnoException): never {
  if (fault.syscall) throw failure(exits.failure, fault.message)
  throw lost(`The service broke off its answer: ${fault.code ?? fault.message}`)
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
