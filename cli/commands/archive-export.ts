import { type Command, InvalidArgumentError, Option } from 'commander'
import { openOperatorFile } from '../api.ts'
import { searchOf } from '../service.ts'
import { settingsOf } from './command.ts'
import { outputFile, saveAnswer } from './save-answer.ts'

/** Default file name of each format. */
const files = { csv: 'archive.csv', geoparquet: 'archive.parquet' } as const

interface ExportOptions {
  format: keyof typeof files
  out?: string
  from?: string
  to?: string
  types?: string
  states?: string
}

/** weather archive export: the current archive as one file. */
export function addArchiveExport(archive: Command): void {
  archive
    .command('export')
    .description('the current archive as one file, for DuckDB, QGIS, pandas and others')
    .addOption(
      new Option('--format <format>', 'geoparquet has typed columns and points, and is a tenth of the size')
        .choices(Object.keys(files))
        .default('csv'),
    )
    .option('--out <file>', 'output file; - for standard output (default: archive.csv or archive.parquet)')
    .option('--from <date>', 'the first day', dayFrom)
    .option('--to <date>', 'the last day', dayFrom)
    .option('--types <types>', 'comma-separated types of records: hail,tornado')
    .option('--states <states>', 'comma-separated states: OK,TX')
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText('after', '\nExample:\n  weather archive export --format geoparquet --out hail.parquet --types hail --from 2019-01-01')
    .action((options: ExportOptions, command: Command) => exportArchive(options, command))
}

async function exportArchive({ format, out, from, to, types, states }: ExportOptions, command: Command): Promise<void> {
  const search = searchOf({ from, to, types, states })
  const file = outputFile(out, files[format])
  const answer = await openOperatorFile(settingsOf(command).connection, `/operator/archive/records.${format}${search}`)
  await saveAnswer(answer, file)
}

function dayFrom(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError('It must be a date, written YYYY-MM-DD.')
  return text
}
