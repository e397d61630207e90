/** UTC to the minute; type; magnitude in inches, mph or Fujita scale; latitude; longitude. */
type Report = [at: string, type: string, magnitude: number | null, latitude: number, longitude: number]

/** Fifteen products read by a person. Times follow the product's own date line, including daylight saving. */
export const fifteenProducts: { file: string; reports: Report[] }[] = [
  {
    file: 'LSRAJK.txt',
    reports: [
      ['2021-02-02T04:07', 'heavy_snow', null, 58.39, -134.77],
      ['2021-02-02T04:07', 'heavy_snow', null, 58.37, -134.59],
    ],
  },
  { file: 'LSRBGM_snowsquall.txt', reports: [['2023-11-28T15:15', 'heavy_snow', null, 42.21, -75.99]] },
  { file: 'LSRBRO.txt', reports: [['2021-02-15T06:45', 'ice_storm', null, 26.38, -98.83]] },
  { file: 'LSRCRP.txt', reports: [['2018-09-15T11:45', 'flood', null, 27.97, -97.57]] },
  { file: 'LSRDMX.txt', reports: [['2018-07-04T18:30', 'thunderstorm_wind', 61, 43.42, -93.55]] },
  { file: 'LSRDVN_old.txt', reports: [['2020-08-10T17:28', 'thunderstorm_wind', 130, 41.96, -91.73]] },
  { file: 'LSRFWD.txt', reports: [['2012-01-24T21:09', 'hail', 0.75, 32.02, -96.3]] },
  { file: 'LSRGUM.txt', reports: [['2024-03-31T02:40', 'wildfire', null, 13.47, 144.78]] },
  { file: 'LSRHGX_marine.txt', reports: [['2023-06-11T04:09', 'thunderstorm_wind', 50, 28.93, -95.29]] },
  { file: 'LSRJAX_marinehail.txt', reports: [['2022-04-02T18:50', 'hail', 0.25, 29.47, -81.13]] },
  { file: 'LSROUN_hail.txt', reports: [['2024-05-01T14:15', 'hail', 1.25, 34.37, -96.36]] },
  {
    file: 'LSRPHI.txt',
    reports: [
      ['2025-07-09T23:30', 'thunderstorm_wind', 59, 38.86, -76.37],
      ['2025-07-09T23:37', 'flash_flood', null, 39.82, -75.83],
    ],
  },
  {
    file: 'LSRPIH.txt',
    reports: [
      ['2017-03-22T02:00', 'thunderstorm_wind', 61, 43.33, -114.28],
      ['2017-03-22T02:05', 'thunderstorm_wind', 48, 42.8, -113.59],
    ],
  },
  { file: 'LSRPPG.txt', reports: [['2025-11-20T19:27', 'debris_flow', null, -14.33, -170.79]] },
  {
    file: 'LSRTAE.txt',
    reports: [
      ['2015-04-19T13:22', 'tornado', 0, 30.48, -86.03],
      ['2015-04-19T13:25', 'tornado', 0, 30.49, -85.95],
      ['2015-04-19T14:52', 'tornado', 1, 30.98, -85.41],
    ],
  },
]
