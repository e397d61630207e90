/**
 * The id of an airport's station, as a pattern that JavaScript and PostgreSQL both accept: four characters, whose first
 * ones give the region: the states (K), the Pacific (P, NS), the Caribbean (TI, TJ), Canada (CW, CY, CZ) or Mexico (MM).
 * The agency also lists stations of volunteers, roads and forests, whose ids have other lengths or letters.
 */
export const AIRPORT_ID = '^([KP][A-Z0-9]|NS|T[IJ]|C[WYZ]|MM)[A-Z0-9]{2}$'
