import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { marcaDe } from '../ler.ts'

const Dia = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const Registro = Type.Object({
  nome: Type.String({ pattern: '^PL_\\d{3}[a-z][\\w.-]{0,40}$' }),
  /** First days by environment, and where the sources differ the first that it may be in force. */
  desde: Type.Object({ producao: Dia, homologacao: Dia }),
  duvida: Type.Optional(Type.Object({ producao: Type.Optional(Dia), homologacao: Type.Optional(Dia) })),
  /** The folder of its files, inside that of all. */
  pasta: Type.String({ pattern: '^[0-9a-f]{16,64}$' }),
  /** SHA-256 of the zip, and of each file by its name. */
  zip: Type.String(),
  arquivos: Type.Record(Type.String(), Type.String()),
  /** Whether the digests are those of an official package that is known. */
  conferido: Type.Boolean(),
  instalado_em: Type.String(),
})

const Indice = Type.Object({ pacotes: Type.Array(Registro, { maxItems: 100 }) })

/** A package that the operator installed. `pasta` is a whole path. */
export type Instalado = Static<typeof Registro>

/** The folder of the installed packages in the service's data. */
export const pastaDosEsquemas = (dataDir: string): string => join(dataDir, 'esquemas')

export const indiceDe = (pasta: string): string => join(pasta, 'instalados.json')

let compilado: Validator<typeof Indice> | undefined
let guardado: { arquivo: string; marca: string; instalados: readonly Instalado[] } | undefined

/**
 * The installed packages; none without the file, which is read again when it changes. Throws an Error in
 * Portuguese for a file that is damaged.
 */
export function lerInstalados(pasta: string): readonly Instalado[] {
  const arquivo = indiceDe(pasta)
  const marca = marcaDe(arquivo)
  if (marca === 'missing') return []
  if (guardado?.arquivo === arquivo && guardado.marca === marca) return guardado.instalados
  const instalados = interpretar(arquivo, readFileSync(arquivo, 'utf8')).map((um) => ({
    ...um,
    pasta: join(pasta, um.pasta),
  }))
  guardado = { arquivo, marca, instalados }
  return instalados
}

function interpretar(arquivo: string, texto: string): Instalado[] {
  compilado ??= Compile(Indice)
  const valor = lerJson(texto)
  if (compilado.Check(valor)) return valor.pacotes
  throw new Error(`O arquivo ${arquivo} está danificado: apague a pasta e instale os pacotes de novo.`)
}

function lerJson(texto: string): unknown {
  try {
    return JSON.parse(texto)
  } catch {
    return undefined
  }
}

/** As `lerInstalados`, for a diagnosis: a damaged file leaves the packages that come with the service. */
export function instaladosOuNenhum(pasta: string | undefined): readonly Instalado[] {
  if (pasta === undefined) return []
  try {
    return lerInstalados(pasta)
  } catch {
    return []
  }
}
