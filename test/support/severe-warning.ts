/** The properties that every alert of a severe thunderstorm warning shares. */
export const severeWarning = {
  status: 'Actual',
  messageType: 'Alert',
  severity: 'Severe',
  certainty: 'Observed',
  urgency: 'Immediate',
  event: 'Severe Thunderstorm Warning',
}
