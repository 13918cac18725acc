import type { ServerResponse } from 'node:http'
import type { Autoridade, Pedido } from '../platform/autoridade.ts'
import { enviar, type Mensagem } from '../platform/mensagem.ts'
import { detectarCookies } from '../portal/deteccao.ts'
import { lerPedido } from '../portal/ler.ts'
import { escreverHtml, redirecionar } from '../portal/mensagem.ts'
import { acaso, HORA_MS } from './quedas.ts'
import type { Sefaz } from './sefaz.ts'
import { escreverTabela, tabelas } from './tabela.ts'

const ESCRITA = { charset: 'utf-8', motor: 'asp.net' } as const
const PAGINA = '/portal/disponibilidade.aspx'
const ERRO = '/portal/erro.aspx'
const LEGENDA =
  'Verde: o último teste teve resposta positiva. Amarelo: primeira resposta negativa, por até 10 minutos. Vermelho: as respostas negativas continuam.'

/**
 * The public pages of availability of the NF-e and the CT-e, which ask for no certificate. Nobody publishes
 * one of the NFC-e.
 */
export function criarDisponibilidade(sefaz: Sefaz): Autoridade[] {
  return (['nfe', 'cte'] as const).map((doc) => ({
    nome: `Disponibilidade da ${doc === 'nfe' ? 'NF-e' : 'CT-e'}`,
    hosts: [`www.${doc}.fazenda.gov.br`, `hom.${doc}.fazenda.gov.br`],
    pedeCertificado: false,
    // The page of errors of the NF-e is the national portal's.
    atende: (caminho) =>
      caminho.toLowerCase() === PAGINA || (doc === 'cte' && caminho.toLowerCase() === ERRO),
    responder: (pedido, resposta) => responder(sefaz, doc, pedido, resposta),
  }))
}

async function responder(
  sefaz: Sefaz,
  doc: 'nfe' | 'cte',
  pedido: Pedido,
  resposta: ServerResponse,
): Promise<void> {
  const { cookies } = lerPedido(pedido, ESCRITA)
  const redirecionado = detectarCookies(ESCRITA, { ...pedido, cookies })
  if (redirecionado) return enviar(redirecionado, resposta)
  // The real portals take 4 to 10 seconds.
  await sefaz.esperar(4_000 + Math.round(2_500 * acaso(Math.floor(sefaz.agora().getTime() / 1000))))
  enviar(compor(sefaz, doc, pedido), resposta)
}

function compor(sefaz: Sefaz, doc: 'nfe' | 'cte', { caminho }: Pedido): Mensagem {
  if (caminho.toLowerCase() === ERRO)
    return escreverHtml(ESCRITA, 'Erro', '<p>Ocorreu um erro no processamento da sua solicitação.</p>')
  const caso = sefaz.paginaDe(doc)
  if (caso === 'erro') return redirecionar(ESCRITA, `${ERRO}?aspxerrorpath=${PAGINA}`)
  const verificada = new Date(sefaz.agora().getTime() - (caso === 'velha' ? HORA_MS : 0))
  const tabela = caso === 'sem-tabela' ? '' : escreverTabela(tabelas[doc], sefaz, verificada)
  return escreverHtml(
    ESCRITA,
    'Disponibilidade',
    `<h1>Consultar Disponibilidade</h1>\r\n<div>${tabela}</div>\r\n<p>${LEGENDA}</p>`,
  )
}
