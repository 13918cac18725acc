import { type Elemento, lugarDe } from './arvore.ts'

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

/** The element that contains a place of the text most closely. */
export function lugarNoTexto(nfe: Elemento, onde: number): string {
  const dentro = nfe.filhos.find(({ inicio, fim }) => inicio <= onde && onde < fim)
  return dentro ? lugarNoTexto(dentro, onde) : lugarDe(nfe)
}
