import type { FastifyInstance } from 'fastify'
import { findLancamentos, findPedido } from '../contas/lookup-usos.ts'
import { periodoOf } from '../documento/dia.ts'
import { findUf, unidades } from '../documento/uf.ts'
import { ApiError } from '../platform/errors.ts'
import { writeReais } from '../platform/ledger/rules.ts'
import { groups, markup } from '../platform/pages/erros-textos.ts'
import { countOf, formatNumero, formatQuando, formatTempo } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { quandoRepetir } from '../platform/wire/fonte.ts'
import { custoDoEndpoint, isSemXml, nomeDoEndpoint, seloDoDesfecho } from './chamadas.ts'
import type { Sala } from './sala.ts'

type Detalhe = NonNullable<Awaited<ReturnType<typeof findPedido>>> & { prefixo: string; isGuardada: boolean }

const paginaDoPedido = (detalhe: Detalhe): Html =>
  html`<div class="topo"><div><p class="suave trilha"><a href="${url(`${detalhe.prefixo}/painel/registro/`)}">Chamadas</a></p><h1>${nomeDoEndpoint(detalhe.uso.endpoint)}</h1><p class="suave"><code class="chave" data-copia="${detalhe.uso.request_id}">${detalhe.uso.request_id}</code></p></div>${seloDoDesfecho(detalhe.uso)}</div>
<div class="grade ficha">
${cartao({ titulo: 'A chamada', id: 'chamada', classe: 'meio' }, fatos(detalhe.uso))}
<div class="pilha meio">${cartaoDoDesfecho(detalhe)}${cartao({ titulo: 'A resposta', id: 'resposta' }, aResposta(detalhe))}${cartao({ titulo: 'No extrato', id: 'no-extrato' }, noExtrato(detalhe.lancamentos, detalhe.uso.creditos, detalhe.prefixo))}${cartao({ titulo: 'O que não fica guardado', id: 'nao-guardado' }, naoGuardado)}</div>
</div>`

function fatos({
  endpoint,
  request_id,
  criado_em,
  documento,
  uf,
  http,
  cached,
  ms,
  creditos,
}: Detalhe['uso']): Html {
  const inicio = Number.parseInt(request_id.replace('-', '').slice(0, 12), 16)
  const known = findUf(uf)
  const all: readonly [string, Content][] = [
    ['Caminho', html`<code>${endpoint}</code>`],
    ['Começou', instante(inicio)],
    ['Terminou', instante(criado_em)],
    ['Tempo', formatTempo(ms)],
    ['Documento', documento === '' ? 'nenhum' : html`<code>${documento}</code>`],
    ['UF', known ? `${unidades[known].nome} (${known})` : uf || 'nenhuma'],
    ['HTTP', http === 499 ? '499: o cliente saiu antes do fim da resposta' : String(http)],
    ['Do cache', cached > 0 ? 'sim' : 'não'],
    ['Créditos', formatNumero(creditos)],
  ]
  return html`<dl class="fatos">${all.map(([nome, valor]) => html`<dt>${nome}</dt><dd>${valor}</dd>`)}</dl>`
}

