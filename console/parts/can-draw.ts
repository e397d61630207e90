/** Whether this browser can draw maps: it has WebGL 2. Looked at anew where a map begins, since what draws may have failed meanwhile. */
export const canDraw = () => document.createElement('canvas').getContext('webgl2') !== null
