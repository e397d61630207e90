/**
 * Months, YYYY-MM, both included, of which the Storm Events Database has no record of any state: the offices' files were misplaced before
 * they could be imported (NCEI, "Storm Events Database: Data Collection Sources"; so in the file of 1993 that was compiled on 17 July 2017).
 */
export const absentMonths = { from: '1993-06', to: '1993-07' }
