import { mix } from '../documento/aleatorio.ts'
import { sementeDe } from '../documento/documento.ts'
import { contribuinteComportado } from '../mundo/comportado.ts'
import { findComportamento, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Contribuinte, Inscricao } from '../mundo/contribuinte.ts'
import { findContribuinte, listContribuintes } from '../mundo/mundo.ts'
import type { Imovel } from './imovel.ts'
import { imovelDe } from './imovel-de.ts'

/**
 * The rural properties of a bare document, as main holder or with another: one for each farm that a state has
 * registered. Empty for who farms nothing, or is nobody.
 */
export function imoveisDe(documento: string): readonly Imovel[] {
  if (ehReservado(documento)) return imoveisReservados(documento, 1)
  const semeados = acervo().get(documento)
  if (semeados) return semeados
  const contribuinte = findContribuinte(documento)
  if (!contribuinte) return []
  return fazendasDe(contribuinte).map((fazenda, numero) => imovelDe(contribuinte, fazenda, numero))
}

/** The properties of which the document is the main holder, which number them. */
export function imoveisProprios(documento: string): readonly Imovel[] {
  return imoveisDe(documento).filter(({ donos }) => donos[0].documento === documento)
}

/** Who the document is; a reserved one has a name, too. */
export function titularDe(documento: string): Contribuinte | undefined {
  return ehReservado(documento) ? contribuinteComportado(documento, 'MT') : findContribuinte(documento)
}

const ehReservado = (documento: string): boolean =>
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
