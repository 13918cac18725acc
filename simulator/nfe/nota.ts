import { LRUCache } from 'lru-cache'
import { comFuso, DIA_MS } from '../documento/dia.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { detach } from '../platform/xml.ts'
import { type Cenario, type EfeitoNfe, empresa, estabelecimento } from './cenario.ts'
import { doTitular, findCenario } from './cenarios.ts'

/** One NF-e of the simulated world; all of it follows from its key and the scenario that the key names. */
export type Nota = {
  chave: string
  cenario: Cenario
  autorizacao: Date
  /** When the national environment got it: the 90 days of the distribution are counted from here. */
  recepcao: Date
  situacao: 'autorizada' | 'cancelada' | 'denegada'
  emitente: Chamador
  destinatario: Chamador
  transportador: Chamador | undefined
  autorizados: readonly Chamador[]
}

export type EventoRegistrado = { tpEvento: string; nSeqEvento: number }

/** The events registered so far, by key, as distribution, events and portal share them. */
export type Livro = {
  eventosDe: (chave: string) => readonly EventoRegistrado[]
  register: (chave: string, evento: EventoRegistrado) => void
}

/** The parts of an access key (MOC 7.0, Anexo I, "Chave de acesso"). */
export type PartesDaChave = {
  cUF: string
  aamm: string
  /** The issuer's CNPJ, or its CPF after three zeros: 14 characters. */
  documento: string
  modelo: string
  serie: string
  nNF: string
  tpEmis: string
  cNF: string
  dv: string
}

/** What a key tells; the authorization is to the second. */
type Identidade = { numero: number; emitente: Pick<Chamador, 'tipo' | 'documento'>; autorizacao: Date }

const CHAVE =
  /^(?<cUF>\d\d)(?<aamm>\d{4})(?<documento>[0-9A-Z]{12}\d\d)(?<modelo>\d\d)(?<serie>\d{3})(?<nNF>\d{9})(?<tpEmis>\d)(?<cNF>\d{8})(?<dv>\d)$/

/** All notes are issued in São Paulo, model 55, series 1, in normal emission. */
const UF = '35'
const MODELO_E_SERIE = '55001'
const EMISSAO_NORMAL = '1'

/** The instant in Brasília, `AAAA-MM-DDThh:mm:ss`, without its offset; fractions are cut off. */
export const horaDeBrasilia = (instante: Date): string => comFuso(instante, '-03:00').slice(0, 19)

/** AAMM and cNF (`DDhhmmss`) are the authorization in Brasília, so a scenario has one note a second. */
function makeChave({ numero, emitente, autorizacao }: Identidade): string {
  const instante = horaDeBrasilia(autorizacao).replace(/\D/g, '')
  const semDv = [
    UF,
    instante.slice(2, 6),
    emitente.documento.padStart(14, '0'),
    MODELO_E_SERIE,
    String(numero).padStart(9, '0'),
    EMISSAO_NORMAL,
    instante.slice(6),
  ].join('')
  return semDv + dvDaChave(semDv)
}

/** Undefined when it has not the shape of a key. No rule is checked, not even the check digit. */
export function readChave(chave: string): PartesDaChave | undefined {
  const grupos = CHAVE.exec(chave)?.groups
  if (!grupos) return undefined
  const { cUF = '', aamm = '', documento = '', modelo = '', serie = '' } = grupos
  const { nNF = '', tpEmis = '', cNF = '', dv = '' } = grupos
  return { cUF, aamm, documento, modelo, serie, nNF, tpEmis, cNF, dv }
}

/** Undefined when the digits are no day and time. The century is 20. */
function autorizacaoDe({ aamm, cNF }: PartesDaChave): Date | undefined {
  const [, ano, mes, dia, hora, minuto, segundo] = /^(..)(..)(..)(..)(..)(..)$/.exec(aamm + cNF) ?? []
  const autorizacao = new Date(`20${ano}-${mes}-${dia}T${hora}:${minuto}:${segundo}-03:00`)
  return Number.isNaN(autorizacao.getTime()) ? undefined : autorizacao
}

/** Weights 2 to 9 from the right, modulo 11, letters by their code less 48 (NT Conjunta 2025.001). */
export function dvDaChave(semDv: string): string {
  let soma = 0
  for (let i = 0; i < semDv.length; i++) soma += (semDv.charCodeAt(semDv.length - 1 - i) - 48) * (2 + (i % 8))
  const dv = 11 - (soma % 11)
  return dv > 9 ? '0' : String(dv)
}

/** Their names need escaping and hold more than ASCII, on purpose. */
const EMITENTE = empresa('987630010001', 'INDÚSTRIA & COMÉRCIO DE PÃES SÃO JOÃO SIMULADA LTDA')
const DESTINATARIO = empresa('987630020001', 'MERCEARIA "BOA VIZINHANÇA" SIMULADA LTDA')
const TRANSPORTADOR = empresa('987630030001', "TRANSPORTES D'OESTE SIMULADA LTDA")

