import type { ServerResponse } from 'node:http'
import type { Efeito } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import { type Mensagem, send } from '../platform/autoridade.ts'
import { composeFio, composeMensagem } from '../portal/portal.ts'
import { efeitoFederal, findCenarioFederal } from './cenarios.ts'
import type { Portaria } from './token.ts'
import { erroDoGateway, giveToken } from './token.ts'

export type Produto = {
  caminhos: readonly string[]
  /** The document that a request asks about, for the misbehaviours; undefined when it names none. */
  documento: (pedido: Pedido) => string | undefined
  answer: (pedido: Pedido) => Mensagem | Promise<Mensagem>
}

export type MeiosDoContrato = Opcoes & {
  portaria: Portaria
  produtos: readonly Produto[]
  contadores: () => Record<string, unknown>
}

const HOST = 'gateway.apiserpro.serpro.gov.br'
/** No tag of a bill is longer. */
const TAG_MAXIMA = 32
const ESCRITA = { charset: 'utf-8', motor: 'spa' } as const

/** SERPRO's gateway: bearers by client credentials, and the products behind them. */
export function createContrato(meios: MeiosDoContrato): Autoridade {
  const { portaria } = meios
  const tags = new Map<string, number>()
  return {
    nome: 'Gateway de APIs do SERPRO',
    hosts: [HOST],
    asksCertificado: false,
    ambiente: () => ({ federal: portaria.credencial }),
    contadores: () => ({
      federal: { ...portaria.contadores(), tags: Object.fromEntries(tags), ...meios.contadores() },
    }),
    answer: async (pedido, resposta) => {
      if (pedido.caminho === '/token') return send(giveToken(pedido, portaria), resposta)
      const barrado = block(pedido, portaria)
      if (barrado) return send(barrado, resposta)
      const tag = tagDe(pedido)
      if (tag) tags.set(tag, (tags.get(tag) ?? 0) + 1)
      await serve(meios, pedido, resposta)
    },
  }
}

/** What the gateway refuses before a product sees it. */
function block({ cabecalhos }: Pedido, portaria: Portaria): Mensagem | undefined {
  if (cabecalhos.authorization === undefined) return erroDoGateway('sem-token')
  return portaria.accepts(cabecalhos.authorization) ? undefined : erroDoGateway('token-invalido')
}

function tagDe({ cabecalhos }: Pedido): string {
  const dita = cabecalhos['x-request-tag'] ?? ''
  return (typeof dita === 'string' ? dita : '').slice(0, TAG_MAXIMA)
}

const ESPERA = '60'

function erro(documento = ''): Mensagem | undefined {
  const qual = findCenarioFederal(documento)?.erro
  return qual && erroDoGateway(qual, qual === 'estrangulado' ? { 'retry-after': ESPERA } : {})
}

async function serve(meios: MeiosDoContrato, pedido: Pedido, resposta: ServerResponse): Promise<void> {
  const produto = meios.produtos.find(({ caminhos }) =>
    caminhos.some((inicio) => pedido.caminho.startsWith(inicio)),
  )
  if (!produto) return send(erroDoGateway('sem-recurso'), resposta)
  const documento = produto.documento(pedido)
  const efeito: Efeito | undefined =
    documento === undefined ? undefined : efeitoFederal(documento, 'contrato')
  const mensagem = await composeMensagem(
    {
      ...ESCRITA,
      answer: () => erro(documento) ?? produto.answer(pedido),
      fechada: () => erroDoGateway('fora-do-ar'),
      captcha: 'hcaptcha',
    },
    { expirada: () => erroDoGateway('token-invalido') },
    efeito,
  )
  const fio = composeFio(efeito, mensagem, ESCRITA)
  sendWithEfeito(fio.efeito, fio.mensagem, resposta, pedido.conexao, meios.ritmo)
}
