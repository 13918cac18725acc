import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Contribuinte, Inscricao } from '../mundo/contribuinte.ts'
import { contribuinteComportado } from '../mundo/efeito.ts'
import { entre } from '../mundo/inscricoes.ts'
import { findContribuinte, listContribuintes } from '../mundo/mundo.ts'

export type Dono = { documento: string; nome: string; percentual: number }

/** A municipality by IBGE's seven digits. */
type Lugar = { codigo: string; nome: string; uf: Uf }

/** All that the federal register tells. Areas are in square metres. */
export type Imovel = {
  numero: number
  cib: string
  nirf: string
  /** The code in INCRA's own register (SNCR), 13 digits. */
  codigoSncr: string
  denominacao: string
  area: number
  situacao: 'ATIVA' | 'BAIXADA' | 'SUSPENSA'
  lugar: Lugar
  /** The main one first; the shares come to 100. */
  donos: readonly [Dono, ...Dono[]]
  aquisicao: { data: string; area: number; tipo: string }
  origem: number
  imunidades: readonly { codigo: string; descricao: string }[]
  descaracterizado: boolean
  decisaoJudicial: boolean
  semente: number
}

const AQUISICOES = ['COMPRA', 'COMPRA', 'COMPRA', 'HERANCA', 'DOACAO', 'PERMUTA'] as const
const SITUACOES = {
  habilitado: 'ATIVA',
  suspenso: 'SUSPENSA',
  baixado: 'BAIXADA',
  cancelado: 'BAIXADA',
} as const satisfies Record<Inscricao['situacao'], Imovel['situacao']>

/** Wording of Lei 9.393/1996, articles 2 and 3; the codes are made up. */
const IMUNIDADES = [
  { codigo: '1', descricao: 'PEQUENA GLEBA RURAL' },
  { codigo: '3', descricao: 'INSTITUICAO DE EDUCACAO OU DE ASSISTENCIA SOCIAL SEM FINS LUCRATIVOS' },
] as const

/** The most of a small one, 30 ha (article 2, sole paragraph, III), in ten-thousandths. */
const PEQUENA = 300_000

/** In the registration's municipality, under its name. `outros` hold the rest in equal shares. */
function imovelDe(
  { documento, nome }: Contribuinte,
  fazenda: Inscricao,
  numero: number,
  outros: readonly Contribuinte[] = [],
): Imovel {
  const semente = mix(sementeDe(documento), 900 + numero)
  const { endereco, situacao } = fazenda
  const cota = outros.length === 0 ? 0 : outros.length === 1 ? 33.34 : 20
  const condominos = outros.map((um): Dono => ({ documento: um.documento, nome: um.nome, percentual: cota }))
  const area = 20_000 + (mix(semente, 1) % 4_000) ** 2
  const data = entre(
    '1996-01-02',
    fazenda.inicio > '1996-01-02' ? fazenda.inicio : '2005-06-30',
    mix(semente, 2),
  )
  return {
    numero,
    cib: cibDe(mix(semente, 3)),
    nirf: String(mix(semente, 4) % 100_000_000).padStart(8, '0'),
    codigoSncr: `9${String(mix(semente, 5)).padStart(11, '0')}${semente % 10}`,
    denominacao: endereco.complemento || 'SITIO SEM DENOMINACAO',
    area,
    situacao: SITUACOES[situacao],
    lugar: { codigo: endereco.codigoMunicipio, nome: endereco.municipio, uf: endereco.uf },
    donos: [{ documento, nome, percentual: 100 - cota * outros.length }, ...condominos],
    aquisicao: { data, area: mix(semente, 6) % 4 === 0 ? Math.floor(area / 2) : area, tipo: tipoDe(semente) },
    origem: 1 + (mix(semente, 7) % 4),
    imunidades: IMUNIDADES.slice(0, area > PEQUENA ? 0 : mix(semente, 8) % 3),
    descaracterizado: mix(semente, 9) % 25 === 0,
    decisaoJudicial: mix(semente, 10) % 20 === 0,
    semente,
  }
}

const tipoDe = (semente: number): string => AQUISICOES[mix(semente, 11) % AQUISICOES.length] ?? 'COMPRA'

const SINAIS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Seven characters and one more, for the algorithm of the check digit is not published. */
function cibDe(semente: number): string {
  const sete = Array.from({ length: 7 }, (_, i) => SINAIS[mix(semente, i) % SINAIS.length]).join('')
  return `${sete}-${semente % 10}`
}