/** The key of the scenario's note that was authorized at an instant; fractions of a second are cut off. */
export const chaveDo = (cenario: Cenario, autorizacao: Date): string =>
  makeChave({ numero: cenario.numero, emitente: emitenteDo(cenario), autorizacao })

/** The note of a key; undefined when no scenario has it (217). */
export function notaDe(chave: string): Nota | undefined {
  const partes = readChave(chave)
  const cenario = partes && findCenario(Number(partes.nNF))
  const autorizacao = partes && autorizacaoDe(partes)
  if (!cenario || !autorizacao || chaveDo(cenario, autorizacao) !== chave) return undefined
  const { papel, titular, situacao, recepcaoDias = 0 } = cenario
  return {
    chave,
    cenario,
    autorizacao,
    recepcao: new Date(autorizacao.getTime() + recepcaoDias * DIA_MS),
    situacao,
    emitente: emitenteDo(cenario),
    destinatario: destinatarioDo(cenario),
    transportador: papel === 'transportador' ? titular : TRANSPORTADOR,
    autorizados: papel === 'autorizado' ? [titular] : [],
  }
}

function emitenteDo({ papel, titular, emitente = EMITENTE }: Cenario): Chamador {
  if (papel === 'emitente') return titular
  return papel === 'matriz-do-emitente' ? estabelecimento(titular, '0002') : emitente
}

function destinatarioDo({ papel, titular }: Cenario): Chamador {
  switch (papel) {
    case 'destinatario':
      return titular
    case 'filial':
      return estabelecimento(titular, '0001')
    case 'matriz':
      return estabelecimento(titular, '0002')
    default:
      return DESTINATARIO
  }
}

/** The recipient's events that release the whole note: all but Desconhecimento (NT 2014.002 v1.21, 3). */
const LIBERAM: readonly string[] = ['210200', '210210', '210240']

export const liberadaPorEvento = ({ chave }: Nota, livro: Livro): boolean =>
  livro.eventosDe(chave).some(({ tpEvento }) => LIBERAM.includes(tpEvento))

const hasEventoNovo = ({ chave, cenario }: Nota, livro: Livro): boolean =>
  livro.eventosDe(chave).length > (cenario.eventos?.length ?? 0)

export type Defeito = Extract<EfeitoNfe, { tipo: 'documento' }>['defeito']

/** The document of a note, with a defect of content if there is one. Other defects are of the sending. */
export async function writeWithDefeito(
  defeito: Defeito | undefined,
  nota: Nota,
  write: (nota: Nota) => string | Promise<string>,
): Promise<string> {
  const xml = await write(defeito === 'outra-chave' ? vizinhaDe(nota) : nota)
  if (defeito === 'sem-protocolo') return xml.replace(/<protNFe[\s\S]*<\/protNFe>/, '')
  if (defeito === 'outra-raiz') return xml.replace(/(<\/?)(?:nfeProc|resNFe)/g, '$1resEvento')
  return xml
}

function vizinhaDe(nota: Nota): Nota {
  const chave = chaveDo(nota.cenario, new Date(nota.autorizacao.getTime() - 60_000))
  return notaDe(chave) ?? nota
}

/** By the note's scenario, otherwise by the certificate's, with which any key will do, also a real one. */
export function efeitoDaConsulta(
  nota: Nota | undefined,
  documento: string,
  livro: Livro,
): EfeitoNfe | undefined {
  const depois = nota && hasEventoNovo(nota, livro) ? nota.cenario.distribuicaoDepois : undefined
  return depois ?? nota?.cenario.distribuicao ?? doTitular(documento)?.distribuicao
}

export function efeitoDoEvento(
  tpEvento: string,
  nota: Nota | undefined,
  documento: string,
): EfeitoNfe | undefined {
  const servico = SERVICOS.get(tpEvento)
  return servico && (nota?.cenario[servico] ?? doTitular(documento)?.[servico])
}

const SERVICOS = new Map<string, 'ciencia' | 'confirmacao'>([
  ['210210', 'ciencia'],
  ['210200', 'confirmacao'],
])

/** Older ones are forgotten, because a simulator may run for months. */
const MAXIMO = 10_000

/** A book that holds what its scenario says was registered before. It lives as long as the simulator. */
export function createLivroDeEventos(): Livro {
  const porChave = new LRUCache<string, readonly EventoRegistrado[]>({ max: MAXIMO })
  const eventosDe = (chave: string): readonly EventoRegistrado[] => porChave.get(chave) ?? anteriores(chave)
  return {
    eventosDe,
    register(chave, { tpEvento, nSeqEvento }) {
      porChave.set(detach(chave), [...eventosDe(chave), { tpEvento, nSeqEvento }])
    },
  }
}

const anteriores = (chave: string): EventoRegistrado[] =>
  (notaDe(chave)?.cenario.eventos ?? []).map((tpEvento) => ({ tpEvento, nSeqEvento: 1 }))
