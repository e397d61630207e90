import { Box, Text } from 'ink'
import { LineBox } from './frame.tsx'

const HELP = `1-5      reports, exposures, properties, deliveries, playback
:        open a screen by name; :q quits
/        search or filter; an empty line shows all again
j k      down and up, like the arrows; PgDn and PgUp by a page
g G      first and last
Enter    open the row at the cursor; Esc goes back
Tab      switch between the list and the opened row
space    choose a row; on playback: play and pause
*        choose all rows of the list; again: none
a d R    exposures: acknowledge, dismiss, reopen
~1.50    exposures: hail that radar estimated and nobody reported
u        undo that, within ten seconds
s        deliveries: send again; playback: swaths of the day, or moments
+ - n    playback: zoom in and out; names of towns (GeoNames, CC BY 4.0)
r        refresh; lists also refresh automatically
y        copy the ids of the chosen rows
e        write the chosen rows to a file, as JSON
o        open in a browser
q        quit, like Ctrl-C`

/** The keys and their actions. */
export function Help() {
  return (
    <Box flexDirection="column">
      {HELP.split('\n').map((line) => (
        <LineBox key={line}>
          <Text>{line}</Text>
        </LineBox>
      ))}
    </Box>
  )
}
