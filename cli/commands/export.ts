import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { openFile, type Query } from '../service.ts'
import { gather, settingsOf } from './command.ts'
import { outputFile, saveAnswer } from './save-answer.ts'

const NAMES = ['reports', 'events', 'exposures', 'properties', 'territories', 'deliveries', 'transactions']
const FORMATS = ['csv', 'geojson'] as const

interface ExportOptions {
  format: (typeof FORMATS)[number]
  out?: string
  report?: string
  where?: string[]
  profile?: string
}

/** weather export: a whole list as a file. */
export function addExport(program: Command): void {
  program
    .command('export')
    .description('a whole list as a file')
    .addArgument(new Argument('<name>', 'the list').choices(NAMES))
    .addOption(new Option('--format <format>', 'geojson for lists with places').choices(FORMATS).default('csv'))
    .option('--out <file>', 'output file; - for standard output (default: the name and the format)')
    .option('--report <id>', 'report whose events to export')
    .option('--where <filter=value>', 'a filter of the list; repeat for several', filterFrom)
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText('after', '\nExample:\n  weather export exposures --format geojson --out exposures.geojson --where from=2026-05-01')
    .action((name: string, options: ExportOptions, command: Command) => exportListing(name, options, command))
}

function filterFrom(text: string, before?: string[]): string[] {
  if (!/^\w+=/.test(text)) throw new InvalidArgumentError('It must be a filter and its value, such as status=complete.')
  return gather(text, before)
}

async function exportListing(name: string, { format, out, report, where = [] }: ExportOptions, command: Command): Promise<void> {
  const filters: Query = {
    ...Object.fromEntries(where.map((filter) => [filter.slice(0, filter.indexOf('=')), filter.slice(filter.indexOf('=') + 1)])),
    ...(report !== undefined && { report }),
  }
  const listing = `${name}.${format}`
  const file = outputFile(out, listing)
  const { answer } = await openFile(settingsOf(command).connection, `/exports/${listing}`, filters)
  await saveAnswer(answer, file)
}
