import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type MesDoExtrato, mesesDoExtrato } from '../contas/extrato.ts'
import { ApiError } from '../platform/errors.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import { abrirDownloads, type Celula, enviarCsv } from '../platform/pages/csv.ts'
import { openSelo } from '../platform/secrets.ts'
import { nomeDoMes } from './extrato-textos.ts'
import { folhaDoMes, LINHAS_DA_FOLHA, paginaDoMes, paginaDosMeses } from './paginas.ts'
import type { Sala } from './painel.ts'
import { COLUNAS, celulasDe } from './planilha.ts'

/** The lines of a page. */
const LINHAS = 100
/** The longest mark of ours has some 200 characters, for a request that the operator named. */
const MAIOR_MARCA = 2_000

type NoMes = { Params: { mes: string }; Querystring: { depois?: string | string[] } }
type Fim = MesDoExtrato['fim']

/** The statement: its months, the lines of one, the same as CSV and on paper. */
export function abrirExtrato(scope: FastifyInstance, sala: Sala): void {
  const { ctx, moldura, escrever, logadoDe } = sala
  const { ledger } = ctx.store
  const marcas = abrirMarcas(ctx.store.secret)
  const baixar = abrirDownloads()

  /** The month that an address names, with what is held where it is the newest. Throws 404. */
  async function mesDe(conta_id: string, nome: string) {
    const livro = await ledger.livro(conta_id)
    const mes = mesesDoExtrato(livro).find((one) => one.mes === nome)
    if (!mes) throw new ApiError('ROTA_NAO_ENCONTRADA', 'A conta não tem lançamentos neste mês.')
    const agora = nome === livro.saldo.periodo ? { reservados: livro.reservados } : undefined
    return { mes, agora }
  }

  scope.get('/', async (request, reply) => {
    const meses = mesesDoExtrato(await ledger.livro(logadoDe(request).conta.id))
    return escrever(request, reply, {
      titulo: 'Extrato',
      descricao: 'O extrato de créditos da conta, mês a mês.',
      atual: 'extrato',
      conteudo: paginaDosMeses(meses, moldura.prefixo),
    })
  })

  scope.get<NoMes>('/:mes/', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const { depois } = request.query
    const { mes, agora } = await mesDe(id, request.params.mes)
    const marca = { conta_id: id, mes: mes.mes }
    const de = depois === undefined ? mes.fim : marcas.ler(depois, marca)
    const { lancamentos, seguinte } = await ledger.pagina({ de, limite: LINHAS })
    const parte = {
      mes,
      agora,
      lancamentos,
      primeira: depois === undefined,
      depois: seguinte && marcas.escrever(seguinte, marca),
    }
    return escrever(request, reply, {
      titulo: `Extrato de ${nomeDoMes(mes.mes)}`,
      descricao: 'Os lançamentos de um mês do extrato de créditos.',
      atual: 'extrato',
      conteudo: paginaDoMes(parte, { prefixo: moldura.prefixo, agora: ctx.now() }),
    })
  })

  scope.get<NoMes>('/:mes/extrato.csv', async (request, reply) => {
    const { id } = logadoDe(request).conta
    const { mes } = await mesDe(id, request.params.mes)
    return enviarCsv(reply, {
      arquivo: `extrato-${mes.mes}.csv`,
      cabecalho: COLUNAS,
      lotes: baixar(id, lotesDe(ledger, mes.fim)),
    })
  })

  scope.get<NoMes>('/:mes/imprimir/', async (request, reply) => {
    const { conta } = logadoDe(request)
    const { mes, agora } = await mesDe(conta.id, request.params.mes)
    const { lancamentos } = await ledger.pagina({ de: mes.fim, limite: LINHAS_DA_FOLHA })
    const emissor = moldura.publico ? `Consulta Fiscal, ${moldura.publico}` : 'Consulta Fiscal'
    const { nome, email, plano } = conta
    const emissao = { nome, email, plano, emissor, agora: ctx.now() }
    return escrever(request, reply, {
      titulo: `Extrato de ${nomeDoMes(mes.mes)}`,
      descricao: 'O extrato de créditos de um mês, em folha para imprimir.',
      atual: 'extrato',
      conteudo: folhaDoMes({ mes, agora, lancamentos }, emissao, moldura.prefixo),
    })
  })
}

/** The entries that one query of a file reads. */
const FATIA = 500

/** The lines of a month for a file, from its newest entry. */
async function* lotesDe({ pagina }: Pick<Ledger, 'pagina'>, fim: Fim): AsyncGenerator<Celula[][], void> {
  for (let de: Fim | undefined = fim; de; ) {
    const { lancamentos, seguinte } = await pagina({ de, limite: FATIA })
    yield lancamentos.map(celulasDe)
    de = seguinte
    // The embedded database answers on the thread that serves: others have their turn between two slices.
    await nextTurn()
  }
}

type Onde = { conta_id: string; mes: string }

/**
 * Marks of places in a month, for addresses: sealed with account and month, so that none of another account
 * or month opens.
 */
function abrirMarcas(secret: string) {
  const selo = openSelo(secret, 'extrato')
  const aad = ({ conta_id, mes }: Onde): string => `${conta_id} ${mes}`
  return {
    escrever: ({ request_id, tipo }: Fim, onde: Onde): string =>
      selo.seal(`${tipo} ${request_id}`, aad(onde)),
    /** Throws PARAMETRO_INVALIDO for a mark that is not of this place. */
    ler: (marca: string | string[], onde: Onde): Fim => {
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
