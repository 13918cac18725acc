import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta, RotaIe } from '../portal/estado.ts'
import { type Campo, type Lidos, toInscricao } from '../portal/inscricao.ts'
import { jsonCertidao } from '../portal/json.ts'
import { type Pagina, parseJson, textAt, valueAt } from '../portal/pagina.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { type PortalOptions, rota } from '../portal/rota.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { failUnknown, type Portal, refuseKnown, throwRecusa } from '../portal/visita.ts'

type Membros = Readonly<Partial<Record<Campo, string>>>

type JsonCadastroOptions = PortalOptions &
  Pick<InscricoesOptions, 'espera'> & {
    /** The address of a page of a CNPJ's registrations. The pages count from 0. */
    lista: (cnpj: string, pagina: number) => string
    /** Persons in the list may have no number. */
    item: { numero: string; digito: string; membros: Membros }
    ficha: { url: (ie: string) => string; membros: Membros }
  }

const MOST_PAGES = 5

/** Milliseconds before each new try if the API answers HTTP 5xx. Its other clients wait and try again too. */
const PAUSES_MS = [300, 600, 1200]

/** A list by CNPJ in pages, or one by number; HTTP 404 if there is none. It tells no names of holders. */
const jsonCadastro = (uf: Uf, options: JsonCadastroOptions): RotaIe =>
  rota(
    'json-cadastro',
    uf,
    { ...options, leitor: inscricoes({ espera: options.espera }) },
    (portal, pergunta) =>
      pergunta.tipo === 'ie' ? readFicha(portal, pergunta, options) : readLista(portal, pergunta, options),
  )

async function readFicha(
  portal: Portal,
  pergunta: Pergunta,
  { url, ficha }: JsonCadastroOptions,
): Promise<Inscricao[]> {
  const json = await ask(portal, pergunta, new URL(ficha.url(pergunta.documento), url))
  if (json === undefined) return []
  const lidos = { ...readMembros(json, ficha.membros), inscricao_estadual: pergunta.documento }
  return [toInscricao(lidos, portal, pergunta, { semNome: true })]
}

async function readLista(
  portal: Portal,
  pergunta: Pergunta,
  { url, lista, item }: JsonCadastroOptions,
): Promise<Inscricao[]> {
  const found: Inscricao[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const json = await ask(portal, pergunta, new URL(lista(pergunta.documento, page), url))
    const content = valueAt(json, 'content')
    const last = valueAt(json, 'last')
    if (json === undefined && page === 0) return []
    if (!Array.isArray(content) || typeof last !== 'boolean')
      throw portal.failure('parse', 'mudou de página: a resposta não é a lista de inscrições')
    for (const one of content) {
      // Null is a person whom the register knows without a registration.
      if (valueAt(one, item.numero) === null) continue
      const inscricao_estadual = textAt(one, item.numero) + textAt(one, item.digito)
      if (!/^\d{9}$/.test(inscricao_estadual))
        throw portal.failure('parse', 'mudou de página: a inscrição não tem 9 dígitos')
      const lidos = { ...readMembros(one, item.membros), inscricao_estadual }
      found.push(toInscricao(lidos, portal, pergunta, { semNome: true }))
    }
    if (last) return found
  }
  throw portal.failure('parse', `listou mais de ${MOST_PAGES} páginas de inscrições`)
}

const readMembros = (one: unknown, membros: Membros): Lidos =>
  Object.fromEntries(Object.entries(membros).map(([campo, path]) => [campo, textAt(one, path)]))

/** Gives the JSON at an address. Undefined for a 404, unless it is a web page: then the address is gone. */
async function ask(portal: Portal, pergunta: Pergunta, url: URL): Promise<unknown> {
  const answer = await getPatiently(portal, url.href)
  if (answer.status === 404 && !answer.media.includes('html')) return undefined
  if (answer.status !== 404) throwRecusa(portal, answer, pergunta.tipo)
  refuseKnown(answer, portal.failure)
  return parseJson(answer) ?? failUnknown(portal, answer, 'a resposta não é JSON', pergunta.tipo)
}

async function getPatiently(portal: Portal, url: string): Promise<Pagina> {
  const modo = { headers: { accept: 'application/json' }, anyStatus: true } as const
  for (const pause of PAUSES_MS) {
    const answer = await portal.get(url, modo).catch((error: unknown) => {
      if (error instanceof SourceError && error.kind === 'http' && error.unavailable) return undefined
      throw error
    })
    if (answer && answer.status < 500) return answer
    if (portal.leftMs() <= pause) break
    await setTimeout(pause)
  }
  return portal.get(url, modo)
}

const API = '/sfz-cadastro-api/api/contribuinte/'

export const estado = {
  uf: 'AL',
  exemplo: '99167913000164',
  ie: [
    jsonCadastro('AL', {
      url: 'https://cadastro.sefaz.al.gov.br/',
      documentos: { cnpj: '', ie: '' },
      captcha: 'nenhum',
      espera: { marca: 'situacaoCadastral', minimo: 20, campos: ['inscricao_estadual', 'situacao_ie'] },
      certeza: 'verificado',
      origem:
        'código aberto que consulta a API do cadastro (a página dela é https://cadastro.sefaz.al.gov.br/#/fic)',
      em: '2026-08-27',
      nota: 'Conta a inscrição, a situação, a data e o motivo; nome e endereço ninguém mostrou e vêm vazios. O endereço anterior (sintegra.sefaz.al.gov.br) respondia 503 em 08/2026. Outros clientes da API esperam 0,3 s entre CNPJs; que ela bloqueie quem não espera, ninguém diz.',
      lista: (cnpj, pagina) => `${API}obterListaContribuintes/CNPJ/${cnpj}/${pagina}/50`,
      item: {
        numero: 'numeroCaceal',
        digito: 'identificacao.digitoCaceal',
        membros: {
          situacao_cadastral: 'situacaoCadastral.situacaoCadastralContribuinte',
          // The page writes it so.
          data_situacao: 'situacaoCadastral.dataAlteracaoSituacaoCastral',
        },
      },
      ficha: {
        // The 8 digits before the check digit. With the check digit the API answers 404.
        url: (ie) => `${API}obterDadosFic/${ie.slice(0, 8)}`,
        membros: {
          situacao_cadastral: 'situacaoCadastralRecente.situacaoCadastral',
          data_situacao: 'situacaoCadastralRecente.dataAlteracaoSituacaoCadastral',
        },
      },
    }),
  ],
  cnd: [
    jsonCertidao('AL', {
      leitor: certidao({
        espera: { marca: 'Certidão', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
        abrange: { debitos: 'desconhecido', origem: '' },
        naoContribuinte: 'ie',
        layout: {
          // The certificate has no printed number. Its control code identifies it.
          numero: /CODIGO DE CONTROLE DA CERTIDAO ?: ?((?=[A-Z.-]*\d)[A-Z0-9][A-Z0-9.-]{4,40})/,
          verificacao: 'https://contribuinte.sefaz.al.gov.br/certidao/',
        },
      }),
      url: 'https://contribuinte.sefaz.al.gov.br/certidao/',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão, um deles com testes',
      em: '2025-11-17',
      nota: 'O pedido por CPF é dedução do pedido por CNPJ.',
      ask: ({ tipo, documento }, _resposta, now) => ({
        url: `/certidao/sfz-certidao-api/api/public/emitirCertidao?cacheBuster=${now.getTime()}`,
        json: { numeroDocumento: documento, tipoDocumento: tipo.toUpperCase() },
      }),
      pdf: 'conteudo',
      // It comes with status 500.
      mensagem: 'description',
    }),
  ],
} satisfies Estado
