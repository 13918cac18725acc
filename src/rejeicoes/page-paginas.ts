import { html } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { estaticos } from '../platform/pages/moldura.ts'
import type { Catalogo } from './catalogo.ts'
import {
  type Assunto,
  assuntoDe,
  DIAGNOSTICO,
  enderecoDaLista,
  enderecoDoAssunto,
  formularioDoXml,
  INDICE,
} from './page-busca.ts'
import { clip, nomeDaRejeicao, paginaDaRejeicao } from './page-ficha.ts'
import {
  type Achadas,
  ligacoesDe,
  type ParteDaLista,
  paginaDaBusca,
  paginaDoAssunto,
  paginaDoIndice,
} from './page-indice.ts'
import { type LaudoNaPagina, paginaDoLaudo, trilhaDoLaudo } from './page-laudo.ts'
import type { Rejeicao } from './rules.ts'
import { DIAGNOSTICO_DE_NOTA } from './rules-laudo.ts'

type Dados = Readonly<Record<string, unknown>>

type Passo = readonly [nome: string, caminho: string]

/** `base` stands before each path. */
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

function dadosDaRejeicao(rejeicao: Rejeicao, base: string): Dados {
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

const dadosDaLista = (
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

const modulos = [estaticos.rejeicoes.caminho]
const comum = { atual: 'rejeicoes', modulos } as const

const baseDe = ({ publico, prefixo }: MolduraDoSite): string => publico ?? prefixo

export const writeIndice = (catalogo: Catalogo, parte: ParteDaLista, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: `Rejeições da NF-e e da NFC-e${daParte(parte)}`,
      descricao: `Os ${catalogo.rejeicoes.length} códigos de rejeição da NF-e e da NFC-e: motivo oficial, causas, como resolver e o diagnóstico do seu XML.`,
      canonico: enderecoDaLista(parte.pagina),
      dados: dadosDaLista({ nome: 'Rejeições', caminho: INDICE }, parte.rejeicoes, baseDe(moldura)),
      conteudo: paginaDoIndice(catalogo, parte, moldura.prefixo),
    },
    moldura,
  )

export const writeBusca = (catalogo: Catalogo, achadas: Achadas, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: `Busca: ${achadas.q}`,
      descricao: `Rejeições da NF-e e da NFC-e que respondem a “${achadas.q}”.`,
      avulsa: true,
      conteudo: paginaDaBusca(catalogo, achadas, moldura.prefixo),
    },
    moldura,
  )

export const writeAssunto = (
  { assunto, total, parte }: { assunto: Assunto; total: number; parte: ParteDaLista },
  moldura: MolduraDoSite,
): string =>
  writePage(
    {
      ...comum,
      titulo: `Rejeições: ${assunto.nome}${daParte(parte)}`,
      descricao: `${total} códigos de rejeição da NF-e e da NFC-e em ${assunto.nome}, cada um com causas e passos para resolver.`,
      canonico: enderecoDoAssunto(assunto, parte.pagina),
      dados: dadosDaLista(
        { nome: assunto.nome, caminho: enderecoDoAssunto(assunto) },
        parte.rejeicoes,
        baseDe(moldura),
      ),
      conteudo: paginaDoAssunto({ assunto, total, parte }, moldura.prefixo),
    },
    moldura,
  )

const daParte = ({ pagina }: ParteDaLista): string => (pagina === 1 ? '' : `, página ${pagina}`)

/** What a search machine shows of a description. */
const MAIOR_DESCRICAO = 158

export const writeRejeicao = (catalogo: Catalogo, rejeicao: Rejeicao, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: `${nomeDaRejeicao(rejeicao)}: ${rejeicao.titulo}`,
      descricao: clip(
        `${nomeDaRejeicao(rejeicao)}: o que é e como resolver. ${rejeicao.causas[0] ?? rejeicao.motivo}`,
        MAIOR_DESCRICAO,
      ),
      canonico: rejeicao.url_blog,
      dados: dadosDaRejeicao(rejeicao, baseDe(moldura)),
      conteudo: paginaDaRejeicao(rejeicao, ligacoesDe(catalogo, rejeicao), moldura.prefixo),
    },
    moldura,
  )

/** `recusa` says why the last form was not read, and on whose page it stood. */
export const writeFormulario = (
  moldura: MolduraDoSite,
  recusa?: { motivo: string; rejeicao: Rejeicao | undefined; colado: boolean },
): string =>
  writePage(
    {
      ...comum,
      titulo: `${DIAGNOSTICO_DE_NOTA}: XML de NF-e ou NFC-e`,
      descricao:
        'Cole o XML da nota rejeitada e veja todos os erros de esquema, as regras que ela fere, o campo de cada uma e o que corrigir.',
      ...(recusa === undefined ? { canonico: DIAGNOSTICO } : { avulsa: true }),
      conteudo: html`<div class="topo"><div>${trilhaDoLaudo(recusa?.rejeicao, moldura.prefixo)}<h1>${DIAGNOSTICO_DE_NOTA}</h1><p class="suave">Todos os erros de esquema de uma vez, a chave e a assinatura, os totais contra os itens e as regras de validação que dá para conferir no XML.</p></div></div>${
        recusa !== undefined &&
        html`<div class="faixa-aviso ruim" role="alert"><div><p>O XML não foi lido</p><p>${recusa.motivo}</p></div></div>`
      }<div class="grade ficha">${cartao({ titulo: 'A nota', id: 'nota', classe: 'maior' }, formularioDoXml(moldura.prefixo, recusa?.rejeicao?.codigo, recusa?.colado))}${cartao({ titulo: 'O que você recebe', id: 'recebe', classe: 'menor' }, html`<dl class="recebe"><dt>A rejeição provável</dt><dd>Com o código e o motivo oficial, a mais provável primeiro.</dd><dt>O campo e o valor certo</dt><dd>Onde está cada erro, o que veio e o que deveria vir.</dd><dt>O XML corrigido</dt><dd>Quando a correção é certa, sem assinatura, com o que ainda falta até transmitir.</dd></dl>`)}</div>`,
    },
    moldura,
  )

export const writeLaudo = (pagina: LaudoNaPagina, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: DIAGNOSTICO_DE_NOTA,
      descricao: 'O que a SEFAZ recusaria neste XML, o campo de cada erro e o que corrigir.',
      avulsa: true,
      conteudo: paginaDoLaudo(pagina, moldura.prefixo),
    },
    moldura,
  )
