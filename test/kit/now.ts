/** A Saturday noon in Brasília, in the middle of a month and far from every renewal. */
export const NOW = new Date('2026-11-14T15:00:00Z')
