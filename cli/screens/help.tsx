import { Box, Text } from 'ink'
import { Row } from './frame.tsx'

const HELP = `1-5      reports, exposures, properties, deliveries, playback
:        a screen by its name; :q leaves
/        find or filter; an empty line shows all again
j k      down and up, as the arrows do; PgDn and PgUp by a page
g G      first and last
Enter    open what stands at the cursor; Esc goes back
Tab      between the list and what is opened
space    choose a row; on playback: play and pause
*        choose all that the list finds; once more: none
a d R    exposures: acknowledge, dismiss, reopen
u        take that back, for ten seconds
s        deliveries: send again; playback: swaths of the day, or moments
+ - n    playback: nearer, farther; names of towns (GeoNames, CC BY 4.0)
r        read again; lists also read again by themselves
y        copy the ids of what is chosen
e        write what is chosen to a file, as JSON
o        show more of it in a browser
q        leave, as Ctrl-C does`

/** The keys, each with what it does. */
export function Help() {
  return (
    <Box flexDirection="column">
      {HELP.split('\n').map((line) => (
        <Row key={line}>
          <Text>{line}</Text>
        </Row>
      ))}
    </Box>
  )
}
