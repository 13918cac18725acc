import { trusted } from '../../src/domain/trusted.ts'
import type { Familia, Ficha, Texto } from './familias/familia.ts'
import type { FichaEscrita } from './fichas.ts'
import { finais, numeroDoTipo } from './finais.ts'
import type { Oficial } from './oficiais.ts'

const familias = new Map<string, Promise<Familia>>()

/** The family of a name. Throws if there is none. */
function acharFamilia(nome: string): Promise<Familia> {
  const achada = familias.get(nome) ?? import(`./familias/${nome}.ts`).then(familiaDe)
  familias.set(nome, achada)
  return achada
}

const familiaDe = (modulo: unknown): Familia => trusted<{ familia: Familia }>(modulo).familia

/** The sheet as its family reads it. */
function abrirFicha({ codigo, titulo }: Oficial, { campos, p = {} }: FichaEscrita): Ficha {
  const lista = (nome: string): readonly string[] => [p[nome] ?? []].flat()
  const talvez = (nome: string): string => lista(nome).join(' ')
  const um = (nome: string): string => {
    if (!p[nome]) throw new Error(`${codigo}: its family needs the parameter ${nome}`)
    return talvez(nome)
  }
  return { codigo, titulo, campos, um, talvez, lista }
}

/** A path as a short name: its last two steps. */
const encurtar = (caminho: string): string =>
  caminho
    .split('/')
    .filter((passo) => passo !== '*')
    .slice(-2)
    .join('/')

/** A label within a sentence: without its capital, unless it begins with a short name such as CNPJ. */
const noMeio = (rotulo: string): string =>
  /^\p{Lu}\p{Ll}/u.test(rotulo) ? rotulo.charAt(0).toLowerCase() + rotulo.slice(1) : rotulo

/** Whether a place of a text stands within parentheses: another pair inside them would not be read. */
const isEntreParenteses = (texto: string, lugar: number): boolean =>
  texto.lastIndexOf('(', lugar) > texto.lastIndexOf(')', lugar)

/** Puts label and path at the first mention of a field, a short path at the others. */
function porRotulos(texto: Texto, rotulos: ReadonlyMap<string, string>, codigo: number): Texto {
  const ditos = new Set<string>()
  const trocar = (frase: string): string =>
    frase.replace(/\{([\w@*/]+)\}/g, (_, caminho: string, lugar: number) => {
      const rotulo = rotulos.get(caminho)
      if (!rotulo) throw new Error(`${codigo}: campos.csv has no ${caminho}`)
      const dito = ditos.has(caminho)
      ditos.add(caminho)
      if (isEntreParenteses(frase, lugar)) return caminho
      return dito ? encurtar(caminho) : `${lugar > 0 ? noMeio(rotulo) : rotulo} (${caminho})`
    })
  return { causas: texto.causas.map(trocar), passos: texto.passos.map(trocar) }
}

/**
 * The text of a code: that of its family, then the sheet's own sentences, then what another meaning of the
 * number says and how the number of the note stands.
 */
export async function fazerTexto(
  oficial: Oficial,
  escrita: FichaEscrita,
  rotulos: ReadonlyMap<string, string>,
): Promise<Texto> {
  const familia = await acharFamilia(escrita.familia)
  const base = familia(abrirFicha(oficial, escrita))
  const numero = escrita.numero ?? numeroDoTipo(oficial.tipo)
  const { outro } = oficial
  return porRotulos(
    {
      causas: [
        ...base.causas,
        ...(escrita.causas ?? []),
        ...(outro
          ? [
              `O número ${oficial.codigo} tem dois significados oficiais: o outro é “${outro.motivo}” (${outro.fonte}). O texto do xMotivo decide qual deles se aplica.`,
            ]
          : []),
      ],
      passos: [...base.passos, ...(escrita.passos ?? []), ...(numero === 'proprio' ? [] : [finais[numero]])],
    },
    rotulos,
    oficial.codigo,
  )
}
