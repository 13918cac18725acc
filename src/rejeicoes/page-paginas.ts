import { html } from '../platform/pages/html.ts'
import { cartao, type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { estaticos } from '../platform/pages/moldura.ts'
import type { Catalogo } from './catalogo.ts'
import { type Assunto, DIAGNOSTICO, enderecoDaLista, enderecoDoAssunto, INDICE } from './page-busca.ts'
import { dadosDaLista, dadosDaRejeicao } from './page-dados.ts'
import { nomeDaRejeicao, paginaDaRejeicao, recortar } from './page-ficha.ts'
import { formularioDoXml } from './page-formulario.ts'
import type { ParteDaLista } from './page-indice.ts'
import { type Achadas, ligacoesDe, paginaDaBusca, paginaDoAssunto, paginaDoIndice } from './page-indice.ts'
import { type LaudoNaPagina, paginaDoLaudo, trilhaDoLaudo } from './page-laudo.ts'
import type { Rejeicao } from './rules.ts'

const modulos = [estaticos.rejeicoes.caminho]
const comum = { atual: 'rejeicoes', modulos } as const

/** What stands before a path in the data for search machines. */
const baseDe = ({ publico, prefixo }: MolduraDoSite): string => publico ?? prefixo

/** Writes a part of the list of all codes. */
export const escreverIndice = (catalogo: Catalogo, parte: ParteDaLista, moldura: MolduraDoSite): string =>
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

/** Writes what a search found. */
export const escreverBusca = (catalogo: Catalogo, achadas: Achadas, moldura: MolduraDoSite): string =>
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

/** Writes a category, or a later part of it. */
export const escreverAssunto = (
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

/** Writes the page of a rejection. */
export const escreverRejeicao = (catalogo: Catalogo, rejeicao: Rejeicao, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: `${nomeDaRejeicao(rejeicao)}: ${rejeicao.titulo}`,
      descricao: recortar(
        `${nomeDaRejeicao(rejeicao)}: o que é e como resolver. ${rejeicao.causas[0] ?? rejeicao.motivo}`,
        MAIOR_DESCRICAO,
      ),
      canonico: rejeicao.url_blog,
      dados: dadosDaRejeicao(rejeicao, baseDe(moldura)),
      conteudo: paginaDaRejeicao(rejeicao, ligacoesDe(catalogo, rejeicao), moldura.prefixo),
    },
    moldura,
  )

/** Writes the page of the form. `recusa` says why the last one was not read, and on whose page it stood. */
export const escreverFormulario = (
  moldura: MolduraDoSite,
  recusa?: { motivo: string; rejeicao: Rejeicao | undefined },
): string =>
  writePage(
    {
      ...comum,
      titulo: 'Diagnóstico de um XML de NF-e ou NFC-e',
      descricao:
        'Cole o XML da nota rejeitada e veja todos os erros de esquema, as regras que ela fere, o campo de cada uma e o que corrigir.',
      ...(recusa === undefined ? { canonico: DIAGNOSTICO } : { avulsa: true }),
      conteudo: html`<div class="topo"><div>${trilhaDoLaudo(recusa?.rejeicao, moldura.prefixo)}<h1>Diagnóstico de um XML</h1><p class="suave">Todos os erros de esquema de uma vez, a chave e a assinatura, os totais contra os itens e as regras de validação que dá para conferir no XML.</p></div></div>${
        recusa !== undefined &&
        html`<div class="faixa-aviso ruim" role="alert"><div><p>O XML não foi lido</p><p>${recusa.motivo}</p></div></div>`
      }${cartao({ titulo: 'A nota', id: 'nota', classe: 'estreito' }, formularioDoXml(moldura.prefixo, recusa?.rejeicao?.codigo))}`,
    },
    moldura,
  )

/** Writes the page of a diagnosis. */
export const escreverLaudo = (pagina: LaudoNaPagina, moldura: MolduraDoSite): string =>
  writePage(
    {
      ...comum,
      titulo: 'Diagnóstico da nota',
      descricao: 'O que a SEFAZ recusaria neste XML, o campo de cada erro e o que corrigir.',
      avulsa: true,
      conteudo: paginaDoLaudo(pagina, moldura.prefixo),
    },
    moldura,
  )
