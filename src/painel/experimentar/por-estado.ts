import { dataBrasileira } from '../../documento/dia.ts'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import { mapaDoBrasil } from '../../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { lista, membro, texto } from './consulta.ts'

/** A sealed file of an answer: the page hands it back to open it, so that nothing is asked again. */
export type Papel = {
  /** `pdf` or `xml`. */
  tipo: 'pdf' | 'xml'
  /** What the file is called, without its ending. */
  nome: string
  selado: string
  /** Where it is opened. */
  endereco: string
}

/** The most octets of a file that a page hands back. */
export const MAIOR_PAPEL = 2 * 1024 * 1024

/** What a form with a file weighs: four characters for three octets, and what stands around it. */
export const MAIOR_FORMULARIO_DE_PAPEL = Math.ceil((MAIOR_PAPEL * 4) / 3) + 16 * 1024

/** The button that opens a certificate in a new tab, or saves an XML. */
export function escreverPapel({ tipo, nome, selado, endereco }: Papel, campoCsrf: Content): Html {
  const hidden = html`${campoCsrf}<input type="hidden" name="tipo" value="${tipo}"/><input type="hidden" name="nome" value="${nome}"/><input type="hidden" name="papel" value="${selado}"/>`
  return tipo === 'pdf'
    ? html`<form class="papel" method="post" action="${url(endereco)}" target="_blank">${hidden}<button class="discreto" type="submit">Abrir o PDF<span class="so-leitor"> ${nome}, em outra aba</span></button></form>`
    : html`<form class="papel" method="post" action="${url(endereco)}">${hidden}<button class="botao" type="submit">Baixar o XML</button></form>`
}

/** How a state answered, in the classes of the map: nothing yet, found, nothing there, debt, failure. */
export type DoEstado = {
  uf: string
  classe: 0 | 1 | 2 | 3 | 4
  palavra: string
  resumo: string
}

const cores = ['', 'bom', 'nota', 'lento', 'ruim'] as const

/** The class of the badge that says how a state answered. */
export const seloDoEstado = ({ classe }: DoEstado): string => `selo ${cores[classe]}`

const palavrasDaCertidao: Readonly<Record<string, [DoEstado['classe'], string]>> = {
  negativa: [1, 'Negativa'],
  positiva_com_efeitos_de_negativa: [1, 'Positiva com efeitos de negativa'],
  positiva: [3, 'Positiva'],
  nao_contribuinte: [2, 'Sem inscrição'],
  sem_certidao: [2, 'Sem certidão'],
  erro: [4, 'Falhou'],
}

/** Reads the entry of one state: of its registrations (`results`), or of its certificate (`result`). */
export function lerEstado(entrada: unknown): DoEstado {
  const uf = texto(membro(entrada, 'uf'))
  const fonte = membro(entrada, 'source_status')
  if (texto(membro(fonte, 'status')) !== 'success')
    return { uf, classe: 4, palavra: 'Falhou', resumo: texto(membro(fonte, 'error_message')) }
  const certidao = membro(entrada, 'result')
  if (certidao !== undefined) return lerCertidao(uf, certidao)
  const inscricoes = lista(membro(entrada, 'results'))
  if (inscricoes.length === 0) return { uf, classe: 2, palavra: 'Sem inscrição', resumo: '' }
  const [first] = inscricoes
  const resumo = [`IE ${texto(membro(first, 'inscricao_estadual'))}`, texto(membro(first, 'situacao_ie'))]
  if (inscricoes.length > 1) resumo.push(`e mais ${inscricoes.length - 1}`)
  return { uf, classe: 1, palavra: 'Com inscrição', resumo: resumo.filter((one) => one !== '').join(' · ') }
}

function lerCertidao(uf: string, certidao: unknown): DoEstado {
  const status = texto(membro(certidao, 'status'))
  const [classe, palavra] = palavrasDaCertidao[status] ?? [0, status]
  const validade = texto(membro(certidao, 'validade'))
  const dia = dataBrasileira(validade)
  return { uf, classe, palavra, resumo: dia === '' ? '' : `vale até ${dia}` }
}

const esperando = (uf: Uf): DoEstado => ({ uf, classe: 0, palavra: 'Sem resposta ainda', resumo: '' })

/** What a map and its table are drawn of. */
export type PorEstado = {
  titulo: string
  /** What keeps the ids of two maps on a page apart. */
  id: string
  estados: readonly DoEstado[]
  papeis: ReadonlyMap<string, Papel>
  campoCsrf: Content
}

/** The 27 states on a map, with a table that says the same in words. States that are not there wait. */
export function escreverPorEstado({ titulo, id, estados, papeis, campoCsrf }: PorEstado): Html {
  const known = new Map(estados.map((one) => [one.uf, one]))
  const of = (uf: Uf): DoEstado => known.get(uf) ?? esperando(uf)
  const noMapa = (uf: Uf) => ({ status_code: of(uf).classe, status: of(uf).palavra })
  return html`<section class="cartao respostas" aria-labelledby="${id}"><header><h2 id="${id}">${titulo}</h2><p class="suave contagem"><b>${estados.length}</b> de 27 estados</p></header><div class="lado-a-lado"><div>${mapaDoBrasil(noMapa, (uf) => `#${id}-${uf}`, `Mapa do Brasil: ${titulo}`)}${legenda(ufs.map(of))}</div><table class="estados"><caption class="so-leitor">${titulo}, por estado</caption><thead><tr><th scope="col">Estado</th><th scope="col">Resposta</th><th scope="col">Detalhe</th></tr></thead><tbody>${ufs.map(
    (uf) => linha(of(uf), uf, { id, papel: papeis.get(uf), campoCsrf }),
  )}</tbody></table></div></section>`
}

const linha = (
  estado: DoEstado,
  uf: Uf,
  { id, papel, campoCsrf }: { id: string; papel: Papel | undefined; campoCsrf: Content },
): Html =>
  html`<tr id="${id}-${uf}" data-uf="${uf}"><th scope="row"><span class="sigla">${uf}</span> <span class="nome">${unidades[uf].nome}</span></th><td><span class="${seloDoEstado(estado)}">${estado.palavra}</span></td><td class="detalhe"><span>${estado.resumo}</span>${papel && escreverPapel(papel, campoCsrf)}</td></tr>`

const nomes = ['Sem resposta ainda', 'Encontrada', 'Nada no estado', 'Com pendência', 'Falhou'] as const

const legenda = (estados: readonly DoEstado[]): Html =>
  html`<ul class="legenda">${([1, 2, 3, 4, 0] as const).map(
    (classe) =>
      html`<li data-classe="${classe}"><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${classe}"/>${
        classe === 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
      }</svg><span>${nomes[classe]}</span> <b>${estados.filter((one) => one.classe === classe).length}</b></li>`,
  )}</ul>`
