import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type LinhaDoExtrato, type MesDoExtrato, mesesDoExtrato } from '../contas/lookup.ts'
import { dataBrasileira } from '../documento/dia.ts'
import { dateFormat, numberFormat } from '../documento/formato.ts'
import { ApiError } from '../platform/errors.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import { nomeDoPlano, writeReais } from '../platform/ledger/rules.ts'
import { type Celula, openDownloads, sendCsv } from '../platform/pages/csv.ts'
import { formatInstante, formatNumero } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { cartao } from '../platform/pages/layout.ts'
import { openSelo } from '../platform/secrets.ts'
import { nomeDoEndpoint } from './chamadas.ts'
import type { Sala } from './sala.ts'

const mesEAno = dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' })
// Made once: a sheet of paper has a thousand lines.
const sinalizado = numberFormat({ signDisplay: 'exceptZero' })

/** `novembro de 2026`, of a month AAAA-MM. */
const nomeDoMes = (mes: string): string => mesEAno.format(new Date(`${mes}-15T00:00:00Z`))

/** `+100`, `−3`, `0`: what an entry adds to the balance. */
const comSinal = (value: number): string => sinalizado.format(value).replace('-', '−')

/** `R$ 2,00`, or a dash where there is no price. */
const emReais = (reais: string | null): string => (reais === null ? '–' : writeReais(reais))

const movimento = ({ cota, extra }: Pick<LinhaDoExtrato, 'cota' | 'extra'>): number => cota + extra

/** What an entry is, and of what: the endpoint of a call, or the reason that somebody gave. */
function tell({ tipo, endpoint, cota, extra, creditos }: LinhaDoExtrato): { oque: string; deque: string } {
  switch (tipo) {
    case 'charge':
      return { oque: nomeDoEndpoint(endpoint), deque: endpoint }
    case 'grant':
      return cota > 0 && extra === 0
        ? { oque: 'Aumento da cota', deque: endpoint.replace(/(?<=^plano )./, (one) => one.toUpperCase()) }
        : { oque: 'Créditos extras', deque: endpoint }
    case 'debit':
      return { oque: 'Ajuste do operador', deque: endpoint }
    case 'renewal':
      return { oque: 'Renovação da cota', deque: renovacao(creditos, creditos - cota) }
    case 'release':
      return { oque: 'Cota reservada que venceu', deque: endpoint }
    case 'hold':
      return { oque: 'Reserva', deque: endpoint }
  }
}

const renovacao = (cota: number, vencida: number): string =>
  vencida > 0
    ? `${formatNumero(cota)} créditos; ${formatNumero(vencida)} do mês anterior venceram`
    : `${formatNumero(cota)} créditos`

/** The columns of a statement as CSV. Those of credits add up to the closing less the opening balance. */
const COLUNAS = [
  'Data e hora (Brasília)',
  'Lançamento',
  'Consulta ou motivo',
  'Identificador',
  'Créditos',
  'Da cota',
  'Dos extras',
  'Reais',
]

/** A line of a statement in these columns. An entry without a price leaves the last one empty. */
function celulasDe(lancamento: LinhaDoExtrato): Celula[] {
  const { criado_em, request_id, cota, extra, reais } = lancamento
  const { oque, deque } = tell(lancamento)
  return [
    formatInstante(criado_em),
    oque,
    deque,
    request_id,
    movimento(lancamento),
    cota,
    extra,
    reais === null ? '' : { decimal: reais },
  ]
}

/** How long the request log keeps a call. */
const REGISTRO_MS = 90 * 86_400_000

/** Where the lines link to: the log of requests, as far back as it goes at `agora`. */
type DestinoDasLinhas = { prefixo: string; agora: Date }

/** Entries as a table, newest first. Without `destino` the ids of requests are whole, as on paper. */
function tabelaDeLinhas(lancamentos: readonly LinhaDoExtrato[], destino?: DestinoDasLinhas): Html {
  const hasPedido = lancamentos.some(deConsulta)
  const hasReais = lancamentos.some(({ reais }) => reais !== null)
  const linha = (lancamento: LinhaDoExtrato): Html => {
    const { oque, deque } = tell(lancamento)
    const { criado_em, reais } = lancamento
    return html`<tr><td class="quando"><time datetime="${criado_em.toISOString()}">${formatInstante(criado_em)}</time></td><td class="folgada">${oque}${!deConsulta(lancamento) && html` <span class="suave">${deque}</span>`}</td>${
      hasPedido && html`<td class="pedido">${pedido(lancamento, destino)}</td>`
    }<td class="num creditos">${comSinal(movimento(lancamento))}</td>${hasReais && html`<td class="num reais">${emReais(reais)}</td>`}</tr>`
  }
  return html`<table class="justa linhas"><thead><tr><th scope="col">Quando</th><th scope="col" class="folgada">Lançamento</th>${hasPedido && html`<th scope="col">Pedido</th>`}<th scope="col" class="num">Créditos</th>${hasReais && html`<th scope="col" class="num">Reais</th>`}</tr></thead><tbody>${lancamentos.map(linha)}</tbody></table>`
}

