/** SQL: ids of records that were ever found in the cells $1, under such dates: an array, which goes to the index of each table that it is asked of. */
export const everInCells = (dates: string) => `ARRAY(
  SELECT record_id FROM record_cells WHERE cell = ANY($1::int[]) AND ${dates}
   UNION SELECT record_id FROM record_past_cells WHERE cell = ANY($1::int[]) AND ${dates})`
