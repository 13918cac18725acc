import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { marcaDe } from '../catalogo.ts'
import type { Regencia } from '../rules.ts'
import type { MudancaDoEsquema } from './mudancas.ts'
import type { FonteDoPacote } from './pacote.ts'

const Dia = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const Registro = Type.Object({
  nome: Type.String({ pattern: '^PL_\\d{3}[a-z][\\w.-]{0,40}$' }),
  /** First days by environment, and where the sources differ the first that it may be in force. */
  desde: Type.Object({ producao: Dia, homologacao: Dia }),
  duvida: Type.Optional(Type.Object({ producao: Type.Optional(Dia), homologacao: Type.Optional(Dia) })),
  pasta: Type.String({ pattern: '^[0-9a-f]{16,64}$' }),
  zip: Type.String(),
  arquivos: Type.Record(Type.String(), Type.String()),
  /** Whether the digests are those of an official package that is known. */
  conferido: Type.Boolean(),
  instalado_em: Type.String(),
})

const Indice = Type.Object({ pacotes: Type.Array(Registro, { maxItems: 100 }) })

/** A package that the operator installed. `pasta` is a whole path. */
export type Instalado = Static<typeof Registro>

export const pastaDosEsquemas = (dataDir: string): string => join(dataDir, 'esquemas')

export const indiceDe = (pasta: string): string => join(pasta, 'instalados.json')

let compilado: Validator<typeof Indice> | undefined
let guardado: { arquivo: string; marca: string; instalados: readonly Instalado[] } | undefined

/** Read again when the file changes. Throws an Error in Portuguese for a file that is damaged. */
export function readInstalados(pasta: string): readonly Instalado[] {
  const arquivo = indiceDe(pasta)
  const marca = marcaDe(arquivo)
  if (marca === 'missing') return []
  if (guardado?.arquivo === arquivo && guardado.marca === marca) return guardado.instalados
  const instalados = parse(arquivo, readFileSync(arquivo, 'utf8')).map((um) => ({
    ...um,
    pasta: join(pasta, um.pasta),
  }))
  guardado = { arquivo, marca, instalados }
  return instalados
}

function parse(arquivo: string, texto: string): Instalado[] {
  compilado ??= Compile(Indice)
  const valor = readJson(texto)
  if (compilado.Check(valor)) return valor.pacotes
  throw new Error(`O arquivo ${arquivo} está danificado: apague a pasta e instale os pacotes de novo.`)
}

function readJson(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch {
    return undefined
  }
}

/** For a diagnosis: a damaged file leaves the packages that come with the service. */
export function instaladosOuNenhum(pasta: string | undefined): readonly Instalado[] {
  if (pasta === undefined) return []
  try {
    return readInstalados(pasta)
  } catch {
    return []
  }
}

export type PacoteNoDia = {
  nome: string
  /** The first day on which it is in force in that environment, AAAA-MM-DD. */
  desde: string
  origem: 'oficial' | 'reconstruido' | 'instalado'
  fonte: FonteDoPacote
  /** Used where its files cannot be read. */
  reserva: PacoteNoDia | undefined
}

export type Dias = { producao: string; homologacao: string }

/** An official zip whose digests (SHA-256) are known. `zip` where that of the whole file is, too. */
export type Oficial = {
  nome: string
  origem: string
  endereco: string
  zip?: string
  arquivos: Record<string, string>
}

type PacoteNosso = {
  nome: string
  origem: string
  desde: Dias
  /** From when on it may be in force already, where the sources differ; then who says it, and `desde`. */
  duvida?: Partial<Dias>
  fontes?: readonly [string, string]
  /** Where the files are the official ones. */
  pasta?: string
  /** To the package before it. */
  mudancas: readonly MudancaDoEsquema[]
}

type Dados = { pacotes: readonly PacoteNosso[]; oficiais: readonly Oficial[] }

const PASTA = fileURLToPath(new URL('../../../data/xsd/', import.meta.url))

