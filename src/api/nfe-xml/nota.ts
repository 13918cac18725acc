import type { Context } from '../../context.ts'
import type { Andamento } from '../../domain/andamento.ts'
import type { A1, Titular } from '../../domain/certificado.ts'
import { preverEvento } from '../../domain/simulacao.ts'
import { readNfeProc } from '../../sources/nfe/nfe-proc.ts'
import { look, type Pergunta, type Retomada, retrieve } from './fluxo.ts'
import { isParticipante } from './participante.ts'
import { type Resultado, resultadoDaSimulacao, resultadoDoFluxo, resultadoOf, xmlOf } from './resultado.ts'

/** What became of a note, and in how many seconds asking again may help; undefined where it does not. */
export type Nota = { resultado: Resultado; esperaS: number | undefined }

/** How long to wait before asking again where nobody says, in seconds. */
const ESPERA_S = 60

/**
 * The note, from the cache or by the whole flow. Of several calls that want one note with one certificate at once, one asks
 * and all get what it got. Not with one that names the same holder: it may be a forgery, which the authority has yet to see.
 */
export async function findNota(pergunta: Pergunta, retomada: Retomada, ctx: Context): Promise<Nota> {
  const { chave, certificado, manifestar } = pergunta
  // Nothing is stored under it: what is kept is kept by the note alone, for all who may see it.
  const key = `nfe-fluxo/1:${chave.chave}:${certificado.impressao}:${manifestar}`
  const loadMs = ctx.config.NFE_SECONDS * 1000
  const { value } = await ctx.cache.through<Nota>({ key, ttlMs: 0, loadMs }, async () => {
    return (await findKept(pergunta, ctx)) ?? ask(pergunta, retomada, ctx)
  })
  return value
}

async function ask(pergunta: Pergunta, retomada: Retomada, ctx: Context): Promise<Nota> {
  const { chave, certificado } = pergunta
  const fim = await retrieve(pergunta, retomada, ctx)
  const { restantes, renova } = await ctx.consumo.look(certificado.titular.documento)
  const resultado = resultadoDoFluxo(chave, fim, restantes === 0 ? renova : undefined)
  noteGenuine(certificado, fim.andamento, ctx)
  if (resultado.xml !== null) ctx.xmls.keep(chave.chave, resultado.xml)
  if (!fim.desfecho.tentarDeNovo) return { resultado, esperaS: undefined }
  const limitedS = Math.ceil((renova.getTime() - ctx.now().getTime()) / 1000)
  return { resultado, esperaS: restantes === 0 ? Math.max(ESPERA_S, limitedS) : ESPERA_S }
}

/** What is kept of the note, for who is one of its participants, as far as an authority believes the certificate. */
async function findKept({ chave, certificado }: Pergunta, ctx: Context): Promise<Nota | undefined> {
  const xml = await ctx.xmls.find(chave.chave)
  if (xml === undefined || !maySee(certificado.titular, xml, chave.chave)) return undefined
  if (!(await ctx.reconhecidos.has(certificado.impressao))) return undefined
  const mensagem = 'XML já obtido nas últimas 24 horas; nenhum evento foi enviado agora.'
  const found = { status: 'ok', cstat: '138', mensagem, from_cache: true, xml } as const
  return { resultado: resultadoOf(chave.chave, found), esperaS: undefined }
}

/** A certificate that got a note or its summary is no forgery: the authorities give them to nobody else. */
function noteGenuine({ impressao }: A1, { feitos }: Andamento, { reconhecidos }: Context): void {
  const got = feitos.some(
    (feito) => 'resposta' in feito && (feito.resposta.tipo === 'xml' || feito.resposta.tipo === 'resumo'),
  )
  if (got) reconhecidos.keep(impressao)
}

function maySee(titular: Titular, xml: string, chave: string): boolean {
  const note = readNfeProc(xml, chave)
  return note.ok && isParticipante(titular, note.participantes)
}

/** A dry run: asks what is known of the note, sends no event and delivers nothing. */
export async function simulate(pergunta: Pergunta, ctx: Context): Promise<Nota> {
  const { chave, certificado } = pergunta
  const andamento = await look(pergunta, ctx)
  noteGenuine(certificado, andamento, ctx)
  const xml = xmlOf(andamento.feitos)
  // The call that follows need not ask again.
  if (xml !== null) ctx.xmls.keep(chave.chave, xml)
  const { restantes, renova } = await ctx.consumo.look(certificado.titular.documento)
  const previsao = preverEvento(andamento, restantes === 0 ? renova : undefined)
  return { resultado: resultadoDaSimulacao(chave, previsao), esperaS: undefined }
}
