/**
 * The id of an airport's station, as JavaScript and PostgreSQL read it: four characters, by the first of which they lie in the states (K), the
 * Pacific (P, NS), the Caribbean (TI, TJ), Canada (CW, CY, CZ) or Mexico (MM). The agency lists those of volunteers, roads and forests beside
 * them, under ids of other lengths or letters.
 */
export const AIRPORT_ID = '^([KP][A-Z0-9]|NS|T[IJ]|C[WYZ]|MM)[A-Z0-9]{2}$'
