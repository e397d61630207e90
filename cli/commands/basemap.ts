import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { requestAsOperator, upload } from '../api.ts'
import { exits, failure } from '../failure.ts'
import { liveLine, print } from '../format.ts'
import { addCommand, confirmAtTerminal, settingsOf } from './command.ts'

const PATH = '/operator/basemap'
const BYTES_PER_MB = 1_000_000

interface Basemap {
  file_name: string
  bytes: number
  imported_at: string
  min_zoom?: number
  max_zoom?: number
  bounds?: number[]
  attribution?: string
}

/** weather basemap: the basemap of towns, roads and water, with the operator key. */
export function addBasemap(program: Command): void {
  const basemap = program.command('basemap').description('the basemap: towns, roads and water (needs the operator key)')

  addCommand(
    basemap,
    'import',
    'import a PMTiles file of vector tiles as the basemap, replacing the current one',
    'basemap import texas.pmtiles',
  )
    .argument('<file>', 'PMTiles version 3, with the layers of Protomaps')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { size } = statSync(file, { throwIfNoEntry: false }) ?? {}
      if (size === undefined) throw failure(exits.usage, `No such file: ${file}.`)
      const setting = settingsOf(command)
      const live = liveLine()
      const name = path.basename(file)
      live.show(`${name}: ${(size / BYTES_PER_MB).toFixed(1)} MB ...`)
      const stream = createReadStream(file)
      try {
        const query = new URLSearchParams({ file_name: name })
        const imported = await upload<never, Basemap>(setting.connection, `${PATH}?${query}`, stream, () => {})
        live.clear()
        print(imported, setting)
      } finally {
        stream.destroy()
        live.clear()
      }
    })

  addCommand(basemap, 'status', 'the imported basemap', 'basemap status').action(async (_options: unknown, command: Command) => {
    const setting = settingsOf(command)
    print(await requestAsOperator<Basemap>(setting.connection, 'GET', PATH), setting)
  })

  addCommand(basemap, 'remove', 'remove the imported basemap', 'basemap remove --yes').action(
    async (_options: unknown, command: Command) => {
      const setting = settingsOf(command)
      await confirmAtTerminal(setting, 'Remove the imported basemap?')
      print(await requestAsOperator<object>(setting.connection, 'DELETE', PATH), setting)
    },
  )
}
