/**
 * Returns SQL for the ids of records that were ever in the cells $1 under the given date condition. It is an array, so that
 * each table it is compared with can use its index.
 */
export const everInCells = (dates: string) => `ARRAY(
  SELECT record_id FROM record_cells WHERE cell = ANY($1::int[]) AND ${dates}
   UNION SELECT record_id FROM record_past_cells WHERE cell = ANY($1::int[]) AND ${dates})`