const deConsulta = ({ tipo }: LinhaDoExtrato): boolean =>
  tipo === 'charge' || tipo === 'release' || tipo === 'hold'

function pedido(lancamento: LinhaDoExtrato, destino: DestinoDasLinhas | undefined): Content {
  if (!deConsulta(lancamento)) return undefined
  const { request_id, criado_em } = lancamento
  if (!destino) return html`<code>${request_id}</code>`
  const curto = html`<code>${request_id.slice(-8)}</code>`
  if (destino.agora.getTime() - criado_em.getTime() >= REGISTRO_MS)
    return html`<span title="${request_id}" data-copia="${request_id}">${curto}</span>`
  const endereco = `${destino.prefixo}/painel/registro/${encodeURIComponent(request_id)}/`
  return html`<a href="${url(endereco)}" title="${request_id}" data-copia="${request_id}">${curto}</a>`
}

function quadroDoSaldo(mes: MesDoExtrato, agora: { reservados: number } | undefined, titulo = 'Saldo'): Html {
  const linhas: readonly [nome: string, creditos: number, sempre: boolean][] = [
    ['Cota do mês anterior que venceu', -mes.vencida, false],
    ['Cota do mês', mes.cota, true],
    ['Créditos extras concedidos', mes.concedidos, false],
    ['Consultas cobradas', -mes.cobrados, true],
    ['Ajustes do operador', -mes.debitados, false],
    ['Reservas encerradas', mes.reservas, false],
  ]
  return cartao(
    { titulo, id: 'saldo', lado: html`<span class="suave">em créditos</span>` },
    html`<table class="conta-do-mes"><tbody><tr><th scope="row">Saldo inicial</th><td class="num">${formatNumero(mes.inicial)}</td></tr>${linhas
      .filter(([, creditos, sempre]) => sempre || creditos !== 0)
      .map(
        ([nome, creditos]) =>
          html`<tr><th scope="row">${nome}</th><td class="num">${comSinal(creditos)}</td></tr>`,
      )}<tr class="final"><th scope="row">Saldo final</th><td class="num">${formatNumero(mes.final)}</td></tr></tbody></table>${
      agora !== undefined &&
      html`<p class="suave">Até agora.${agora.reservados > 0 && ` Do saldo, ${formatNumero(agora.reservados)} estão reservados para consultas em andamento.`} O que sobra da cota vence na renovação, no primeiro dia do mês; créditos extras não vencem.</p>`
    }`,
  )
}

const quadroPorConsulta = (mes: MesDoExtrato): Html =>
  cartao(
    {
      titulo: 'Por consulta',
      id: 'por-consulta',
      lado: mes.reais !== null && html`<span class="suave">XML da NF-e: ${writeReais(mes.reais)}</span>`,
    },
    mes.porConsulta.length === 0
      ? html`<p class="vazio">Nenhuma consulta foi cobrada em ${nomeDoMes(mes.mes)}.</p>`
      : html`${tabelaPorConsulta(mes.porConsulta)}${avisoDosPrecos(mes)}`,
  )

/** What cost most comes first. */
function tabelaPorConsulta(linhas: MesDoExtrato['porConsulta']): Html {
  const hasReais = linhas.some(({ reais }) => reais !== null)
  return html`<table class="justa"><thead><tr><th scope="col" class="folgada">Consulta</th><th scope="col" class="num">Cobradas</th><th scope="col" class="num">Créditos</th>${hasReais && html`<th scope="col" class="num largo">Reais</th>`}</tr></thead><tbody>${linhas
    .toSorted((a, b) => b.creditos - a.creditos)
    .map(
      ({ endpoint, chamadas, creditos, reais }) =>
        html`<tr><th scope="row" class="folgada" title="${endpoint}">${nomeDoEndpoint(endpoint)}</th><td class="num">${formatNumero(chamadas)}</td><td class="num">${formatNumero(creditos)}</td>${hasReais && html`<td class="num largo">${emReais(reais)}</td>`}</tr>`,
    )}</tbody></table>`
}

