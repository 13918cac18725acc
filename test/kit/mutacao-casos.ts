import assert from 'node:assert/strict'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import type { Meios, PerguntaCnd } from '../../src/portal/estado.ts'
import type { RespostaDoEstado } from '../../src/portal/rotas.ts'
import { type Alvo, alvos, type Captura, capturar, type Respondida, repetir } from './mutacao-captura.ts'
import { inTurns } from './mutacao-em-turnos.ts'
import {
  colunasTrocadas,
  cortada,
  type Mutacao,
  modeloDeOutro,
  noLugar,
  rotuloTrocado,
  tabelaVazia,
} from './mutacao-mutacoes.ts'
import { perguntaCnd, produtorEm } from './rotas.ts'

/** The question for a route, as the lookup sends it: by CNPJ, or by CPF where it takes no CNPJ. */
export async function perguntaDe(
  { uf, servico, rota }: Alvo,
  meios: Meios,
  documento?: string,
): Promise<PerguntaCnd> {
  const own = rota.aceita.includes('cnpj') ? exemplos().umaInscricao.get(uf) : produtorEm(uf)
  const asked = documento ?? own ?? ''
  if (servico === 'cnd') return perguntaCnd(uf, asked, meios)
  return { tipo: asked.length === 11 ? 'cpf' : 'cnpj', documento: asked, inscricoes: undefined }
}

/** Every mutation of an answer. `outras` are answers of other routes of the same service. */
export function mutacoesDe({ alvo, replies, answer }: Captura, outras: readonly Captura[]): Mutacao[] {
  const last = replies.at(-1)
  if (!last) return []
  const own = { nome: alvo.nome, all: [...noLugar(last), ...cortada(last), ...modeloDeOutro(outras)] }
  const [first] = Array.isArray(answer) ? answer : []
  return first
    ? [
        ...own.all,
        ...rotuloTrocado(last, first),
        ...colunasTrocadas(last, first),
        ...tabelaVazia(last, first),
      ]
    : own.all
}

/** One mutation of one answer. */
export type Caso = { captura: Captura; mutacao: Mutacao }

/** One answer of each route that is asked live. */
export const capturasDe = (meios: () => Meios): Promise<Captura[]> =>
  inTurns(
    alvos.filter(({ rota }) => rota.certeza !== 'desconhecido'),
    4,
    async (alvo) => capturar(alvo, await perguntaDe(alvo, meios()), meios()),
  )

/**
 * The mutations of the answers of all routes: all of each route, or a number of each. Each route begins at
 * another mutation, so that a few routes together see every kind.
 */
export function casosDe(capturas: readonly Captura[], many = Number.POSITIVE_INFINITY): Caso[] {
  return capturas.flatMap((captura, at) => {
    const others = capturas.filter(
      ({ alvo }) => alvo.servico === captura.alvo.servico && alvo.uf !== captura.alvo.uf,
    )
    const outras = [others[at % others.length], others[(at * 7 + 3) % others.length]].flatMap(
      (one) => one ?? [],
    )
    const all = mutacoesDe(captura, outras)
    const count = Math.min(many, all.length)
    return Array.from({ length: count }, (_, n) => all[(at * 3 + n * 5) % all.length] ?? [])
      .flat()
      .map((mutacao) => ({ captura, mutacao }))
  })
}

/**
 * Fails where a mutation gives another answer than the right one, or a failure that is not the source's. A
 * registration may lack a value if an aviso names its field.
 */
export async function provaDe(captura: Captura, mutacao: Mutacao, meios: () => Meios): Promise<void> {
  const what = `${captura.alvo.nome}: ${mutacao.nome}`
  const fim = await repetir(captura, { ...meios(), deadlineMs: 4_000 }, mutacao.reply)
  if ('answer' in fim) {
    assert.deepEqual(fim.answer, withoutLost(captura.answer, fim), what)
    return
  }
  const { error } = fim
  assert.ok(error instanceof SourceError || error instanceof RotaNaoAtende, `${what}: ${error}`)
}

/** The right answer, without the values of the fields that the avisos name and the answer left empty. */
function withoutLost(right: RespostaDoEstado, { answer, avisos }: Respondida): RespostaDoEstado {
  if (!Array.isArray(right) || !Array.isArray(answer)) return right
  const named = new Set(avisos.flatMap((aviso) => aviso.match(/\b[a-z]+(?:_[a-z]+)*\b/g) ?? []))
  return right.map((inscricao, at) => {
    const lost = Object.entries(answer[at] ?? {}).filter(([campo, value]) => value === '' && named.has(campo))
    return { ...inscricao, ...Object.fromEntries(lost) }
  })
}

/** Documents of the world that a state knows, in the world's order. */
export const documentosDe = ({ uf, rota }: Alvo, many: number): string[] =>
  listContribuintes()
    .filter(
      ({ tipoDocumento, inscricoes }) =>
        rota.aceita.includes(tipoDocumento) && inscricoes.some((one) => one.uf === uf),
    )
    .slice(0, many)
    .map(({ documento }) => documento)
