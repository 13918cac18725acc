/** The categories of the rejection catalogue (specification, "Rejection catalogue entry"). */
export const categorias = [
  'Chave de Acesso',
  'Pagamento',
  'Evento',
  'Destinatário',
  'Emitente',
  'Certificado Digital',
  'Duplicidade',
  'Schema XML',
  'ICMS/Tributação',
  'Produto/Item',
  'Transporte',
  'Autorização/Contingência',
  'Totalização/Valores',
  'Data/Prazo',
  'Número/Série',
  'Operação/Fiscal',
  'Outros',
] as const

export type Categoria = (typeof categorias)[number]