/** What the column of BRL leaves out, and why. */
const avisoDosPrecos = ({ notasSemPreco, reais }: MesDoExtrato): Html | false =>
  (notasSemPreco > 0 || reais !== null) &&
  html`<p class="suave">Só o XML da NF-e tem preço em reais, pelo plano do momento da cobrança.${
    notasSemPreco > 0 &&
    ` ${formatNumero(notasSemPreco)} ${notasSemPreco === 1 ? 'nota está' : 'notas estão'} sem preço aqui: ${
      notasSemPreco === 1 ? 'foi cobrada' : 'foram cobradas'
    } antes de o extrato guardar o preço, ou por conta negociada sem preço em reais.`
  }</p>`

const RAIZ = '/painel/extrato/'

/** What a month did to the balance: a column that is zero in all of them tells nothing. */
const colunasDosMeses: readonly [nome: string, valor: (mes: MesDoExtrato) => number, classe: string][] = [
  ['Cota', ({ cota, vencida }) => cota - vencida, 'largo'],
  ['Extras', ({ concedidos }) => concedidos, 'largo'],
  ['Cobrados', ({ cobrados }) => -cobrados, ''],
  ['Ajustes do operador', ({ debitados }) => -debitados, 'largo'],
]

function paginaDosMeses({ meses, saldo, reservados }: LivroAberto, prefixo: string): Html {
  const hasReais = meses.some(({ reais }) => reais !== null)
  const colunas = colunasDosMeses.filter(([, valor]) => meses.some((mes) => valor(mes) !== 0))
  const aberto = meses.find(({ mes }) => mes === saldo.periodo)
  return html`<div class="topo"><div><h1>Extrato</h1><p class="suave">Cada mês começa e termina à meia-noite de Brasília.</p></div></div>
<div class="extrato">${
    aberto &&
    html`<div class="par-de-quadros">${quadroDoSaldo(aberto, { reservados }, `Saldo de ${nomeDoMes(aberto.mes)}`)}${quadroPorConsulta(aberto)}</div>`
  }${cartao(
    { titulo: 'Meses', id: 'meses', lado: html`<span class="suave">em créditos</span>` },
    html`<table class="meses justa"><thead><tr><th scope="col" class="folgada">Mês</th><th scope="col" class="num largo">Saldo inicial</th>${colunas.map(([nome, , classe]) => html`<th scope="col" class="num ${classe}">${nome}</th>`)}<th scope="col" class="num">Saldo final</th>${hasReais && html`<th scope="col" class="num">Reais</th>`}</tr></thead><tbody>${meses.map(
      (mes) =>
        html`<tr><th scope="row" class="folgada"><a href="${url(`${prefixo}${RAIZ}${mes.mes}/`)}">${nomeDoMes(mes.mes)}</a></th><td class="num largo">${formatNumero(mes.inicial)}</td>${colunas.map(([, valor, classe]) => html`<td class="num ${classe}">${comSinal(valor(mes))}</td>`)}<td class="num">${formatNumero(mes.final)}</td>${hasReais && html`<td class="num">${emReais(mes.reais)}</td>`}</tr>`,
    )}</tbody></table><p class="suave">Abra um mês para ver cada lançamento.<span class="largo"> Em Cota já está descontado o que venceu do mês anterior.</span>${hasReais && ' Só o XML da NF-e tem preço em reais.'}</p>`,
  )}</div>`
}

type LivroAberto = { meses: readonly MesDoExtrato[]; saldo: { periodo: string }; reservados: number }

type ParteDoMes = {
  mes: MesDoExtrato
  /** What open calls hold; undefined for a month that ended. */
  agora: { reservados: number } | undefined
  lancamentos: readonly LinhaDoExtrato[]
  primeira: boolean
  /** The mark from which older lines are read; undefined where there are none. */
  depois: string | undefined
}

