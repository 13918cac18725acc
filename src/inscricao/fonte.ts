import type { Rota } from '../portal/estado.ts'

const PAGINA = '/servicos/nfenc/Modulos/Geral/NFENC_consulta_cadastro_ccc.aspx'

/**
 * The addresses of SEFAZ-BA's copy of the register, in the order of the tries; over http the document is not
 * encrypted. `hnfe` is its test environment, which clients used last (2025-12).
 */
export const enderecosDoCcc = [
  `https://nfe.sefaz.ba.gov.br${PAGINA}`,
  `http://nfe.sefaz.ba.gov.br${PAGINA}`,
  `https://hnfe.sefaz.ba.gov.br${PAGINA}`,
  `http://hnfe.sefaz.ba.gov.br${PAGINA}`,
] as const

/**
 * The national register of taxpayers (Cadastro Centralizado de Contribuintes), which SEFAZ-BA shows to
 * anybody.
 */
export const fonteCcc = {
  familia: 'ccc',
  source: { id: 'BR/ccc', nome: 'O cadastro nacional (CCC, na página da SEFAZ-BA)' },
  url: enderecosDoCcc[0],
  aceita: ['cnpj'],
  captcha: 'nenhum',
  certeza: 'antigo',
  origem: 'cinco programas de código aberto, de três autores, de 2022-06 a 2025-12',
  em: '2025-12',
  nota: 'Conta CNPJ, inscrição, nome, UF e situação, de todos os estados; só é perguntado por um estado que este serviço não pode consultar (CCC=descoberta). A consulta por CPF ninguém mostrou. Se os dados do endereço hnfe são atuais não se sabe: confira com "fiscal fontes verificar BR".',
} as const satisfies Omit<Rota, 'espera'>

/**
 * The shortest pause between two questions, and the rest after HTTP 403 or 503. Faster clients got 403, 503
 * or dropped connections.
 */
export const PAUSA_MS = 3_000
export const DESCANSO_MS = 15 * 60_000
/** The longest time of an answer, all its pages together. */
export const RESPOSTA_MS = 30_000
/** The longest wait for a turn. After that the question goes on without the register. */
export const ESPERA_MS = 6_000
