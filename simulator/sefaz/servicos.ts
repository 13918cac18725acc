import type { EstiloEnvelope, VersaoSoap } from '../platform/soap.ts'
import { readTable } from '../platform/table.ts'
import type { Doc } from './autorizadores.ts'

export type Estilo = EstiloEnvelope & {
  verAplic: string
  acentos: boolean
  involucro: string
  prefixoRetorno: string
  recuado: boolean
  fuso: '-03:00' | '-04:00'
}

/** A status service: its authorizers (two at SEFAZ GO), its addresses without `https://`, how it runs. */
export type ServicoDeStatus = {
  ids: readonly string[]
  doc: Doc
  producao: string
  homologacao: string
  motor: 'asp.net' | 'java'
  entende: readonly VersaoSoap[]
  estilo: Estilo
}

const COMUM: Estilo = {
  soap: '1.2',
  prefixo: 'soap',
  declaracao: '<?xml version="1.0" encoding="utf-8"?>',
  esquemas: false,
  verAplic: '4.00',
  acentos: true,
  involucro: 'nfeResultMsg',
  prefixoRetorno: '',
  recuado: false,
  fuso: '-03:00',
}

/** No public client sends SOAP 1.1 to these (see the servers of CadConsultaCadastro4). */
const SO_12 = new Set(['am', 'go', 'mg', 'ms', 'mt'])

type Linhas = readonly (readonly [ids: string, endereco: string])[]

export const enderecos = readTable<{
  status: Linhas
  situacao: Linhas
  feitios: Readonly<Record<string, Partial<Estilo>>>
}>('./enderecos.json', import.meta.url)

/** The parts of `{a|b}`: production, then homologation. */
export const split = (modelo: string) => ({
  producao: modelo.replace(/\{(.*?)\|.*?\}/, '$1'),
  homologacao: modelo.replace(/\{.*?\|(.*?)\}/, '$1'),
})

/** "Relação de Serviços Web" of the national portals, as public clients carry it in 2026. */
export const servicos: readonly ServicoDeStatus[] = enderecos.status.map(([ids, modelo]) => {
  const [id = '', ...outros] = ids.split(' ')
  const [doc, sigla = ''] = id.split('-')
  const isCte = doc === 'cte'
  const feitio = enderecos.feitios[sigla]
  return {
    ids: [id, ...outros],
    doc: isCte ? 'cte' : doc === 'nfce' ? 'nfce' : 'nfe',
    ...split(modelo),
    motor: modelo.endsWith('.asmx') ? 'asp.net' : 'java',
    // The official WSDLs of the NF-e have both bindings, those of the CT-e the newer one alone.
    entende: isCte || SO_12.has(sigla) ? ['1.2'] : ['1.2', '1.1'],
    estilo: {
      ...COMUM,
      ...feitio,
      involucro: isCte ? (feitio?.involucro ?? 'cteStatusServicoCTResult') : 'nfeResultMsg',
    },
  }
})