function paginaDoMes(parte: ParteDoMes, destino: DestinoDasLinhas): Html {
  const { mes, agora, lancamentos, primeira } = parte
  const endereco = `${destino.prefixo}${RAIZ}${mes.mes}/`
  return html`<div class="topo"><div><h1>Extrato de ${nomeDoMes(mes.mes)}</h1><p class="suave"><a href="${url(destino.prefixo + RAIZ)}">Todos os meses</a></p></div><p class="acoes sem-papel"><a class="discreto" href="${url(`${endereco}extrato.csv`)}" download="">Baixar CSV</a> <a href="${url(`${endereco}imprimir/`)}">Folha para imprimir</a></p></div>
<div class="extrato">${primeira && html`<div class="par-de-quadros">${quadroDoSaldo(mes, agora)}${quadroPorConsulta(mes)}</div>`}
${cartao(
  {
    titulo: 'Lançamentos',
    id: 'lancamentos',
    lado: html`<span class="suave">${formatNumero(mes.lancamentos)} no mês, do mais novo ao mais antigo</span>`,
  },
  html`${tabelaDeLinhas(lancamentos, destino)}${navegacao(parte, endereco)}`,
)}</div>`
}

const navegacao = ({ primeira, depois }: ParteDoMes, endereco: string): Content =>
  (!primeira || depois !== undefined) &&
  html`<nav class="mais sem-papel" aria-label="Páginas dos lançamentos">${!primeira && html`<a href="${url(endereco)}">Mais novos do mês</a>`} ${
    depois !== undefined && html`<a href="${url(`${endereco}?depois=${depois}`)}" rel="next">Mais antigos</a>`
  }</nav>`

/** The most lines that a sheet holds: some 20 pieces of paper. */
const LINHAS_DA_FOLHA = 1_000

type DadosDaFolha = { nome: string; email: string; plano: string; emissor: string; agora: Date }

const folhaDoMes = (
  { mes, agora, lancamentos }: Pick<ParteDoMes, 'mes' | 'agora' | 'lancamentos'>,
  emissao: DadosDaFolha,
  prefixo: string,
): Html =>
  html`<article class="extrato folha"><h1>Extrato de créditos: ${nomeDoMes(mes.mes)}</h1>
<p class="sem-papel suave">Imprima ou salve em PDF pelo navegador (Ctrl+P). <a href="${url(`${prefixo}${RAIZ}${mes.mes}/`)}">Voltar ao mês</a></p>
<dl class="emissao"><div><dt>Conta</dt><dd>${emissao.nome}</dd></div><div><dt>E-mail</dt><dd>${emissao.email}</dd></div><div><dt>Plano hoje</dt><dd>${emissao.plano}</dd></div><div><dt>Período</dt><dd>${periodoDe(mes.mes)}</dd></div><div><dt>Emitido por</dt><dd>${emissao.emissor}</dd></div><div><dt>Emitido em</dt><dd>${formatInstante(emissao.agora)}, horário de Brasília</dd></div></dl>
<div class="par-de-quadros">${quadroDoSaldo(mes, agora)}${quadroPorConsulta(mes)}</div>
<section class="cartao" aria-labelledby="lancamentos"><header><h2 id="lancamentos">Lançamentos</h2><span class="suave">${formatNumero(mes.lancamentos)} no mês, do mais novo ao mais antigo</span></header>${
    lancamentos.length < mes.lancamentos &&
    html`<p class="faixa-aviso nada">Aqui estão os ${formatNumero(lancamentos.length)} mais novos. Os totais são os do mês inteiro, e o CSV tem todas as linhas.</p>`
  }${tabelaDeLinhas(lancamentos)}</section></article>`

/** `01/11/2026 a 30/11/2026` */
function periodoDe(mes: string): string {
  const [ano, numero] = mes.split('-').map(Number)
  const ultimo = new Date(Date.UTC(ano ?? 0, numero ?? 0, 0)).toISOString().slice(0, 10)
  return `${dataBrasileira(`${mes}-01`)} a ${dataBrasileira(ultimo)}`
}

const LINHAS = 50
/** The longest mark of ours has some 200 characters, for a request that the operator named. */
const MAIOR_MARCA = 2_000

type NoMes = { Params: { mes: string }; Querystring: { depois?: string | string[] } }
type Fim = MesDoExtrato['fim']

