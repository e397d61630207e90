export const element = (id) => document.getElementById(id)

/** Whether a button's work is under way. It keeps the focus meanwhile, which one that is disabled loses. */
export const isBusy = (button) => button.ariaDisabled === 'true'

export function setBusy(button, busy) {
  button.ariaDisabled = busy ? 'true' : null
}

/** An element with its properties; texts are never read as markup. */
export const made = (tag, properties = {}) => Object.assign(document.createElement(tag), properties)

/** Points of a source from records with a place. */
export function placesOf(records) {
  return {
    type: 'FeatureCollection',
    features: records.map(({ latitude, longitude, ...properties }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties,
    })),
  }
}
