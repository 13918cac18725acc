/** Width in digits of the codes of each table. */
export const LARGURA_CODIGO = { cnaes: 7, municipios: 4, naturezas: 4, qualificacoes: 2, motivos: 2 } as const

/** Code of the legal nature "Empresário (Individual)", which every MEI has: its name may carry the owner's CPF. */
export const EMPRESARIO_INDIVIDUAL = '2135'

/** Places of situacao_cadastral on disk; labels of the official layout (cnpj-metadados.pdf), 05 of SERPRO's domain. */
export const SITUACOES = [
  { codigo: '', descricao: '' },
  { codigo: '01', descricao: 'NULA' },
  { codigo: '02', descricao: 'ATIVA' },
  { codigo: '03', descricao: 'SUSPENSA' },
  { codigo: '04', descricao: 'INAPTA' },
  { codigo: '05', descricao: 'ATIVA NAO REGULAR' },
  { codigo: '08', descricao: 'BAIXADA' },
] as const

/** Places of porte on disk; codes of the official layout, in the words of the specification ("PEQUENO PORTE", "DEMAIS"). */
export const PORTES = [
  { codigo: '', descricao: '' },
  { codigo: '00', descricao: 'NÃO INFORMADO' },
  { codigo: '01', descricao: 'MICRO EMPRESA' },
  { codigo: '03', descricao: 'PEQUENO PORTE' },
  { codigo: '05', descricao: 'DEMAIS' },
] as const
