import { mix } from '../documento/aleatorio.ts'
import { emBrasilia } from '../documento/dia.ts'
import { sementeDe } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Contribuinte, Inscricao } from '../mundo/contribuinte.ts'
import { exemplos } from '../mundo/exemplo.ts'

/** How long a certificate holds, from the day it is issued. MT counts that day, too: `countsDia`. */
type Prazo = { dias: number; countsDia?: true } | { meses: number }

/**
 * In the forms `#` is a digit, `X` a capital letter or digit, `H` a hexadecimal one; empty: none is printed.
 */
type Emissao = {
  prazo: Prazo
  numero: string
  codigo: string
  /** Whether its page refuses documents that are not registered in the state; the others certify anybody. */
  soInscritos?: true
}

const dias = (quantos: number): Prazo => ({ dias: quantos })

/**
 * The terms of BA, CE, DF, GO, MA, MS, MT, PA, PI, PR and SP are published or printed (2026), the others are
 * guesses; so are the forms, save those of AC, CE, DF, GO, MA, MT, PA, PE, PI, PR and SP.
 */
const emissoes: Readonly<Record<Uf, Emissao>> = {
  AC: { prazo: dias(60), numero: '######/{aaaa}', codigo: '####################' },
  AL: { prazo: dias(60), numero: 'XXXX-XXXX-XXXX-XXXX', codigo: '' },
  AM: { prazo: dias(30), numero: '########', codigo: 'XXXXXXXXXXXX' },
  AP: { prazo: dias(60), numero: '{aaaa}######', codigo: 'XXXXXXXXXX' },
  BA: { prazo: dias(60), numero: '{aaaa}#######', codigo: '' },
  CE: { prazo: dias(60), numero: '{aaaa}########', codigo: '' },
  DF: { prazo: dias(90), numero: '###########{aaaa}', codigo: 'XXXX.XXXX.XXXX' },
  ES: { prazo: dias(90), numero: '{aaaa}######', codigo: 'HHHH-HHHH-HHHH-HHHH' },
  GO: { prazo: dias(120), numero: '########', codigo: '#.###.###.###.###' },
  MA: { prazo: dias(90), numero: '######/{aa}', codigo: 'XXXX.XXXX.XXXX' },
  MG: { prazo: dias(90), numero: '', codigo: '{aaaa}############' },
  MS: { prazo: dias(60), numero: '######/{aaaa}', codigo: 'XXXXXXXX', soInscritos: true },
  MT: { prazo: { dias: 60, countsDia: true }, numero: '00########', codigo: 'XXXXXXXXXXXXXXXX' },
  PA: { prazo: dias(180), numero: '70{aaaa}#########-#', codigo: 'HHHHHHHH.HHHHHHHH.HHHHHHHH.HHHHHHHH' },
  PB: { prazo: dias(60), numero: '####.####.####', codigo: 'XXXX.XXXX.XXXX.XXXX' },
  PE: { prazo: dias(90), numero: '{aaaa}.############-##', codigo: '' },
  PI: { prazo: dias(60), numero: '{aa}##############', codigo: 'HHHHHHHH-HHHH-HHHH-HHHH-HHHHHHHHHHHH' },
  PR: { prazo: dias(120), numero: '########-##', codigo: '' },
  RJ: { prazo: dias(180), numero: '{aaaa}.#.#######-#', codigo: 'XXXXXXXXXX' },
  RN: { prazo: dias(30), numero: '########', codigo: 'HHHHHHHHHHHH' },
  RO: { prazo: dias(90), numero: '{aaaa}########', codigo: 'XXXX-XXXX-XXXX' },
  RR: { prazo: dias(90), numero: '######/{aaaa}', codigo: '##########' },
  RS: { prazo: dias(60), numero: '########', codigo: '####-####' },
  SC: { prazo: dias(60), numero: '{aa}############', codigo: '' },
  SE: { prazo: dias(30), numero: '######/{aaaa}', codigo: 'XXXXXXXXX' },
  SP: { prazo: { meses: 6 }, numero: '{aa}#########-##', codigo: '' },
  TO: { prazo: dias(30), numero: '#######-#', codigo: '' },
}

/**
 * `nao-inscrito` is said by states that check registrations; `irregular` refuses for another reason than
 * debt.
 */
export type Desfecho = 'negativa' | 'positiva' | 'efeitos' | 'nao-inscrito' | 'irregular'

