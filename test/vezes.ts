/** How often a property is tried that `npm run test:longo` tries `todas` times: a quarter of that in `npm test`. */
export const vezes = (todas: number): number => (process.env.LONGO ? todas : Math.ceil(todas / 4))
