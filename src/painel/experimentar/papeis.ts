import type { FastifyReply } from 'fastify'
import { dataBrasileira } from '../../documento/dia.ts'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import { ApiError } from '../../platform/errors.ts'
import { mapaDoBrasil } from '../../platform/pages/graficos.ts'
import { type Content, type Html, html, url } from '../../platform/pages/html.ts'
import { openSelo } from '../../platform/secrets.ts'
import { lista, membro, texto } from './consulta.ts'

/** A sealed file of an answer: the page hands it back to open it, so that nothing is asked again. */
export type Papel = {
  tipo: 'pdf' | 'xml'
  nome: string
  selado: string
  endereco: string
}

/** The most octets of a file that a page hands back. */
const MAIOR_PAPEL = 2 * 1024 * 1024

/** What a form with a file weighs: four characters for three octets, and what stands around it. */
export const MAIOR_FORMULARIO_DE_PAPEL = Math.ceil((MAIOR_PAPEL * 4) / 3) + 16 * 1024

export function drawPapel({ tipo, nome, selado, endereco }: Papel, campoCsrf: Content): Html {
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
export function readEstado(entrada: unknown): DoEstado {
  const uf = texto(membro(entrada, 'uf'))
  const fonte = membro(entrada, 'source_status')
  if (texto(membro(fonte, 'status')) !== 'success')
    return { uf, classe: 4, palavra: 'Falhou', resumo: texto(membro(fonte, 'error_message')) }
  const certidao = membro(entrada, 'result')
  if (certidao !== undefined) return readCertidao(uf, certidao)
  const inscricoes = lista(membro(entrada, 'results'))
  if (inscricoes.length === 0) return { uf, classe: 2, palavra: 'Sem inscrição', resumo: '' }
  const [first] = inscricoes
  const resumo = [`IE ${texto(membro(first, 'inscricao_estadual'))}`, texto(membro(first, 'situacao_ie'))]
  if (inscricoes.length > 1) resumo.push(`e mais ${inscricoes.length - 1}`)
  return { uf, classe: 1, palavra: 'Com inscrição', resumo: resumo.filter((one) => one !== '').join(' · ') }
}

function readCertidao(uf: string, certidao: unknown): DoEstado {
  const status = texto(membro(certidao, 'status'))
  const [classe, palavra] = palavrasDaCertidao[status] ?? [0, status]
  const validade = texto(membro(certidao, 'validade'))
  const dia = dataBrasileira(validade)
  return { uf, classe, palavra, resumo: dia === '' ? '' : `vale até ${dia}` }
}

const waiting = (uf: Uf): DoEstado => ({ uf, classe: 0, palavra: 'Sem resposta ainda', resumo: '' })

export type PorEstado = {
  titulo: string
  /** What keeps the ids of two maps on a page apart. */
  id: string
  estados: readonly DoEstado[]
  papeis: ReadonlyMap<string, Papel>
  campoCsrf: Content
}

/** The 27 states on a map, with a table that says the same in words. States that are not there wait. */
export function drawPorEstado({ titulo, id, estados, papeis, campoCsrf }: PorEstado): Html {
  const known = new Map(estados.map((one) => [one.uf, one]))
  const of = (uf: Uf): DoEstado => known.get(uf) ?? waiting(uf)
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
  html`<tr id="${id}-${uf}" data-uf="${uf}"><th scope="row"><span class="sigla">${uf}</span> <span class="nome">${unidades[uf].nome}</span></th><td><span class="${seloDoEstado(estado)}">${estado.palavra}</span></td><td class="detalhe"><span>${estado.resumo}</span>${papel && drawPapel(papel, campoCsrf)}</td></tr>`

const nomes = ['Sem resposta ainda', 'Encontrada', 'Nada no estado', 'Com pendência', 'Falhou'] as const

const legenda = (estados: readonly DoEstado[]): Html =>
  html`<ul class="legenda">${([1, 2, 3, 4, 0] as const).map(
    (classe) =>
      html`<li data-classe="${classe}"><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${classe}"/>${
        classe === 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
      }</svg><span>${nomes[classe]}</span> <b>${estados.filter((one) => one.classe === classe).length}</b></li>`,
  )}</ul>`

const TIPOS = {
  pdf: { type: 'application/pdf', disposition: 'inline' },
  xml: { type: 'application/xml; charset=utf-8', disposition: 'attachment' },
} as const

/** A document, should a browser read it as a page, runs nothing and loads nothing. */
const POLITICA_DO_PAPEL =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The files of answers, which the pages hand back sealed: the service keeps none of them. */
export type Papeis = {
  /** The files of an answer: of a certificate or a note under ''; of each state under its UF. */
  seal: (corpo: unknown, dono: string) => ReadonlyMap<string, Papel>
  sealOne: (entrada: unknown, dono: string) => Papel | undefined
  /** Answers with a file that was sealed for the same owner. Throws REQUISICAO_INVALIDA. */
  open: (
    reply: FastifyReply,
    enviado: Record<'tipo' | 'nome' | 'papel', string>,
    dono: string,
  ) => FastifyReply
}

/** Opens the seal of the files. `endereco` is where pages send them; an owner is a login. */
export function openPapeis(secret: string, endereco: string): Papeis {
  const selo = openSelo(secret, 'pages: files of answers')
  const sealAs = (tipo: Papel['tipo'], nome: string, bytes: Buffer, dono: string): Papel | undefined =>
    bytes.length === 0 || bytes.length > MAIOR_PAPEL
      ? undefined
      : { tipo, nome, endereco, selado: selo.seal(bytes, aadDe(tipo, nome, dono)) }

  function sealOne(entrada: unknown, dono: string): Papel | undefined {
    const certidao = membro(entrada, 'result')
    const base64 = texto(membro(certidao, 'pdf_base64')) || texto(membro(certidao, 'impressao_base64'))
    const uf = texto(membro(entrada, 'uf')).toLowerCase()
    const documento = texto(membro(entrada, 'document'))
    const nome = ['certidao', uf, documento].filter((one) => /^\w+$/.test(one)).join('-')
    return sealAs('pdf', nome, Buffer.from(base64, 'base64'), dono)
  }

  function deNota(corpo: unknown, dono: string): Papel | undefined {
    const [nota] = lista(membro(corpo, 'resultados'))
    const xml = texto(membro(nota, 'xml'))
    const chave = texto(membro(nota, 'chave'))
    return sealAs('xml', /^\w+$/.test(chave) ? `nfe-${chave}` : 'nfe', Buffer.from(xml), dono)
  }

  return {
    sealOne,
    seal: (corpo, dono) => {
      const entradas = [
        corpo,
        ...lista(membro(corpo, 'results')),
        ...lista(membro(membro(corpo, 'cnd_estaduais'), 'results')),
      ]
      const found = entradas.map(
        (one) => [one === corpo ? '' : texto(membro(one, 'uf')), sealOne(one, dono)] as const,
      )
      const all = [...found, ['', deNota(corpo, dono)] as const]
      return new Map(all.flatMap(([uf, papel]) => (papel ? [[uf, papel]] : [])))
    },
    open: (reply, { tipo, nome, papel }, dono) => {
      if (tipo !== 'pdf' && tipo !== 'xml') throw semPapel
      const bytes = selo.open(papel, aadDe(tipo, nome, dono))
      if (!bytes) throw semPapel
      const { type, disposition } = TIPOS[tipo]
      return reply
        .headers({
          'content-type': type,
          'content-disposition': `${disposition}; filename="${nome}.${tipo}"`,
          'content-security-policy': POLITICA_DO_PAPEL,
          'cache-control': 'no-store',
        })
        .send(bytes)
    },
  }
}

const aadDe = (tipo: string, nome: string, dono: string): string => [tipo, nome, dono].join(' ')

const semPapel = new ApiError(
  'REQUISICAO_INVALIDA',
  'O arquivo não veio de uma página desta sessão. Faça a consulta de novo: a resposta guardada pode custar outra vez.',
)
