import type { Rota } from '../portal/estado.ts'
import { HOST_DO_SIGEF } from './rules-sigef.ts'

/**
 * SIGEF, the land agency's register of certified parcels. It shows them to whoever entered by gov.br (public
 * clients, 2025-02 to 2026-01).
 */
export const fonteSigef = {
  familia: 'sigef',
  source: { id: 'BR/sigef', nome: 'O SIGEF (INCRA)' },
  url: `https://${HOST_DO_SIGEF}`,
  aceita: ['cpf', 'cnpj'],
  captcha: 'nenhum',
  certeza: 'antigo',
  origem: 'clientes de código aberto, de 2020 a 2026-01, e uma página de parcela capturada',
  em: '2026-01-18',
  nota: 'Só responde na sessão de quem entrou pelo gov.br (nível prata ou mais): o operador a importa com "fiscal sigef sessao importar", e o serviço a renova enquanto o login dura. A busca por CPF ou CNPJ, ninguém a mostrou desde que o login é exigido.',
} as const satisfies Omit<Rota, 'espera'>

/** INCRA's open map of certified parcels. It names no holder, so it only adds to parcels that are known. */
export const fonteAcervo = {
  familia: 'wfs',
  source: { id: 'BR/acervo-fundiario', nome: 'O acervo fundiário (INCRA)' },
  url: 'https://acervofundiario.incra.gov.br/i3geo/ogc.php',
  // It is asked by the code of a parcel.
  aceita: [],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'clientes de código aberto do mapa (i3geo)',
  em: '2026',
  nota: 'Mapa aberto, lento e instável: dá só a data de certificação das parcelas que o SIGEF já achou (SIGEF_WFS). Sem ele, o campo fica vazio.',
} as const satisfies Omit<Rota, 'espera'>

/** The shortest time between two questions, and how many are under way at once. We chose them with care. */
export const PAUSA_MS = 500
export const SIMULTANEAS = 2

/** The longest time of one page. */
export const PAGINA_MS = 40_000

/** No holder that we know of has more. A list that goes on is not read to its end. */
export const MAIS_FOLHAS = 200
export const MAIS_PARCELAS = 2_000
