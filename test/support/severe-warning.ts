/** What every alert of a severe thunderstorm warning says alike, among its properties. */
export const severeWarning = {
  status: 'Actual',
  messageType: 'Alert',
  severity: 'Severe',
  certainty: 'Observed',
  urgency: 'Immediate',
  event: 'Severe Thunderstorm Warning',
}