/** A clearance certificate, or why there is none, as the state's register has it. */
export type Certidao = {
  uf: Uf
  /** CPF or CNPJ, bare; the IE's owner's when it was asked for by IE. */
  documento: string
  tipoDocumento: 'cpf' | 'cnpj'
  desfecho: Desfecho
  /** Empty when the state does not know the document. */
  nome: string
  /** IE, bare. Empty when the state does not know the document. */
  inscricao: string
  /** As the state prints them; equal for the same document on the same day. */
  numero: string
  codigo: string
  /** YYYY-MM-DD and hh:mm:ss, in Brasília's time. */
  emissao: string
  hora: string
  /** YYYY-MM-DD. */
  validade: string
  /** How long it holds, as the state counts: `60 (sessenta) dias`, `6 (seis) meses`. */
  prazo: string
  /** What stands against it, in a generic wording: empty for `negativa`. States have their own phrases. */
  motivo: string
  /** The file served as the PDF: the right one, an HTML page, another holder's, or a broken one. */
  papel: 'certo' | 'html' | 'outro' | 'corrompido'
}

/** The document, the taxpayer if it is known, and the registration on the paper. */
export type Titular = {
  documento: string
  contribuinte: Contribuinte | undefined
  inscricao: Inscricao | undefined
}

export type Imposto = { desfecho?: Desfecho | undefined; papel?: Certidao['papel'] | undefined }

const MOTIVOS = {
  negativa: '',
  positiva: 'Existem débitos em nome do requerente.',
  efeitos: 'Existem débitos com exigibilidade suspensa.',
  'nao-inscrito': 'Documento não inscrito no cadastro de contribuintes do Estado.',
  irregular: 'Existe pendência de IPVA ou de Auto de IPVA.',
} as const satisfies Record<Desfecho, string>

/** One in ten has debts, one in twenty debts suspended, one in twenty none for another reason. */
export function certify(
  uf: Uf,
  { documento, contribuinte, inscricao }: Titular,
  agora: Date,
  imposto: Imposto = {},
): Certidao {
  const { prazo, numero, codigo, soInscritos } = emissoes[uf]
  const { dia: emissao, hora } = emBrasilia(agora.getTime())
  const sorteado = soInscritos && !inscricao ? 'nao-inscrito' : inscricao ? pick(uf, documento) : 'negativa'
  const desfecho = imposto.desfecho ?? sorteado
  const semente = sementeDe(`${uf}${documento}${emissao}`)
  const anonima = desfecho === 'nao-inscrito'
  return {
    uf,
    documento,
    tipoDocumento: documento.length === 11 ? 'cpf' : 'cnpj',
    desfecho,
    nome: anonima ? '' : (contribuinte?.nome ?? ''),
    inscricao: anonima ? '' : (inscricao?.ie ?? ''),
    numero: fill(numero, emissao, mix(semente, 1)),
    codigo: fill(codigo, emissao, mix(semente, 2)),
    emissao,
    hora,
    validade: expire(emissao, prazo),
    prazo: writePrazo(prazo),
    motivo: MOTIVOS[desfecho],
    papel: imposto.papel ?? 'certo',
  }
}

function pick(uf: Uf, documento: string): Desfecho {
  if (exemplos().umaInscricao.get(uf) === documento) return 'negativa'
  const sorte = mix(sementeDe(documento), sementeDe(uf)) % 20
  return sorte < 2 ? 'positiva' : sorte < 3 ? 'efeitos' : sorte < 4 ? 'irregular' : 'negativa'
}

const ALGARISMOS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const BASES = { '#': 10, H: 16, X: 36 } as const

function fill(forma: string, emissao: string, semente: number): string {
  const ano = emissao.slice(0, 4)
  let passo = semente
  return forma.replace(/\{aaaa\}|\{aa\}|#|H|X/g, (marca) => {
    if (marca === '{aaaa}') return ano
    if (marca === '{aa}') return ano.slice(2)
    passo = mix(passo, 3)
    return ALGARISMOS.charAt((passo >>> 8) % (marca === '#' ? BASES['#'] : marca === 'H' ? BASES.H : BASES.X))
  })
}

function expire(emissao: string, prazo: Prazo): string {
  const dia = new Date(`${emissao}T12:00:00Z`)
  if ('meses' in prazo) dia.setUTCMonth(dia.getUTCMonth() + prazo.meses)
  else dia.setUTCDate(dia.getUTCDate() + prazo.dias - (prazo.countsDia ? 1 : 0))
  return dia.toISOString().slice(0, 10)
}

const POR_EXTENSO: Readonly<Record<number, string>> = {
  ...{ 30: 'trinta', 60: 'sessenta', 90: 'noventa', 120: 'cento e vinte', 180: 'cento e oitenta' },
}

function writePrazo(prazo: Prazo): string {
  if ('meses' in prazo) return `${prazo.meses} (seis) meses`
  return `${prazo.dias} (${POR_EXTENSO[prazo.dias] ?? ''}) dias`
}
