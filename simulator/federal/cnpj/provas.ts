/** The companies of SERPRO's trial, by CNPJ: situation and its reason as the open data number them. */
export const provas: ReadonlyMap<string, { situacao: string; motivo: string }> = new Map([
  ['34238864000168', { situacao: '02', motivo: '00' }],
  ['54447820000155', { situacao: '03', motivo: '67' }],
  ['46768703000165', { situacao: '04', motivo: '63' }],
  ['31151791000184', { situacao: '08', motivo: '01' }],
  ['34428654000132', { situacao: '01', motivo: '11' }],
])
