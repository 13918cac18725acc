import type { Opcoes } from '../platform/autoridade.ts'
import type { EstiloEnvelope, VersaoSoap } from '../platform/soap.ts'
import type { Livro } from './nota.ts'
import type { EscreverNfeProc } from './proc.ts'

/** What the services of the national environment share. */
export type MeiosDoAn = Opcoes & {
  livro: Livro
  escreverNfeProc: EscreverNfeProc
  /** The root and the intermediate, in PEM, that signatures are accepted under; none when left out. */
  cadeia?: readonly string[] | undefined
}

/** 1 production, 2 homologation, by the name that was asked. */
export type TpAmb = '1' | '2'

export function ambienteDe(host: string): TpAmb {
  return host.startsWith('hom') ? '2' : '1'
}

/** The envelopes of ASP.NET; answers come in the version of the question. */
export function estiloDoAn(soap: VersaoSoap): EstiloEnvelope {
  return { soap, prefixo: 'soap', declaracao: '<?xml version="1.0" encoding="utf-8"?>', esquemas: true }
}

/** The service takes both (official WSDLs of NFeDistribuicaoDFe and NFeRecepcaoEvento4). */
export const AMBAS: readonly VersaoSoap[] = ['1.2', '1.1']
