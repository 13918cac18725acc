import type { FastifyInstance } from 'fastify'
import { findLancamentos, findPedido } from '../contas/lookup-usos.ts'
import { periodoOf } from '../documento/dia.ts'
import { findUf, unidades } from '../documento/uf.ts'
import { ApiError } from '../platform/errors.ts'
import { writeReais } from '../platform/ledger/rules.ts'
import { findEntry, markup } from '../platform/pages/erros-textos.ts'
import { countOf, formatNumero, formatQuando, formatTempo } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { quandoRepetir } from '../platform/wire/fonte.ts'
import {
  custoDoEndpoint,
  ditoDoDocumento,
  faltaEm,
  isFalha,
  NOTA,
  nomeDoEndpoint,
  respostaEm,
  seloDoDesfecho,
} from './chamadas.ts'
import { enderecoDaPergunta } from './consultar/perguntar.ts'
import type { Sala } from './sala.ts'

type Detalhe = NonNullable<Awaited<ReturnType<typeof findPedido>>> & { prefixo: string; isGuardada: boolean }

const paginaDoPedido = (detalhe: Detalhe): Html =>
  html`<div class="topo"><div><p class="suave trilha"><a href="${url(`${detalhe.prefixo}/painel/registro/`)}">Chamadas</a></p><div class="acoes"><h1>${[nomeDoEndpoint(detalhe.uso.endpoint), detalhe.uso.uf].filter(Boolean).join(' · ')}</h1>${seloDoDesfecho(detalhe.uso)}</div><p class="suave"><code class="chave" data-copia="${detalhe.uso.request_id}">${detalhe.uso.request_id}</code></p></div></div>
<div class="grade ficha da-conta">
<div class="pilha meio">${detalhe.isGuardada && !hasPaginaDaFalha(detalhe) && cartaoDaResposta(detalhe)}${cartaoDoDesfecho(detalhe)}${!detalhe.isGuardada && cartaoDaResposta(detalhe)}${paraProgramadores(detalhe)}</div>
<div class="pilha meio">${cartao({ titulo: 'A chamada', id: 'chamada' }, fatos(detalhe.uso))}${cartao({ titulo: 'No extrato', id: 'no-extrato' }, noExtrato(detalhe.lancamentos, detalhe.uso.creditos, detalhe.prefixo))}</div>
</div>
<p class="suave nao-escrito">Neste registro o documento fica só com máscara, sem o endereço de quem perguntou. Ele dura 90 dias; o lançamento no extrato, para sempre. A resposta, cifrada, fica pelo tempo que a conta escolhe em Configurações.</p>`

/** A failure that the dashboard showed: its own page says what to do, of this very source. */
const hasPaginaDaFalha = ({ isGuardada, uso }: Detalhe): boolean =>
  isGuardada && isFalha(uso) && findEntry(uso.error_code || uso.fonte_code) !== undefined

type Fatos = readonly (readonly [nome: string, valor: Content])[]

const listaDe = (all: Fatos, classe = ''): Html =>
  html`<dl class="fatos ${classe}">${all.map(([nome, valor]) => html`<dt>${nome}</dt><dd>${valor}</dd>`)}</dl>`

function fatos({ criado_em, documento, uf, cached, ms, creditos }: Detalhe['uso']): Html {
  const known = findUf(uf)
  const all: (Fatos[number] | false)[] = [
    ['Quando', instante(criado_em)],
    documento !== '' && ['Documento', html`<code>${ditoDoDocumento(documento)}</code>`],
    uf !== '' && ['UF', known ? `${unidades[known].nome} (${known})` : uf],
    cached > 0 && [
      'Resposta',
      `reaproveitada${creditos > 0 ? ', pelo mesmo preço' : ''}: o órgão não foi perguntado de novo`,
    ],
    ['Demorou', formatTempo(ms)],
    ['Custou', creditos === 0 ? 'nada' : countOf(creditos, 'crédito', 'créditos')],
  ]
  return listaDe(all.filter((one) => one !== false))
}

const instante = (ms: number): Html =>
  html`<time datetime="${new Date(ms).toISOString()}">${formatQuando(ms)}</time>`

