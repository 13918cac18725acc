import { assuntoDe, enderecoDoAssunto, INDICE } from './page-busca.ts'
import type { Rejeicao } from './rules.ts'

/** What a search machine reads of a page, by the words of schema.org. */
type Dados = Readonly<Record<string, unknown>>

type Passo = readonly [nome: string, caminho: string]

/** The way to a page from the index of the catalogue. `base` stands before each path. */
const trilha = (base: string, passos: readonly Passo[]): Dados => ({
  '@type': 'BreadcrumbList',
  itemListElement: passos.map(([name, caminho], at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: base + caminho,
  })),
})

const RAIZ: Passo = ['Rejeições', INDICE]

/** Of a rejection: the way to it, the question that it answers, and its steps. */
export function dadosDaRejeicao(rejeicao: Rejeicao, base: string): Dados {
  const { codigo, titulo, motivo, causas, solucao_passos, categoria, url_blog } = rejeicao
  const endereco = base + url_blog
  const assunto = assuntoDe(categoria)
  const passos: Passo[] = [RAIZ, [assunto.nome, enderecoDoAssunto(assunto)], [`Rejeição ${codigo}`, url_blog]]
  const pergunta = (name: string, text: string): Dados => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  })
  const questions = [
    pergunta(`O que significa a rejeição ${codigo}?`, `${motivo}. ${causas.join(' ')}`.trim()),
    ...(solucao_passos.length > 0
      ? [pergunta(`Como resolver a rejeição ${codigo}?`, solucao_passos.join(' '))]
      : []),
  ]
  const howTo = {
    '@type': 'HowTo',
    name: `Como resolver a rejeição ${codigo}: ${titulo}`,
    inLanguage: 'pt-BR',
    step: solucao_passos.map((text, at) => ({ '@type': 'HowToStep', position: at + 1, text })),
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'FAQPage', '@id': endereco, url: endereco, inLanguage: 'pt-BR', mainEntity: questions },
      ...(solucao_passos.length > 0 ? [howTo] : []),
      trilha(base, passos),
    ],
  }
}

/** Of a page that lists: its name, what it lists, and the way to it. */
export const dadosDaLista = (
  { nome, caminho }: { nome: string; caminho: string },
  rejeicoes: readonly Rejeicao[],
  base: string,
): Dados => ({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'CollectionPage',
      '@id': base + caminho,
      url: base + caminho,
      name: nome,
      inLanguage: 'pt-BR',
      mainEntity: {
        '@type': 'ItemList',
        numberOfItems: rejeicoes.length,
        itemListElement: rejeicoes.map(({ codigo, titulo, url_blog }, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: `${codigo}: ${titulo}`,
          url: base + url_blog,
        })),
      },
    },
    trilha(base, caminho === INDICE ? [RAIZ] : [RAIZ, [nome, caminho]]),
  ],
})
