export const element = (id) => document.getElementById(id)

/** Returns whether a button is busy. A busy button keeps the focus, which a disabled one would lose. */
export const isBusy = (button) => button.ariaDisabled === 'true'

export function setBusy(button, busy) {
  button.ariaDisabled = busy ? 'true' : null
}

/** Creates an element with its properties; texts are never parsed as markup. */
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