/** The statement: its months, the lines of one, the same as CSV and on paper. */
export function openExtrato(scope: FastifyInstance, sala: Sala): void {
  const { room, moldura, draw, logadoDe } = sala
  const { ledger } = room
  const marcas = openMarcas(room.secret)
  const download = openDownloads()

  /** The month that an address names, with what is held where it is the newest. Throws 404. */
  async function mesDe(conta_id: string, nome: string) {
    const livro = await ledger.livro(conta_id)
    const mes = mesesDoExtrato(livro).find((one) => one.mes === nome)
    if (!mes) throw new ApiError('ROTA_NAO_ENCONTRADA', 'A conta não tem lançamentos neste mês.')
    const agora = nome === livro.saldo.periodo ? { reservados: livro.reservados } : undefined
    return { mes, agora }
  }

  scope.get('/', async (request, reply) => {
    const livro = await ledger.livro(logadoDe(request).conta.id)
    return draw(request, reply, {
      titulo: 'Extrato',
      descricao: 'O extrato de créditos da conta, mês a mês.',
      atual: 'extrato',
      conteudo: paginaDosMeses({ ...livro, meses: mesesDoExtrato(livro) }, moldura.prefixo),
    })
  })

  scope.get<NoMes>('/:mes/', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const { depois } = request.query
    const { mes, agora } = await mesDe(id, request.params.mes)
    const marca = { conta_id: id, mes: mes.mes }
    const de = depois === undefined ? mes.fim : marcas.read(depois, marca)
    const { lancamentos, seguinte } = await ledger.pagina(id, { de, limite: LINHAS })
    const parte = {
      mes,
      agora,
      lancamentos,
      primeira: depois === undefined,
      depois: seguinte && marcas.write(seguinte, marca),
    }
    return draw(request, reply, {
      titulo: `Extrato de ${nomeDoMes(mes.mes)}`,
      descricao: 'Os lançamentos de um mês do extrato de créditos.',
      atual: 'extrato',
      conteudo: paginaDoMes(parte, { prefixo: moldura.prefixo, agora: room.now() }),
    })
  })

  scope.get<NoMes>('/:mes/extrato.csv', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const { mes } = await mesDe(id, request.params.mes)
    return sendCsv(reply, {
      arquivo: `extrato-${mes.mes}.csv`,
      cabecalho: COLUNAS,
      lotes: download(id, lotesDe(ledger, id, mes.fim)),
    })
  })

  scope.get<NoMes>('/:mes/imprimir/', async (request, reply) => {
    const { conta } = logadoDe(request)
    const { mes, agora } = await mesDe(conta.id, request.params.mes)
    const { lancamentos } = await ledger.pagina(conta.id, { de: mes.fim, limite: LINHAS_DA_FOLHA })
    const emissor = moldura.publico ? `Consulta Fiscal, ${moldura.publico}` : 'Consulta Fiscal'
    const { nome, email, plano } = conta
    const emissao = { nome, email, plano: nomeDoPlano(plano), emissor, agora: room.now() }
    return draw(request, reply, {
      titulo: `Extrato de ${nomeDoMes(mes.mes)}`,
      descricao: 'O extrato de créditos de um mês, em folha para imprimir.',
      atual: 'extrato',
      conteudo: folhaDoMes({ mes, agora, lancamentos }, emissao, moldura.prefixo),
    })
  })
}

const FATIA = 500

async function* lotesDe(
  { pagina }: Pick<Ledger, 'pagina'>,
  conta_id: string,
  fim: Fim,
): AsyncGenerator<Celula[][], void> {
  for (let de: Fim | undefined = fim; de; ) {
    const { lancamentos, seguinte } = await pagina(conta_id, { de, limite: FATIA })
    yield lancamentos.map(celulasDe)
    de = seguinte
    // The embedded database answers on the thread that serves: others have their turn between two slices.
    await nextTurn()
  }
}

type Onde = { conta_id: string; mes: string }

/** Sealed with account and month, so that none of another account or month opens. */
function openMarcas(secret: string) {
  const selo = openSelo(secret, 'extrato')
  const aad = ({ conta_id, mes }: Onde): string => `${conta_id} ${mes}`
  return {
    write: ({ request_id, tipo }: Fim, onde: Onde): string => selo.seal(`${tipo} ${request_id}`, aad(onde)),
    /** Throws PARAMETRO_INVALIDO for a mark that is not of this place. */
    read: (marca: string | string[], onde: Onde): Fim => {
      const texto =
        typeof marca === 'string' && marca.length <= MAIOR_MARCA ? selo.open(marca, aad(onde)) : undefined
      const [, tipo, request_id] = /^(\w+) (.+)$/s.exec(String(texto ?? '')) ?? []
      if (!isTipo(tipo) || request_id === undefined)
        throw new ApiError(
          'PARAMETRO_INVALIDO',
          'O endereço desta página do extrato não vale. Abra o mês de novo e siga por "Mais antigos".',
        )
      return { request_id, tipo }
    },
  }
}

const TIPOS: ReadonlySet<string> = new Set<Fim['tipo']>([
  'hold',
  'charge',
  'release',
  'grant',
  'renewal',
  'debit',
])

const isTipo = (text: string | undefined): text is Fim['tipo'] => text !== undefined && TIPOS.has(text)
