import type { Rota } from '../portal/estado.ts'

/** The live register of companies (product Consulta CNPJ of the contract), as `/api/v1/fontes` shows it. */
export const fonteCnpj = {
  familia: 'serpro-cnpj',
  source: { id: 'BR/cnpj', nome: 'A API Consulta CNPJ (SERPRO)' },
  url: 'https://gateway.apiserpro.serpro.gov.br/consulta-cnpj-df/v2/qsa/',
  aceita: ['cnpj'],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'clientes de código aberto da v2 e a página do produto',
  em: '2026',
  nota: 'Contrato pago do SERPRO (SERPRO_KEY e SERPRO_SECRET): ele cobra a resposta completa, a parcial (HTTP 206) e a de CNPJ sem registro (404). O capital social vem em centavos; confira-o na primeira consulta de verdade.',
} as const satisfies Omit<Rota, 'espera'>
