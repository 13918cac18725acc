import { dvCnpj } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { readTable } from '../platform/table.ts'

/** The registries of rural properties: the connector to CNIR, the pages of SIGEF, its open geodata. */
export type OndeRural = 'cnir' | 'sigef' | 'wfs'

export type CasoRural =
  | 'paginacao-nova'
  | 'so-historico'
  | 'detalhe-404'
  | 'detalhe-mudado'
  | 'conta-errada'
  | 'barrado-na-segunda'
  | 'sessao-cai-no-detalhe'
  | 'sem-documento'
  | 'excecao'
  | 'retry-after'
  | 'nao-json'
  | 'sem-situacao'
  | 'sem-booleano'
  | 'numero-texto'
  | 'duas-pessoas'
  | 'registros-demais'
  | 'outros-membros'

/** What goes wrong when an authority is asked about a document, whichever authority it is. */
export type Efeito =
  /** The right answer, late. */
  | { tipo: 'demora'; ms: number }
  | { tipo: 'pagina'; status: number; titulo: string }
  | { tipo: 'redireciona'; para: string }
  | { tipo: 'fault'; soap: '1.1' | '1.2' }
  /** The connection is reset before the first byte, or after half of the body. */
  | { tipo: 'queda'; quando: 'antes' | 'no-meio' }
  /** A fatal TLS alert after the handshake, as for a refused certificate. */
  | { tipo: 'tls' }
  | { tipo: 'vazio' }
  | { tipo: 'gigante'; bytes: number }
  | { tipo: 'malformado' }
  /** The right answer in ISO-8859-1, said to be so or said to be UTF-8. */
  | { tipo: 'latin1'; declara: 'utf-8' | 'iso-8859-1' }
  | { tipo: 'outro' }
  | { tipo: 'muitas'; quantas: number }
  /** An address with the municipality's code (cMun) and without its name; of the web service alone. */
  | { tipo: 'municipio-sem-nome' }
  /** That code, as a rejection; of the web service alone. */
  | { tipo: 'codigo'; cStat: number }
  /** An outcome of a certificate, or a spoilt PDF. Registrations are answered rightly. */
  | { tipo: 'certidao'; desfecho: 'positiva' | 'efeitos' | 'nao-inscrito' | 'irregular' }
  | { tipo: 'papel'; papel: 'html' | 'outro' | 'corrompido' }
  | { tipo: 'fechado' }
  /** The answer to the captcha is never right; a page that has none shows one. */
  | { tipo: 'captcha'; quando: 'recusado' | 'inesperado' }
  | { tipo: 'layout' }
  | { tipo: 'waf' }
  | { tipo: 'sessao-velha' }
  /** An effect on one kind of service alone; elsewhere the right answer. */
  | { tipo: 'so-em'; onde: 'ws' | 'portal' | 'cnd' | OndeRural; efeito: Efeito }
  | { tipo: 'rural'; caso: CasoRural }
  /** Another effect in these states; elsewhere the right answer. */
  | { tipo: 'por-uf'; efeitos: readonly { ufs: readonly Uf[]; efeito: Efeito }[] }

/** Where a document is asked about: the web service, a portal of registrations, a portal of certificates. */
export type Onde = 'ws' | 'ie' | 'cnd'

export type Comportamento = { nome: string; documento: string; efeito: Efeito; nota: string }

/** Order is identity: the n-th of `gerais` is the CNPJ with root 98765000 + n. */
const { gerais, rurais } = readTable<{
  gerais: readonly (readonly [nome: string, efeito: Efeito, nota: string])[]
  rurais: readonly (readonly [nome: string, onde: OndeRural, efeito: Efeito, nota: string])[]
}>('./comportamentos.json', import.meta.url)

/** The rows of the rural registries begin here, so that two lists may grow at their ends. */
const RURAIS = 200

export const comportamentos: readonly Comportamento[] = [
  ...gerais.map(([nome, efeito, nota], indice) => ({
    nome,
    efeito,
    nota,
    documento: reservado(indice + 1),
  })),
  ...rurais.map(([nome, onde, efeito, nota], indice) => ({
    nome,
    efeito: { tipo: 'so-em', onde, efeito } as const,
    nota,
    documento: reservado(RURAIS + indice),
  })),
]

/** What an effect comes to in one state's service; undefined where the answer there is right. */
export function efeitoEm(efeito: Efeito | undefined, uf: Uf, onde: Onde): Efeito | undefined {
  if (efeito?.tipo === 'por-uf') return efeito.efeitos.find(({ ufs }) => ufs.includes(uf))?.efeito
  if (efeito?.tipo !== 'so-em') return efeito
  return efeito.onde === onde || (efeito.onde === 'portal' && onde !== 'ws') ? efeito.efeito : undefined
}

export const OUTRO_DOCUMENTO = reservado(0)

const porDocumento = new Map(comportamentos.map((linha) => [linha.documento, linha]))

/** Undefined for all but the reserved series 98.765.NNN/0001. */
export const findComportamento = (documento: string): Comportamento | undefined => porDocumento.get(documento)

function reservado(numero: number): string {
  const doze = `${98_765_000 + numero}0001`
  return doze + dvCnpj(doze)
}
