import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type {
  AndamentoFederal,
  MeiosFederais,
  PerguntaFederal,
  RespostaFederal,
  RotaOferecida,
} from './source.ts'
import { type Confianca, MOST_RECUSADOS } from './store.ts'

/** What the routes are asked with. */
export type ConsultaFederal = {
  rotas: readonly RotaOferecida[]
  meios: MeiosFederais
  confianca: Confianca
  log: Log
}

type Log = { warn: (fields: { rota: string }, message: string) => void }

/** The share of the time that a route gets if another one can replace it. */
const FIRST_SHARE = 0.6
const HOUR_S = 60 * 60

/**
 * Asks the routes in the operator's order; the next replaces one that does not take the question or is out of
 * reach, unless it may have begun an issuance. Throws as `askRotas` does.
 */
export async function askRotasFederais(
  pergunta: PerguntaFederal,
  consulta: ConsultaFederal,
): Promise<{ fonte: string; resposta: RespostaFederal }> {
  const ends = performance.now() + consulta.meios.deadlineMs
  const asked = rotasFor(pergunta, consulta)
  const failures: unknown[] = []
  for (const [at, rota] of asked.entries()) {
    const leftMs = ends - performance.now()
    const others = asked.slice(at + 1).some(({ falta }) => falta === '')
    let noted: AndamentoFederal | undefined
    const anotar = async (andamento: AndamentoFederal): Promise<void> => {
      await consulta.meios.anotar(andamento)
      noted = andamento
    }
    const meios = { ...consulta.meios, anotar, deadlineMs: others ? leftMs * FIRST_SHARE : leftMs }
    try {
      return { fonte: rota.source.id, resposta: await askOne(rota, pergunta, { ...consulta, meios }) }
    } catch (error) {
      failures.push(error)
      if (!isReplaceable(error) || isAtWork(noted, meios.now())) break
    }
  }
  const ofAuthorities = failures.filter((error) => !(error instanceof RotaNaoAtende))
  const told = ofAuthorities.length > 0 ? ofAuthorities : failures
  throw told.find(mayPass) ?? ofAuthorities[0] ?? lacking(failures)
}

/** What every route lacks here: an operator who brings it to one of them mends them all. */
function lacking(failures: readonly unknown[]): RotaNaoAtende {
  const reasons = failures.flatMap((error) => (error instanceof RotaNaoAtende ? [error.message] : []))
  return new RotaNaoAtende(reasons.join(' ') || SEM_ROTA)
}

/** The routes to ask, in order. While an issuance may be at work, another route would begin a second. */
function rotasFor({ emitir }: PerguntaFederal, { rotas, meios }: ConsultaFederal): readonly RotaOferecida[] {
  const { andamento } = meios
  const able = rotas.filter(({ emiteNova }) => emitir !== 'sempre' || emiteNova)
  const began = rotas.find(({ id, falta }) => falta === '' && id === andamento?.rota)
  if (!began || !isUnderway(andamento)) return able
  return isAtWork(andamento, meios.now()) ? [began] : [began, ...able.filter((rota) => rota !== began)]
}

/** How long an issuance of which nothing is heard counts as being at work. */
const AT_WORK_MS = 15 * 60_000

const isAtWork = (andamento: AndamentoFederal | undefined, now: Date): boolean =>
  andamento !== undefined && isUnderway(andamento) && now.getTime() - Date.parse(andamento.desde) < AT_WORK_MS

const SEM_ROTA = 'Este serviço não tem por onde emitir outra certidão federal (CND_FEDERAL_ROTAS).'

/** Whether the authority was heard to begin, so that another route would issue a second one. */
export const isUnderway = (andamento: AndamentoFederal | undefined): boolean =>
  andamento?.chave !== undefined || andamento?.cookies !== undefined

const mayPass = (error: unknown): boolean =>
  (error instanceof SourceError || error instanceof RotaNaoAtende) && error.retryS !== null

/** Whether the authority still works on the issuance that it was asked for. */
export const isWorking = (error: unknown): boolean =>
  error instanceof SourceError && error.codigo === 'em-processamento'

const isReplaceable = (error: unknown): boolean =>
  error instanceof RotaNaoAtende || (error instanceof SourceError && error.unavailable && !isWorking(error))

/** Asks one route, unless it refuses everybody. Such a refusal is no answer. */
async function askOne(
  rota: RotaOferecida,
  pergunta: PerguntaFederal,
  { meios, confianca, log }: ConsultaFederal,
): Promise<RespostaFederal> {
  const { id, source, falta } = rota
  if (falta !== '') throw new RotaNaoAtende(falta)
  const goesOn = isUnderway(meios.andamento) && meios.andamento?.rota === id
  if (!goesOn && (await confianca.of(id)) === 'nenhuma') throw disbelieved(rota)
  const resposta = await rota.consultar(pergunta, meios)
  if (resposta.tipo === 'certidao') {
    if (await confianca.noteCertidao(id))
      log.warn({ rota: source.id }, 'a rota da certidão federal voltou a dar certidão, e volta a ser usada')
    return resposta
  }
  if (!saysInsufficient(resposta.recusa)) return resposta
  const { grau, perdida } = await confianca.noteRecusa(id, pergunta.cnpj)
  if (perdida)
    log.warn(
      { rota: source.id },
      `a rota da certidão federal recusou ${MOST_RECUSADOS} empresas seguidas e deu certidão a nenhuma: deixa de ser usada, salvo uma pergunta por hora (docs/operations.md)`,
    )
  if (grau === 'nenhuma') throw disbelieved(rota)
  return resposta
}

/** Whether a refusal may be one that everybody gets. The registration's own status is a reason of its own. */
const saysInsufficient = ({ status, dizeres }: { status: string; dizeres: string }): boolean =>
  status === 'positiva' && !/inapta|baixada|suspensa|nula/i.test(dizeres)

const disbelieved = ({ source: { nome } }: RotaOferecida): RotaNaoAtende =>
  new RotaNaoAtende(
    `${nome} respondeu a ${MOST_RECUSADOS} empresas seguidas que faltam informações, e nenhuma recebeu certidão: a resposta pode ser falsa, e não é aceita até que saia uma.`,
    { retryS: HOUR_S },
  )
