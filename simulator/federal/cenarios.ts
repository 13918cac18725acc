import { dvCnpj } from '../documento/documento.ts'
import { type Efeito, findComportamento } from '../mundo/comportamento.ts'
import type { ErroDoGateway } from './token.ts'

export type Papel =
  | 'certo'
  /** An HTML page, somebody else's certificate, or half a file in the place of the PDF. */
  | 'html'
  | 'outro'
  | 'corrompido'
  /** The title over three lines; words without spaces between them; no accents; two pages. */
  | 'quebrado'
  | 'colado'
  | 'sem-acentos'
  | 'duas-paginas'
  /** The first eight digits of the CNPJ alone, as public bodies may have it. */
  | 'raiz'
  /** The title of one kind with the body of another; an end before its issue; no control code. */
  | 'contradiz'
  | 'datas'
  | 'sem-codigo'

/** How a request ends: with a paper (the positive one at the counter alone), or with a refusal. */
export type Desfecho = 'negativa' | 'efeitos' | 'positiva' | 'insuficiente' | 'inapta' | 'nao-inscrito'

/**
 * The certificates when it is first asked about: none, one, one with two days left, or one so many days old.
 */
export type Anterior = 'nenhuma' | 'valida' | 'vencendo' | { dias: number }

/** An issuance is done after so many questions, or so many seconds after the first. */
export type Demora = { vezes: number } | { segundos: number }

export type CertidaoFederal = {
  id: string
  /** The head office's, 14 characters. */
  cnpj: string
  nome: string
  tipo: 'negativa' | 'efeitos' | 'positiva'
  codigo: string
  /** YYYY-MM-DD and hh:mm:ss, in Brasília's time. */
  emissao: string
  hora: string
  /** YYYY-MM-DD, the last day. */
  validade: string
  anulada: boolean
  papel: Papel
}

/** Days that a certificate holds (Portaria Conjunta RFB/PGFN 1.751/2014, art. 10). */
const PRAZO = 180

export function emBrasilia(instante: number): { dia: string; hora: string } {
  const [dia = '', hora = ''] = new Date(instante - 3 * 3_600_000).toISOString().split(/[TZ.]/)
  return { dia, hora }
}

export function vencer(emissao: string): string {
  const dia = new Date(`${emissao}T12:00:00Z`)
  dia.setUTCDate(dia.getUTCDate() + PRAZO)
  return dia.toISOString().slice(0, 10)
}

type Excecao = {
  /** The error with which the gateway keeps every product from answering. */
  erro?: ErroDoGateway
  /** What the registry leaves out of its answer, or that it takes the digits for wrong. */
  cnpj?: 'sem-simples' | 'sem-endereco' | 'invalido' | 'sem-socios' | 'empresario'
  desfecho?: Desfecho
  anterior?: Anterior
  demora?: Demora
  papel?: Papel
  contrato?: ManiaDoContrato
  portal?: ManiaDoPortal
}

export type ManiaDoContrato =
  /** Status 5, once or for ever; 6; 9; 99. */
  | 'analise-uma-vez'
  | 'analise'
  | 'base-fora'
  | 'parametro'
  | 'falha'
  /** The first key is lost: Status 14 when it comes back. */
  | 'chave-perdida'
  /** No `DocumentoPdf`; one with `data:` and line breaks; names with an accent and another spelling. */
  | 'sem-pdf'
  | 'data-uri'
  | 'nomes-trocados'
  /** The control code without its dots. */
  | 'codigo-corrido'
  /** TipoCertidao 3, 1 for another kind of paper, or none. */
  | 'tipo-3'
  | 'tipo-1'