let lidos: Dados | undefined

/** The packages that come with the service, the oldest first, and the digests of official ones. */
export function readPacotes(): Dados {
  lidos ??= JSON.parse(readFileSync(`${PASTA}pacotes.json`, 'utf8'))
  return lidos ?? { pacotes: [], oficiais: [] }
}

/** `010f` of `PL_010f_v1.04`; undefined for a name of another form. */
export const familiaDe = (nome: string): string | undefined => /^PL_(\d{3}[a-z])/.exec(nome)?.[1]

type Marcado = Omit<PacoteNoDia, 'desde' | 'reserva'> & Pick<PacoteNosso, 'desde' | 'duvida'>

let guardados: readonly Marcado[] | undefined

/** Ours, each with the changes of all before it. */
function nossos(): readonly Marcado[] {
  guardados ??= joinMudancas()
  return guardados
}

function joinMudancas(): Marcado[] {
  const { pacotes } = readPacotes()
  const base = pacotes[0]?.pasta ?? ''
  return pacotes.map(({ nome, pasta, desde, duvida }, i) => ({
    nome,
    desde,
    ...(duvida && { duvida }),
    origem: pasta ? 'oficial' : 'reconstruido',
    fonte: {
      nome,
      pasta: `${PASTA}${pasta ?? base}`,
      mudancas: pacotes.slice(0, i + 1).flatMap(({ mudancas }) => mudancas),
    },
  }))
}

const mark = ({ nome, desde, duvida, pasta }: Instalado): Marcado => ({
  nome,
  desde,
  ...(duvida && { duvida }),
  origem: 'instalado',
  fonte: { nome, pasta, mudancas: [] },
})

/** All packages, an installed one in the place of ours, and behind them those of families of their own. */
function joinPacotes(instalados: readonly Instalado[]): { pacote: Marcado; reserva: Marcado | undefined }[] {
  const porFamilia = new Map(instalados.map((um) => [familiaDe(um.nome), mark(um)]))
  const seus = nossos().map((nosso) => {
    const pacote = porFamilia.get(familiaDe(nosso.nome))
    porFamilia.delete(familiaDe(nosso.nome))
    return { pacote: pacote ?? nosso, reserva: pacote && nosso }
  })
  const novos = [...porFamilia.values()].sort((a, b) => (a.nome < b.nome ? -1 : 1))
  const ultimo = seus.at(-1)?.pacote
  return [...seus, ...novos.map((pacote) => ({ pacote, reserva: ultimo }))]
}

/** The packages of an environment, the oldest first; `duvida` is the first disputed day of one. */
export function calendario(
  ambiente: Regencia['ambiente'],
  instalados: readonly Instalado[],
): (PacoteNoDia & { duvida: string | undefined })[] {
  const qual = ambiente === '1' ? 'producao' : 'homologacao'
  const noDia = ({ desde, duvida, ...resto }: Marcado) => ({
    ...resto,
    desde: desde[qual],
    duvida: duvida?.[qual],
    reserva: undefined,
  })
  return joinPacotes(instalados)
    .map(({ pacote, reserva }) => ({ ...noDia(pacote), reserva: reserva && noDia(reserva) }))
    .sort((a, b) => (a.desde < b.desde ? -1 : a.desde > b.desde ? 1 : 0))
}

/**
 * On a day on which the sources differ both packages, the newer first. A day before the first gets the first.
 */
export function pacotesDoDia(
  { dia, ambiente }: Regencia,
  instalados: readonly Instalado[],
): [PacoteNoDia, ...PacoteNoDia[]] {
  const todos = calendario(ambiente, instalados)
  const certo = todos.findLast(({ desde }) => desde <= dia) ?? todos[0]
  if (!certo) throw new Error('there is no package of schemas')
  const depois = todos.slice(todos.indexOf(certo) + 1)
  const possivel = depois.findLast(({ duvida, desde }) => (duvida ?? desde) <= dia)
  return possivel ? [possivel, certo] : [certo]
}
