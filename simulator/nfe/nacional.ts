import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { tipoDoDocumento } from '../documento/documento.ts'
import { codigosUf } from '../documento/uf.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import type { Conexao, Opcoes } from '../platform/autoridade.ts'
import { motivo } from '../platform/motivos.ts'
import {
  type EstiloEnvelope,
  type ServicoSoap,
  type VersaoSoap,
  versoesSoap,
  writeEnvelope,
  writeFault,
} from '../platform/soap.ts'
import { detach } from '../platform/xml.ts'
import type { EfeitoNfe } from './cenario.ts'
import { dvDaChave, horaDeBrasilia, type Livro, type PartesDaChave, readChave } from './nota.ts'
import type { WriteNfeProc } from './proc.ts'

export type MeiosDoAn = Opcoes & {
  livro: Livro
  writeNfeProc: WriteNfeProc
  /** The root and the intermediate, in PEM, that signatures are accepted under; none when left out. */
  cadeia?: readonly string[] | undefined
}

/** 1 production, 2 homologation, by the name that was asked. */
export type TpAmb = '1' | '2'

export const ambienteDe = (host: string): TpAmb => (host.startsWith('hom') ? '2' : '1')

/** The envelopes of ASP.NET; answers come in the version of the question. */
export const estiloDoAn = (soap: VersaoSoap): EstiloEnvelope => ({
  soap,
  prefixo: 'soap',
  declaracao: '<?xml version="1.0" encoding="utf-8"?>',
  esquemas: true,
})

const AMBAS: readonly VersaoSoap[] = ['1.2', '1.1']

/** A service of the national environment, by its names in the official WSDL. */
export const servicoDoAn = (
  servico: string,
  nomes: Pick<ServicoSoap, 'wsdl' | 'operacao' | 'entradas' | 'endereco'>,
): ServicoSoap => ({ servico, ...nomes, entende: AMBAS, motor: 'asp.net', estilo: estiloDoAn('1.2') })

/** Letters in the CNPJ's first 12 characters since 2026-07 (NT Conjunta 2025.001). */
export const FORMATO_DA_CHAVE = /^\d{6}[0-9A-Z]{12}\d{26}$/

const codigos: readonly string[] = Object.values(codigosUf)

/** Rules 236 and 614 to 619 of a key, in that order (NT 2014.002 v1.21, 3.8; NT 2020.001 v1.50, 6.3.7). */
export function checkChave(chave: string, modelos: readonly string[], agora: Date): number | undefined {
  const partes = readChave(chave)
  if (!partes || dvDaChave(chave.slice(0, 43)) !== partes.dv) return 236
  const ano = Number(partes.aamm.slice(0, 2))
  const mes = Number(partes.aamm.slice(2))
  if (!codigos.includes(partes.cUF)) return 614
  if (ano < 6 || ano > Number(horaDeBrasilia(agora).slice(2, 4))) return 615
  if (mes < 1 || mes > 12) return 616
  if (!hasEmitente(partes)) return 617
  if (!modelos.includes(partes.modelo)) return 618
  return Number(partes.nNF) === 0 ? 619 : undefined
}

/** Series above 909 are of persons, whose CPF comes after three zeros (MOC 7.0, Anexo I, "série"). */
function hasEmitente({ serie, documento }: PartesDaChave): boolean {
  if (Number(serie) <= 909) return tipoDoDocumento(documento) === 'cnpj'
  return documento.startsWith('000') && tipoDoDocumento(documento.slice(3)) === 'cpf'
}

const FALHA_INTERNA = { culpa: 'servidor', motivo: 'Erro interno no processamento da mensagem' } as const

export type Saida = { resposta: ServerResponse; conexao: Conexao; ritmo?: number | undefined }

/** Sends a body entry in an envelope; only effects on the wire spoil it here. */
export function sendWithEfeitoNfe(
  efeito: EfeitoNfe | undefined,
  estilo: EstiloEnvelope,
  entrada: string,
  { resposta, conexao, ritmo }: Saida,
): void {
  const usado =
    efeito?.tipo === 'envelope' ? { ...estilo, soap: efeito.soap, prefixo: efeito.prefixo } : estilo
  const mensagem =
    efeito?.tipo === 'fault'
      ? writeFault({ ...estilo, soap: efeito.soap }, FALHA_INTERNA)
      : {
          status: 200,
          cabecalhos: { 'content-type': `${versoesSoap[usado.soap].tipo}; charset=utf-8` },
          corpo: Buffer.from(writeEnvelope(usado, entrada)),
        }
  sendWithEfeito(noFio(efeito), mensagem, resposta, conexao, ritmo)
}

function noFio(efeito: EfeitoNfe | undefined): Efeito | undefined {
  if (efeito?.tipo === 'registra-e-cai') return { tipo: 'queda', quando: 'antes' }
  return efeito?.tipo === 'envelope' || efeito?.tipo === 'documento' ? undefined : efeito
}

const HORA_MS = 3_600_000

/** How many callers a counter remembers. The oldest are forgotten, because a simulator may run for months. */
const MAXIMO = 10_000

export type Bloqueio = {
  block: (quem: string) => void
  /** Whether it is blocked; to ask while blocked starts the hour again. */
  insists: (quem: string) => boolean
}

/** Blocks for an hour, which a query while blocked starts again (NT 2014.002 v1.21, 3.11.4). */
export function createBloqueio(agora: () => Date): Bloqueio {
  const ate = new LRUCache<string, number>({ max: MAXIMO })
  const block = (quem: string): void => void ate.set(detach(quem), agora().getTime() + HORA_MS)
  return {
    block,
    insists(quem) {
      const bloqueado = (ate.get(quem) ?? 0) > agora().getTime()
      if (bloqueado) block(quem)
      else ate.delete(quem)
      return bloqueado
    },
  }
}

/** Whether somebody did this more than `maximo` times in the last hour. */
export function createContagem(agora: () => Date, maximo: number): (quem: string) => boolean {
  const vezes = new LRUCache<string, readonly number[]>({ max: MAXIMO })
  return (quem) => {
    const instante = agora().getTime()
    const recentes = (vezes.get(quem) ?? []).filter((vez) => instante - vez < HORA_MS)
    const isPast = recentes.push(instante) > maximo
    if (isPast) vezes.delete(quem)
    else vezes.set(detach(quem), recentes)
    return isPast
  }
}

/** Words seen in answers of 2018 to 2026 (public code and issues); they differ from the published ones. */
const vistos = new Map<number, string>([
  [128, 'Lote de evento processado'],
  [135, 'Evento registrado e vinculado a NF-e'],
  [136, 'Evento registrado, mas nao vinculado a NF-e'],
  [137, 'Nenhum documento localizado'],
  [138, 'Documento localizado'],
  [573, 'Rejeicao: Duplicidade de evento'],
  [632, 'Rejeicao: Solicitacao fora de prazo, a NF-e nao esta mais disponivel para download'],
  [640, 'Rejeicao: CNPJ/CPF do interessado nao possui permissao para consultar esta NF-e'],
])

/** `xMotivo` of the national environment, without accents; `detalhe` stands for the rule's own words. */
export function motivoDoAn(cStat: number, detalhe?: string): string {
  if (detalhe !== undefined) return `Rejeicao: ${detalhe}`
  return vistos.get(cStat) ?? motivo(cStat, false)
}
