/** How often a property is tried: `todas` times in `npm run test:longo`, a quarter of that in `npm test`. */
export const vezes = (todas: number): number => (process.env.LONGO ? todas : Math.ceil(todas / 4))