type ManiaDoPortal =
  /** The banner with 033 at the issuance; the system or its base away; more than 300 certificates. */
  | '033'
  | 'sistema-fora'
  | 'base-fora'
  | 'mais-300'
  /** `NaoEmitida` before any issuance, with the message that tells why. */
  | 'nao-emitida'
  /** The session dies after the first "being processed". */
  | 'sessao-morre'
  /** No second copy of what was found. */
  | 'sem-segunda-via'
  /** A second issuance on the same day gives the first one's paper. */
  | 'mesma-no-dia'

export type CenarioFederal = { nome: string; documento: string; nota: string } & Excecao

/** Order is identity: the n-th row is the head office of root 98764000 + n, so new rows go to the end. */
const linhas: readonly [nome: string, excecao: Excecao, nota: string][] = [
  ['cnpj-206', { cnpj: 'sem-endereco' }, 'HTTP 206: a Receita responde sem o endereço'],
  ['gateway-403', { erro: 'nao-contratado' }, 'HTTP 403: o produto não está no contrato'],
  ['cnpj-400', { cnpj: 'invalido' }, 'HTTP 400: a Receita diz que o CNPJ é inválido'],
  ['gateway-429', { erro: 'estrangulado' }, 'HTTP 429: consultas demais'],
  ['gateway-502', { erro: 'ma-ligacao' }, 'HTTP 502: o gateway não alcança a Receita'],
  ['gateway-503', { erro: 'fora-do-ar' }, 'HTTP 503: o produto está fora do ar'],
  ['gateway-504', { erro: 'sem-resposta' }, 'HTTP 504: a Receita não responde ao gateway'],
  ['cnpj-sem-socios', { cnpj: 'sem-socios' }, 'a resposta não traz o quadro de sócios que a empresa tem'],
  ['emite', {}, 'nenhuma certidão ainda: uma é emitida na hora'],
  ['valida', { anterior: 'valida' }, 'uma certidão válida, emitida há 30 dias'],
  ['vencendo', { anterior: 'vencendo' }, 'a certidão válida vence em 2 dias'],
  ['efeitos', { desfecho: 'efeitos' }, 'certidão positiva com efeitos de negativa'],
  ['insuficiente', { desfecho: 'insuficiente' }, 'informações insuficientes: nenhuma certidão pela Internet'],
  ['inapta', { desfecho: 'inapta' }, 'a situação no CNPJ não permite a emissão'],
  ['nao-inscrito', { desfecho: 'nao-inscrito' }, 'o CNPJ não consta do cadastro'],
  ['processa', { demora: { vezes: 2 } }, 'a emissão responde duas vezes que está em processamento'],
  ['processa-muito', { demora: { segundos: 180 } }, 'a emissão leva três minutos'],
  ['analise-uma-vez', { contrato: 'analise-uma-vez' }, 'Status 5 uma vez, depois a certidão'],
  ['analise', { contrato: 'analise' }, 'Status 5 sempre: a base está sendo atualizada'],
  [
    'base-fora',
    { contrato: 'base-fora', portal: 'base-fora' },
    'a base de apoio está indisponível (Status 6)',
  ],
  ['parametro', { contrato: 'parametro' }, 'Status 9: o contrato diz que um parâmetro está errado'],
  ['falha', { contrato: 'falha', portal: '033' }, 'Status 99 no contrato, mensagem 033 no portal'],
  [
    'chave-perdida',
    { contrato: 'chave-perdida', demora: { vezes: 1 } },
    'Status 14: a chave do processamento se perdeu; outra é dada',
  ],
  ['sem-pdf', { contrato: 'sem-pdf', anterior: 'valida' }, 'a resposta do contrato não traz o PDF'],
  ['data-uri', { contrato: 'data-uri', anterior: 'valida' }, 'o PDF vem como data: e quebrado em linhas'],
  ['nomes-trocados', { contrato: 'nomes-trocados' }, 'TipoCertidão com acento e Messagem na resposta'],
  ['codigo-corrido', { contrato: 'codigo-corrido' }, 'o código de controle vem sem pontos'],
  [
    'positiva-no-papel',
    { desfecho: 'positiva', contrato: 'tipo-3', anterior: 'valida' },
    'TipoCertidao 3: uma certidão positiva, que só existe no balcão',
  ],
  [
    'tipo-e-papel',
    { desfecho: 'efeitos', contrato: 'tipo-1', anterior: 'valida' },
    'TipoCertidao diz negativa e o papel diz positiva com efeitos de negativa',
  ],
  ['papel-quebrado', { papel: 'quebrado' }, 'o título do papel ocupa três linhas'],
  ['papel-colado', { papel: 'colado' }, 'as palavras do papel se leem coladas'],
  ['papel-sem-acentos', { papel: 'sem-acentos' }, 'o papel perdeu os acentos'],
  ['papel-duas-paginas', { papel: 'duas-paginas' }, 'o papel tem duas páginas'],
  ['papel-raiz', { papel: 'raiz' }, 'o papel mostra só a raiz do CNPJ, como em órgãos públicos'],
  [
    'papel-contradiz',
    { papel: 'contradiz' },
    'o título do papel diz negativa e o texto diz que constam débitos',
  ],
  ['papel-datas', { papel: 'datas' }, 'o papel vence antes de ser emitido'],
  ['papel-sem-codigo', { papel: 'sem-codigo' }, 'o papel não traz o código de controle'],
  ['portal-sistema-fora', { portal: 'sistema-fora' }, 'o portal diz SistemaIndisponivel'],
  [
    'portal-mais-300',
    { portal: 'mais-300', anterior: 'valida' },
    'a pesquisa do portal passa de 300 certidões',
  ],
  [
    'portal-nao-emitida',
    { portal: 'nao-emitida', desfecho: 'insuficiente' },
    'o portal diz NaoEmitida antes de emitir',
  ],
  [
    'portal-sessao',
    { portal: 'sessao-morre', demora: { vezes: 1 } },
    'a sessão do portal acaba no meio da emissão; a certidão sai',
  ],
  [
    'portal-sem-segunda-via',
    { portal: 'sem-segunda-via', anterior: 'valida' },
    'o portal não dá a segunda via da certidão que tem',
  ],
  ['mesma-no-dia', { portal: 'mesma-no-dia' }, 'emitida de novo no mesmo dia, a certidão é a mesma'],
  ['vence-em-4', { anterior: { dias: 176 } }, 'a certidão válida vence em 4 dias'],
  ['vence-em-3', { anterior: { dias: 177 } }, 'a certidão válida vence em 3 dias'],
  ['vence-hoje', { anterior: { dias: 180 } }, 'a certidão válida vence hoje'],
  ['cnpj-206-simples', { cnpj: 'sem-simples' }, 'HTTP 206: a Receita responde sem o que o Simples sabe'],
  [
    'cnpj-empresario',
    { cnpj: 'empresario' },
    'empresário individual: a resposta não traz sócios, e ele não tem',
  ],
]

export const cenariosFederais: readonly CenarioFederal[] = linhas.map(([nome, excecao, nota], indice) => {
  const doze = `${98_764_001 + indice}0001`
  return { nome, documento: doze + dvCnpj(doze), ...excecao, nota }
})

const porDocumento = new Map(cenariosFederais.map((um) => [um.documento, um]))

/** What is out of the ordinary about a document; undefined for all but the series 98.764.0NN/0001. */
export function findCenarioFederal(documento: string): CenarioFederal | undefined {
  return porDocumento.get(documento)
}

/** Troubles of the states alone do not touch the Receita Federal; `portal-fora` is also its portal's. */
export function efeitoFederal(documento: string, onde: 'contrato' | 'portal'): Efeito | undefined {
  const efeito = findComportamento(documento)?.efeito
  if (efeito?.tipo === 'por-uf') return undefined
  if (efeito?.tipo !== 'so-em') return efeito
  return efeito.onde === onde ? efeito.efeito : undefined
}
