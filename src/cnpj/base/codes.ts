/** Width in digits of the codes of each table. */
export const LARGURA_CODIGO = { cnaes: 7, municipios: 4, naturezas: 4, qualificacoes: 2, motivos: 2 } as const

/**
 * Code of the legal nature "Empresário (Individual)". Every MEI has it, and its name may carry the owner's
 * CPF.
 */
export const EMPRESARIO_INDIVIDUAL = '2135'

/**
 * The place of a situacao_cadastral in this list is what the file holds. The labels are those of the official
 * layout (cnpj-metadados.pdf); 05 is from SERPRO's domain.
 */
export const SITUACOES = [
  { codigo: '', descricao: '' },
  { codigo: '01', descricao: 'NULA' },
  { codigo: '02', descricao: 'ATIVA' },
  { codigo: '03', descricao: 'SUSPENSA' },
  { codigo: '04', descricao: 'INAPTA' },
  { codigo: '05', descricao: 'ATIVA NAO REGULAR' },
  { codigo: '08', descricao: 'BAIXADA' },
] as const

/**
 * The place of a porte in this list is what the file holds. The codes are those of the official layout, the
 * words those of the specification ("PEQUENO PORTE", "DEMAIS").
 */
export const PORTES = [
  { codigo: '', descricao: '' },
  { codigo: '00', descricao: 'NÃO INFORMADO' },
  { codigo: '01', descricao: 'MICRO EMPRESA' },
  { codigo: '03', descricao: 'PEQUENO PORTE' },
  { codigo: '05', descricao: 'DEMAIS' },
] as const
