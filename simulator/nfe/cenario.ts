import { dvCnpj } from '../documento/documento.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import type { Chamador } from '../platform/autoridade.ts'

export type Cenario = {
  numero: number
  nome: string
  titular: Chamador
  /** The kind of its key: only RSA can sign an event. */
  chaveDoA1: 'rsa' | 'ec'
  /**
   * `filial`: a branch of the recipient; `matriz`, `matriz-do-emitente`: the head office of a branch;
   * `estranho`: nothing.
   */
  papel:
    | 'emitente'
    | 'destinatario'
    | 'filial'
    | 'matriz'
    | 'matriz-do-emitente'
    | 'transportador'
    | 'autorizado'
    | 'estranho'
  emitente?: Chamador
  /** Days, fractions allowed. The key itself says when it was authorized. */
  idadeDias: number
  /** Days between authorization and reception by the national environment; 0 when left out. */
  recepcaoDias?: number
  situacao: 'autorizada' | 'cancelada' | 'denegada'
  /** Its summary is still given, in the place of 653 and 654. */
  aindaResumida?: true
  /** Whether the national environment knows the note at all; `nunca` answers 217, `sem-nsu` 137. */
  existe: 'sim' | 'nunca' | 'sem-nsu'
  /** Registered before anybody asks: tpEvento of the recipient's events. */
  eventos?: readonly string[]
  /** How many queries after the releasing event still get the summary; 0 when left out. */
  demoraDaLiberacao?: number
  /** What goes wrong with every query, and with those after an event was registered through the simulator. */
  distribuicao?: EfeitoNfe
  distribuicaoDepois?: EfeitoNfe
  /** Whatever the rules say, but a duplicate (573); a code of 135 or 136 registers the event. */
  ciencia?: EfeitoNfe
  confirmacao?: EfeitoNfe
  /** Whether the portal releases: to participants, after a manifestation, to nobody, or not now. */
  portal: 'libera' | 'exige-manifestacao' | 'nega' | 'indisponivel' | 'captcha-recusado' | EfeitoNfe
  nota: string
}

export type EfeitoNfe =
  | Efeito
  | {
      tipo: 'documento'
      defeito: 'gzip-cortado' | 'outra-chave' | 'sem-protocolo' | 'outra-raiz' | 'base64-ruim' | 'vazio'
    }
  | { tipo: 'envelope'; soap: '1.1'; prefixo: string }
  /** The event is registered and its answer never arrives. */
  | { tipo: 'registra-e-cai' }

export const empresa = (doze: string, nome: string): Chamador => ({
  tipo: 'cnpj',
  documento: doze + dvCnpj(doze),
  nome,
})

export const estabelecimento = ({ documento, nome }: Chamador, ordem: string): Chamador =>
  empresa(`${documento.slice(0, 8)}${ordem}`, nome)

/** A row of a table: in what the scenario differs from the usual, with its note for the list. */
export type LinhaDeCenario = readonly [nome: string, nota: string, diferenca?: Diferenca]

type Diferenca = Partial<Omit<Cenario, 'numero' | 'nome' | 'nota'>>

/** The scenarios of a table. A row's own company received the note three days ago and has not manifested. */
export const buildCenarios = (primeiro: number, linhas: readonly LinhaDeCenario[]): Cenario[] =>
  linhas.map(([nome, nota, diferenca], indice) => ({
    numero: primeiro + indice,
    nome,
    nota,
    titular: empresaDaLinha(primeiro + indice, diferenca?.papel),
    chaveDoA1: 'rsa',
    papel: 'destinatario',
    idadeDias: 3,
    situacao: 'autorizada',
    existe: 'sim',
    portal: 'libera',
    ...diferenca,
  }))

function empresaDaLinha(numero: number, papel: Cenario['papel'] | undefined): Chamador {
  const doze = `98764${String(numero).padStart(3, '0')}${papel === 'filial' ? '0002' : '0001'}`
  return empresa(doze, `EMPRESA SIMULADA DO CENARIO ${numero} LTDA`)
}
