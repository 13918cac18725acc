import { lugarDe } from '../verificacoes/lugar.ts'
import type { Elemento } from './nota-arvore.ts'

export { lugarDe }

/** The first child of a name at each step of a path. */
export const descer = (elemento: Elemento | undefined, caminho: string): Elemento | undefined =>
  caminho
    .split('/')
    .reduce<Elemento | undefined>((pai, nome) => pai?.filhos.find((filho) => filho.nome === nome), elemento)

/** The 44 characters of the key in `Id`; null if there are not so many. */
export const chaveDe = ({ atributos }: Elemento): string | null =>
  /^NFe([0-9A-Z]{44})$/.exec(atributos.Id ?? '')?.[1] ?? null

/** The place of an attribute, or of the element. */
export const caminhoDe = (elemento: Elemento, atributo: string | undefined): string =>
  [lugarDe(elemento), atributo && `@${atributo}`].filter(Boolean).join('/')

/** The element at a place of the note, as `det[5]/prod/NCM`; an attribute's element for `det[5]/@nItem`. */
export function acharLugar(nfe: Elemento, caminho: string): Elemento | undefined {
  const passos = caminho.split('/').filter((passo) => passo !== '' && !passo.startsWith('@'))
  const infNFe = nfe.filhos.find(({ nome }) => nome === 'infNFe')
  const [primeiro = ''] = passos
  const inicio = primeiro === 'Signature' || primeiro === 'infNFeSupl' ? nfe : infNFe
  return passos.reduce<Elemento | undefined>((pai, passo) => {
    const [, nome = '', posicao = '1'] = /^([^[]+)(?:\[(\d+)\])?$/.exec(passo) ?? []
    return pai?.filhos.filter((filho) => filho.nome === nome)[Number(posicao) - 1]
  }, inicio)
}
