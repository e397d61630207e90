import { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { parse, readBody, statusOf } from '../api.ts'
import { openFile } from '../service.ts'
import { segment, settingsOf } from './command.ts'
import { outputFile, saveAnswer } from './save-answer.ts'
import { kmlOf, type SwathCollection } from './swaths-kml.ts'

const FORMATS = ['geojson', 'kml'] as const

interface SwathOptions {
  format: (typeof FORMATS)[number]
  out?: string
  bbox?: string
  profile?: string
}

/** weather swaths: areas of hail that radar estimated on a day, as a file. */
export function addSwaths(program: Command): void {
  program
    .command('swaths')
    .description('areas of hail that radar estimated on a day, by size, as a file')
    .argument('<date>', 'the local day, YYYY-MM-DD')
    .addOption(new Option('--format <format>', 'kml is for Google Earth and similar programs').choices(FORMATS).default('geojson'))
    .option('--out <file>', 'output file; - for standard output (default: swaths, the date and the format)')
    .option('--bbox <box>', 'west, south, east, north in degrees, separated by commas')
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText('after', '\nExample:\n  weather swaths 2025-05-28 --bbox=-98,32,-96,34 --format kml --out storm.kml')
    .action((date: string, options: SwathOptions, command: Command) => saveSwaths(date, options, command))
}

async function saveSwaths(date: string, { format, out, bbox }: SwathOptions, command: Command): Promise<void> {
  const file = outputFile(out, `swaths-${date}.${format}`)
  const { answer } = await openFile(settingsOf(command).connection, `/swaths/${segment(date)}.geojson`, { bbox })
  if (format === 'geojson') return saveAnswer(answer, file)
  const collection = parse(await readBody(answer), statusOf(answer)) as SwathCollection
  await saveAnswer(Readable.from([kmlOf(date, collection)]), file)
}
