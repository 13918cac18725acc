/** One series of a state's numbers: `#` is a free digit, `v` a check digit, the rest stands for itself. */
export type Molde = string

export type Serie = {
  /** Every form that is valid (published rules of sintegra.gov.br). */
  validos: readonly Molde[]
  /** The series that companies get, if fewer than the valid ones. The first is the commonest. */
  emitidos?: readonly Molde[]
  produtor?: readonly Molde[]
}

/**
 * `validos` has the published prefixes, `emitidos` those of 10,000 real registrations in test corpora of
 * validators.
 */
export const series = {
  AC: { validos: ['01#########vv'], emitidos: ['01######001vv'] },
  AL: { validos: ['24######v'] },
  AM: { validos: ['########v'], emitidos: ['04######v'] },
  AP: { validos: ['03######v'] },
  BA: { validos: ['######vv', '#######vv'] },
  CE: { validos: ['########v'], emitidos: ['06######v'] },
  // 07 ran out in September 2020.
  DF: { validos: ['07#########vv', '08#########vv'], emitidos: ['07######001vv', '08######001vv'] },
  ES: { validos: ['########v'], emitidos: ['08######v'] },
  GO: { validos: ['10######v', '11######v', '15######v'] },
  MA: { validos: ['12######v'] },
  MG: { validos: ['###########vv'], emitidos: ['00#######00vv', '06#######00vv'] },
  MS: { validos: ['28######v', '50######v'], emitidos: ['28######v'] },
  // The rule has 11 digits; MT itself prints and answers nine, without the two zeros.
  MT: { validos: ['########v', '##########v'], emitidos: ['13######v'] },
  PA: {
    validos: ['15######v', '75######v', '76######v', '77######v', '78######v', '79######v'],
    emitidos: ['15######v', '75######v'],
  },
  PB: { validos: ['########v'], emitidos: ['16######v'] },
  PE: { validos: ['#######vv'], emitidos: ['0######vv'] },
  PI: { validos: ['########v'], emitidos: ['19######v'] },
  PR: { validos: ['########vv'], emitidos: ['90######vv'], produtor: ['95######vv', '96######vv'] },
  RJ: { validos: ['#######v'] },
  RN: { validos: ['20######v', '20#######v'] },
  RO: { validos: ['#############v'], emitidos: ['0000000######v'] },
  RR: { validos: ['24######v'] },
  RS: { validos: ['#########v'], emitidos: ['0########v', '1########v'] },
  SC: { validos: ['########v'], emitidos: ['25######v'] },
  SE: { validos: ['########v'], emitidos: ['27######v'] },
  SP: { validos: ['########v##v', 'P########v###'], emitidos: ['1#######v11v'], produtor: ['P########v###'] },
  TO: {
    validos: ['########v', '2901######v', '2902######v', '2903######v', '2999######v'],
    emitidos: ['29######v', '2903######v'],
  },
} as const satisfies Record<string, Serie>

export type Uf = keyof typeof series

/** `cUF` of every NF-e message (MOC 7.0, Anexo I). */
export const codigosUf = Object.fromEntries(
  'AC12 AL27 AM13 AP16 BA29 CE23 DF53 ES32 GO52 MA21 MG31 MS50 MT51 PA15 PB25 PE26 PI22 PR41 RJ33 RN24 RO11 RR14 RS43 SC42 SE28 SP35 TO17'
    .split(' ')
    .map((uf) => [uf.slice(0, 2), uf.slice(2)]),
) as Record<Uf, string>
