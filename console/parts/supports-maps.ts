/** Whether this browser can draw maps, which needs WebGL 2. Checked again for each map, because WebGL may have failed in between. */
export const supportsMaps = () => document.createElement('canvas').getContext('webgl2') !== null