/** What a program saw of it, and what the page of codes tells who writes programs. */
function paraProgramadores({ uso, prefixo }: Detalhe): Html {
  const { endpoint, request_id, criado_em, http, error_code, fonte_code, fontes_falhas } = uso
  const inicio = Number.parseInt(request_id.replace('-', '').slice(0, 12), 16)
  const code = error_code || fonte_code
  const known = findEntry(code)
  const all: (Fatos[number] | false)[] = [
    ['Caminho', html`<code>${endpoint}</code>`],
    ['HTTP', http === 499 ? '499: o cliente saiu antes do fim da resposta' : String(http)],
    known !== undefined && [
      'Código',
      html`<a href="${url(`${prefixo}/erros#${code}`)}"><code>${code}</code></a>`,
    ],
    ['Começou', instante(inicio)],
    ['Terminou', instante(criado_em)],
    known !== undefined && ['O que fazer', markup(known.action)],
    known?.repeat !== undefined && ['Repetir', markup(known.repeat)],
  ]
  return html`<details class="cartao programadores"><summary><h2>Para programadores</h2></summary>${fontes_falhas > 0 && naFonte(uso)}${listaDe(all.filter((one) => one !== false))}</details>`
}

/** What a failure means, as the page of codes says it. A whole delivery has its badge alone. */
function cartaoDoDesfecho(detalhe: Detalhe): Content {
  const { uso, prefixo } = detalhe
  const { http, error_code, fonte_code, fontes_falhas } = uso
  const known = findEntry(error_code || fonte_code)
  if (known) {
    const { title, meaning, action, retryS } = known
    const fazer = retryS === null ? paraPessoas(action) : vezDe(uso, retryS)
    return cartao(
      // The badge beside the name of the page says the title already, but for several sources.
      { titulo: fontes_falhas > 1 ? title : 'O que houve', id: 'desfecho' },
      hasPaginaDaFalha(detalhe)
        ? html`${quemCalou(uso)}<p>${paraPessoas(meaning)}</p><p class="acoes"><a class="botao" href="${url(respostaEm(prefixo, uso.request_id))}">Abrir a página desta falha</a></p>`
        : html`${quemCalou(uso)}${listaDe(
            [
              ['O que significa', paraPessoas(meaning)],
              ['O que fazer', fazer],
            ],
            'significado',
          )}`,
    )
  }
  if (http === 499)
    return cartao(
      { titulo: 'O que houve', id: 'desfecho' },
      html`<p>Quem perguntou desligou antes de receber a resposta inteira. O que já havia sido cobrado aparece abaixo.</p>`,
    )
  if (faltaEm(uso))
    return cartao(
      { titulo: 'O que houve', id: 'desfecho' },
      html`<p>${uso.endpoint === NOTA ? 'A SEFAZ respondeu, mas o XML não veio: só o resumo da nota, ou nada.' : 'As fontes que responderam não têm nada deste documento.'} Nada foi cobrado.</p>`,
    )
  return (
    fontes_falhas > 0 &&
    cartao(
      { titulo: 'O que faltou', id: 'desfecho' },
      html`<p>A resposta veio, mas ${countOf(fontes_falhas, 'fonte não respondeu', 'fontes não responderam')}. Só se paga o que foi respondido.</p>`,
    )
  )
}

/** Of several sources, how many said nothing; the words below are of the first. */
function quemCalou({ error_code, fontes_falhas }: Detalhe['uso']): Content {
  if (fontes_falhas < 2) return false
  return error_code === ''
    ? html`<p>A resposta veio, mas ${fontes_falhas} fontes não responderam: a primeira, por isto.</p>`
    : html`<p>Nenhuma das ${fontes_falhas} fontes perguntadas respondeu, e nada foi cobrado: a primeira, por isto.</p>`
}

/** A source that cannot be asked as it stands is no failed one, and to repeat the call is in vain. */
function vezDe({ http, fontes_falhas, fonte_code }: Detalhe['uso'], retryS: number): string {
  const isEmVao = http < 400 ? fontes_falhas === 0 : fonte_code !== ''
  return isEmVao
    ? 'Repetir não adianta: este órgão não é consultado por aqui, ou não com este documento. Consulte na página dele, por outro documento do mesmo contribuinte, ou fale com quem opera o serviço.'
    : quandoRepetir(retryS)
}