const instante = (ms: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${formatQuando(ms)}</time>`

/** What the code means, as the page of codes says it; what a delivery says by itself where there is none. */
function cartaoDoDesfecho({ uso, prefixo }: Detalhe): Html {
  const { http, error_code, fonte_code } = uso
  const told = error_code || fonte_code
  const known = groups.flatMap(({ entries }) => entries).find(({ code }) => code === told)
  if (known) {
    const { title, meaning, action, retryS, repeat = '' } = known
    return cartao(
      {
        titulo: title,
        id: 'desfecho',
        lado: html`<a href="${url(`${prefixo}/erros#${told}`)}">${told}</a>`,
      },
      html`${error_code === '' && naFonte(uso)}<dl class="fatos"><dt>O que significa</dt><dd>${markup(meaning)}</dd><dt>O que fazer</dt><dd>${markup(action)}</dd><dt>Repetir</dt><dd>${markup(`${retryS === null ? 'Não.' : `Sim. ${quandoRepetir(retryS)}`} ${repeat}`)}</dd></dl>`,
    )
  }
  if (http === 499)
    return cartao(
      { titulo: 'Interrompida pelo cliente', id: 'desfecho' },
      html`<p>O cliente desligou antes de receber a resposta inteira. O que já havia sido cobrado aparece abaixo.</p>`,
    )
  if (isSemXml(uso))
    return cartao(
      { titulo: 'Sem o XML', id: 'desfecho' },
      html`<p>A SEFAZ respondeu, mas o XML não veio: só o resumo da nota, ou nada. Nada foi cobrado.</p>`,
    )
  return cartao(
    { titulo: uso.fontes_falhas > 0 ? 'Entregue em parte' : 'Entregue', id: 'desfecho' },
    uso.fontes_falhas > 0 ? naFonte(uso) : html`<p>A resposta foi entregue inteira.</p>`,
  )
}

/** An answer with HTTP 200 may tell failures all the same. */
const naFonte = ({ fontes_falhas, fonte_code }: Detalhe['uso']): Html =>
  html`<p>A resposta foi entregue, com HTTP 200, e nela ${countOf(fontes_falhas, 'fonte diz', 'fontes dizem')} em <code>source_status</code> que não deu certo${fontes_falhas > 1 && fonte_code !== '' && html`, a primeira com <code>${fonte_code}</code>`}.</p>`

/** The process died after the charge and before it wrote the call down: the books are the trace of it. */
const paginaDaPerdida = (pedido: string, lancamentos: Lancamentos, prefixo: string): Html =>
  html`<div class="topo"><div><p class="suave trilha"><a href="${url(`${prefixo}/painel/registro/`)}">Registro</a></p><h1>Cobrada, e não registrada</h1><p class="suave"><code class="chave">${pedido}</code></p></div></div>
<div class="grade ficha">${cartao({ titulo: 'O que houve', id: 'o-que-houve', classe: 'meio' }, html`<p>O serviço parou depois de cobrar esta chamada e antes de escrevê-la no registro. A resposta pode ter se perdido com ele. Fale com quem opera o serviço: ele pode devolver os créditos por este número.</p>`)}${cartao({ titulo: 'No extrato', id: 'no-extrato', classe: 'meio' }, noExtrato(lancamentos, 0, prefixo))}</div>`

type Lancamentos = Detalhe['lancamentos']

const tipos: Readonly<Record<string, string>> = {
  charge: 'Cobrança',
  renewal: 'Renovação da cota',
  grant: 'Créditos extras',
  debit: 'Débito do operador',
}

function noExtrato(lancamentos: Lancamentos, creditos: number, prefixo: string): Content {
  if (lancamentos.length === 0)
    return html`<p>${creditos === 0 ? 'Nada foi cobrado: não há lançamento.' : 'O lançamento desta chamada ainda não aparece.'}</p>`
  return lancamentos.map(
    ({ tipo, creditos: size, extra, reais, criado_em }) =>
      html`<p>${tipos[tipo] ?? tipo} de <strong>${countOf(size, 'crédito', 'créditos')}</strong>${extra < 0 && `, ${formatNumero(-extra)} dos extras`}${reais !== null && `, ${writeReais(reais)}`}, em ${instante(criado_em)}. <a href="${url(`${prefixo}/painel/extrato/${periodoOf(new Date(criado_em))}/`)}">Ver o extrato do mês</a></p>`,
  )
}

/** The answer itself, while it is kept; else what asking again costs. */
function aResposta({ uso: { endpoint, request_id }, prefixo, isGuardada }: Detalhe): Html {
  if (isGuardada)
    return html`<p>Ainda está guardada: vê-la de novo não custa nada. <a href="${url(`${prefixo}/painel/consultas/${request_id}/`)}">Ver a resposta</a></p>`
  const custo = custoDoEndpoint(endpoint)
  return html`<p>Não está guardada. Perguntar de novo: ${markup(custo)} <a href="${url(`${prefixo}/painel/consultar/`)}">Consultar</a></p>`
}

const naoGuardado = html`<p>No registro não fica a resposta, que só se guarda pelo tempo de Configurações, nem o documento sem máscara, nem os outros parâmetros da chamada, nem o endereço de quem chamou. O registro fica 90 dias; o lançamento, para sempre.</p>`

const UUID = /^(?:urn:uuid:)?([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i

/** The number of a request of ours (a UUID of version 7); undefined for any other text. */
export const readPedido = (text: string): string | undefined => UUID.exec(text)?.[1]?.toLowerCase()

export function openPedido(scope: FastifyInstance, { room, moldura, logadoDe, draw }: Sala): void {
  scope.get('/:pedido/', async (request, reply) => {
    const { pedido: given } = Object(request.params)
    const pedido = readPedido(String(given))
    const { id } = logadoDe(request).conta
    const found = pedido && (await findPedido(room, id, pedido))
    const lancamentos = pedido && !found ? await findLancamentos(room, id, pedido) : []
    if (lancamentos.length > 0)
      return draw(request, reply, {
        titulo: `Chamada ${pedido}`,
        descricao: 'Uma chamada que foi cobrada e não chegou ao registro.',
        atual: 'registro',
        conteudo: paginaDaPerdida(String(pedido), lancamentos, moldura.prefixo),
      })
    if (!found)
      throw new ApiError(
        'ROTA_NAO_ENCONTRADA',
        'Nenhuma chamada desta conta tem este número nos últimos 90 dias.',
      )
    const { request_id } = found.uso
    const isGuardada = (await room.guardadas.listOf(id, [request_id])).has(request_id)
    return draw(request, reply, {
      titulo: `${nomeDoEndpoint(found.uso.endpoint)}, ${pedido}`,
      descricao: 'Uma chamada da conta, o que ela foi e o que custou.',
      atual: 'registro',
      conteudo: paginaDoPedido({ ...found, isGuardada, prefixo: moldura.prefixo }),
    })
  })
}