/** One property for each farm that a state has registered, as main holder or with another. */
export function imoveisDe(documento: string): readonly Imovel[] {
  if (isReservado(documento)) return imoveisReservados(documento, 1)
  const semeados = acervo().get(documento)
  if (semeados) return semeados
  const contribuinte = findContribuinte(documento)
  if (!contribuinte) return []
  return fazendasDe(contribuinte).map((fazenda, numero) => imovelDe(contribuinte, fazenda, numero))
}

/** The properties of which the document is the main holder, which number them. */
export const imoveisProprios = (documento: string): readonly Imovel[] =>
  imoveisDe(documento).filter(({ donos }) => donos[0].documento === documento)

/** Who the document is; a reserved one has a name, too. */
export const titularDe = (documento: string): Contribuinte | undefined =>
  isReservado(documento) ? contribuinteComportado(documento, 'MT') : findContribuinte(documento)

const isReservado = (documento: string): boolean =>
  documento === OUTRO_DOCUMENTO || findComportamento(documento) !== undefined

/** That many properties of a document that makes authorities misbehave. */
export function imoveisReservados(documento: string, quantos: number): Imovel[] {
  const dono = contribuinteComportado(documento, 'MT', quantos)
  return dono.inscricoes.map((inscricao, numero) => {
    const nome = numero === 0 ? 'FAZENDA SÃO JOÃO' : `FAZENDA SÃO JOÃO ${numero + 1}`
    return imovelDe(dono, { ...inscricao, endereco: { ...inscricao.endereco, complemento: nome } }, numero)
  })
}

let feito: ReadonlyMap<string, readonly Imovel[]> | undefined

/** Properties of the seeded world by each of their holders. One in five has more than one holder. */
function acervo(): ReadonlyMap<string, readonly Imovel[]> {
  if (feito) return feito
  const porDono = new Map<string, Imovel[]>()
  const todos = listContribuintes().filter((um) => fazendasDe(um).length > 0)
  for (const dono of todos)
    for (const [numero, fazenda] of fazendasDe(dono).entries()) {
      const imovel = imovelDe(dono, fazenda, numero, outrosDe(dono, numero, todos))
      for (const { documento } of imovel.donos)
        porDono.set(documento, [...(porDono.get(documento) ?? []), imovel])
    }
  feito = porDono
  return feito
}

function outrosDe(dono: Contribuinte, numero: number, todos: readonly Contribuinte[]): Contribuinte[] {
  const sorte = mix(sementeDe(dono.documento), 800 + numero)
  const quantos = sorte % 10 === 0 ? 2 : sorte % 10 === 1 ? 1 : 0
  const achados = Array.from({ length: quantos }, (_, i) => todos[mix(sorte, i) % todos.length])
  return [...new Set(achados)].flatMap((um) => (um && um !== dono ? [um] : []))
}

const fazendasDe = ({ inscricoes }: Contribuinte): Inscricao[] =>
  inscricoes.filter(({ tipo }) => tipo === 'PRODUTOR RURAL')

export type LugarDaParcela = { documento: string; ordem: number }

// A code leads back to its parcel by itself, also after a restart: 8 digits check it, 20 are the document, 2
// the place.
const FORMA = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{12})$/

export function codigoDa({ documento, ordem }: LugarDaParcela): string {
  const dono = [...`1${documento}`].reduce(
    (soma, sinal) => soma * 36n + BigInt(Number.parseInt(sinal, 36)),
    0n,
  )
  const corpo = dono.toString(16).padStart(20, '0') + ordem.toString(16).padStart(2, '0')
  const hexa = conferencia(corpo) + corpo
  return [
    hexa.slice(0, 8),
    hexa.slice(8, 12),
    `4${hexa.slice(12, 15)}`,
    `8${hexa.slice(15, 18)}`,
    hexa.slice(18),
  ].join('-')
}

/** The parcel of a UUID; undefined for one that was never given. */
export function lugarDo(codigo: string): LugarDaParcela | undefined {
  const hexa = FORMA.exec(codigo)?.slice(1).join('') ?? ''
  const corpo = hexa.slice(8)
  if (hexa.length !== 30 || conferencia(corpo) !== hexa.slice(0, 8)) return undefined
  const documento = BigInt(`0x${corpo.slice(0, 20)}`)
    .toString(36)
    .slice(1)
    .toUpperCase()
  return { documento, ordem: Number.parseInt(corpo.slice(20), 16) }
}

const conferencia = (corpo: string): string => sementeDe(corpo).toString(16).padStart(8, '0')