/** What is said without the words of the API; where all is said with them, all of it. */
function paraPessoas(text: string): Content {
  const dito = text.replace('`request_id`', 'número do pedido')
  const ditas = dito.split(/(?<=\.) /).filter((one) => !one.includes('`'))
  return ditas.length > 0 ? ditas.join(' ') : markup(text)
}

/** An answer with HTTP 200 may tell failures all the same. */
const naFonte = ({ fontes_falhas, fonte_code }: Detalhe['uso']): Html =>
  html`<p>A resposta veio com HTTP 200, e nela ${countOf(fontes_falhas, 'fonte diz', 'fontes dizem')} em <code>source_status</code> que não deu certo${fontes_falhas > 1 && fonte_code !== '' && html`, a primeira com <code>${fonte_code}</code>`}.</p>`

/** The process died after the charge and before it wrote the call down: the books are the trace of it. */
const paginaDaPerdida = (
  pedido: string,
  lancamentos: Lancamentos,
  { prefixo, isGuardada }: Pick<Detalhe, 'prefixo' | 'isGuardada'>,
): Html =>
  html`<div class="topo"><div><p class="suave trilha"><a href="${url(`${prefixo}/painel/registro/`)}">Chamadas</a></p><h1>Cobrada, e não registrada</h1><p class="suave"><code class="chave">${pedido}</code></p></div></div>
<div class="grade ficha">${cartao({ titulo: 'O que houve', id: 'o-que-houve', classe: 'meio' }, html`<p>O serviço parou depois de cobrar esta chamada e antes de escrevê-la no registro. ${isGuardada ? html`A resposta ficou guardada: <a href="${url(respostaEm(prefixo, pedido))}">veja-a</a>, sem custo.` : 'A resposta pode ter se perdido com ele. Fale com quem opera o serviço: ele pode devolver os créditos por este número.'}</p>`)}${cartao({ titulo: 'No extrato', id: 'no-extrato', classe: 'meio' }, noExtrato(lancamentos, 0, prefixo))}</div>`

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

const cartaoDaResposta = (detalhe: Detalhe): Html =>
  cartao({ titulo: 'A resposta', id: 'resposta' }, aResposta(detalhe))

/** The answer itself, while it can be opened; else what asking again costs. */
function aResposta({ uso, prefixo, isGuardada }: Detalhe): Html {
  const { endpoint, request_id } = uso
  if (isGuardada)
    return html`<p>Ainda pode ser aberta, sem custo.</p><p class="acoes"><a class="botao" href="${url(respostaEm(prefixo, request_id))}">Ver a resposta</a></p>`
  const custo = custoDoEndpoint(endpoint)
  const [preco] = /^\d+ créditos?(?: por estado)?/.exec(custo) ?? []
  const endereco = enderecoDaPergunta(prefixo, endpoint)
  return html`<p>${isFalha(uso) ? 'Não houve.' : 'Não está guardada: só ficam as que se pedem no painel, pelo tempo escolhido em Configurações. Chamadas da API não guardam a resposta.'}${preco === undefined && html` Perguntar de novo: ${markup(custo)}`}</p>${endereco !== undefined && html`<p class="acoes"><a class="discreto" href="${url(endereco)}">Perguntar de novo${preco !== undefined && ` · ${preco}`}</a></p>`}`
}

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
    const isGuardada = pedido !== undefined && (await room.guardadas.listOf(id, [pedido])).has(pedido)
    const ao = { prefixo: moldura.prefixo, isGuardada }
    if (lancamentos.length > 0)
      return draw(request, reply, {
        titulo: `Chamada ${pedido}`,
        descricao: 'Uma chamada que foi cobrada e não chegou ao registro.',
        atual: 'registro',
        conteudo: paginaDaPerdida(String(pedido), lancamentos, ao),
      })
    if (!found)
      throw new ApiError(
        'ROTA_NAO_ENCONTRADA',
        'Nenhuma chamada desta conta tem este número nos últimos 90 dias.',
      )
    return draw(request, reply, {
      titulo: `${nomeDoEndpoint(found.uso.endpoint)}, ${pedido}`,
      descricao: 'Uma chamada da conta, o que ela foi e o que custou.',
      atual: 'registro',
      conteudo: paginaDoPedido({ ...found, ...ao }),
    })
  })
}
