/** The themes of the reference page, in its order, each with what it says of itself. */
const themes = {
  'Inscrição estadual':
    'Inscrições estaduais (IE) de um CPF ou CNPJ, perguntadas às secretarias da fazenda: em um estado, ou nos 27 de uma vez.',
  Certidões: 'Certidões de débitos (CND), emitidas na página de cada órgão, com o PDF quando há.',
  CNPJ: 'Cadastro de empresas da Receita Federal.',
  'Imóveis rurais':
    'Imóveis e parcelas de um CPF ou CNPJ: no cadastro da Receita Federal (CNIR/CAFIR) e no SIGEF do INCRA.',
  'Produtor rural': 'O que várias fontes dizem de um produtor, em uma resposta.',
  'NF-e': 'O XML das notas fiscais eletrônicas, pedido à SEFAZ com o certificado do cliente.',
  SEFAZ:
    'Se as SEFAZ autorizam notas agora, como responderam nos últimos 90 dias, e o que fazer quando caem. Não custa créditos.',
  Rejeições:
    'O que quer dizer cada rejeição da NF-e e da NFC-e, como resolver, e o diagnóstico da sua própria nota.',
  Conta:
    'Plano, limites, créditos e uso da conta que pergunta; cadastro, login e o fim dele. Não custam créditos.',
  Serviço: 'De onde vêm as respostas, e como as fontes têm respondido. Não custam créditos.',
} as const

/** The theme of an endpoint. */
export type Tag = keyof typeof themes

/** The themes that these endpoints have, as OpenAPI lists them. */
export const listTags = (used: ReadonlySet<string>): { name: string; description: string }[] =>
  Object.entries(themes)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
