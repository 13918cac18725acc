import { type Certidao, certify, type Imposto } from '../certidao/certidao.ts'
import { cleanDocumento, tipoDoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import {
  type Comportamento,
  comportamentos,
  efeitoEm,
  findComportamento,
  OUTRO_DOCUMENTO,
} from '../mundo/comportamento.ts'
import type { Ocorrencia, Pergunta } from '../mundo/contribuinte.ts'
import { contribuinteComportado } from '../mundo/efeito.ts'
import { findByInscricao, findContribuinte, listOcorrencias } from '../mundo/mundo.ts'

/** A reserved CNPJ, or the registration that one has in the state. */
export function findComportamentoEm(uf: Uf, documento: string): Comportamento | undefined {
  const numero = cleanDocumento(documento)
  return findComportamento(numero) ?? findComportamento(cnpjPorInscricao(uf).get(numero) ?? '')
}

/** Reserved documents are in every register, as often as their misbehaviour wants. */
export function lookUp(uf: Uf, { tipo, documento }: Pergunta): Ocorrencia[] {
  const numero = cleanDocumento(documento)
  const comportamento = findComportamentoEm(uf, numero)
  if (comportamento) {
    const { efeito, documento: cnpj } = comportamento
    const quem = efeito.tipo === 'outro' ? OUTRO_DOCUMENTO : cnpj
    const quantas = efeito.tipo === 'muitas' && tipo !== 'ie' ? efeito.quantas : 1
    const contribuinte = contribuinteComportado(quem, uf, quantas)
    return contribuinte.inscricoes.map((inscricao) => ({ contribuinte, inscricao }))
  }
  if (tipo !== 'ie') return tipoDoDocumento(numero) === tipo ? listOcorrencias(uf, numero) : []
  const ie = uf === 'MT' ? numero.replace(/^00(?=\d{9}$)/, '') : numero
  const contribuinte = findByInscricao(uf, ie)
  const inscricao = contribuinte?.inscricoes.find((sua) => sua.uf === uf && sua.ie === ie)
  return contribuinte && inscricao ? [{ contribuinte, inscricao }] : []
}

/** The certificate of a document in a state, at a moment; of a reserved one, what its misbehaviour wants. */
export function certidaoDe(uf: Uf, pergunta: Pergunta, agora: Date): Certidao {
  const ocorrencias = lookUp(uf, pergunta)
  const { contribuinte: dono, inscricao } =
    ocorrencias.find((uma) => uma.inscricao.situacao === 'habilitado') ?? ocorrencias[0] ?? {}
  const documento = dono?.documento ?? cleanDocumento(pergunta.documento)
  const contribuinte = dono ?? findContribuinte(documento)
  const comportamento = findComportamentoEm(uf, pergunta.documento)
  return certify(uf, { documento, contribuinte, inscricao }, agora, imposto(uf, comportamento))
}

/** A reserved document has a negative certificate but where its effect says otherwise. */
function imposto(uf: Uf, comportamento: Comportamento | undefined): Imposto {
  if (!comportamento) return {}
  const efeito = efeitoEm(comportamento.efeito, uf, 'cnd')
  return {
    desfecho: efeito?.tipo === 'certidao' ? efeito.desfecho : 'negativa',
    papel: efeito?.tipo === 'papel' ? efeito.papel : 'certo',
  }
}

const porInscricao = new Map<Uf, ReadonlyMap<string, string>>()

function cnpjPorInscricao(uf: Uf): ReadonlyMap<string, string> {
  const feito =
    porInscricao.get(uf) ??
    new Map(comportamentos.map(({ documento }) => [inscricaoDe(uf, documento), documento] as const))
  porInscricao.set(uf, feito)
  return feito
}

const inscricaoDe = (uf: Uf, documento: string): string =>
  contribuinteComportado(documento, uf).inscricoes[0]?.ie ?? ''
