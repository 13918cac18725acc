import type { Rota } from '../portal/estado.ts'

/** The register of rural properties, by the operator's connector, as `/api/v1/fontes` shows it. */
export const fonteCnir = {
  familia: 'conector-do-operador',
  source: { id: 'BR/cnir', nome: 'O conector do CNIR' },
  url: 'https://cnir.serpro.gov.br',
  aceita: ['cpf', 'cnpj'],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'contrato deste serviço (docs/cnir-connector.md)',
  em: '2026',
  nota: 'Nenhum órgão publica uma consulta ao CNIR: quem pergunta é o conector do operador (CNIR_URL), e o endereço acima é o do cadastro. A Consulta CCIR do SERPRO não serve: não traz situação, CIB, NIRF nem dados tributários.',
} as const satisfies Omit<Rota, 'espera'>
