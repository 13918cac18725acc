import { tipoDoDocumento } from '../documento/documento.ts'
import { checkInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import { contribuinteComportado } from '../mundo/comportado.ts'
import { type Efeito, efeitoEm, OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Inscricao, Ocorrencia } from '../mundo/contribuinte.ts'
import { findPorInscricao, listOcorrencias } from '../mundo/mundo.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { acharComportamento } from '../portal/registro.ts'
import type { Consulta } from './pedido.ts'
import type { Resultado } from './rules.ts'
import type { Servico } from './servico.ts'

/** What the rules made of a query, and the misbehaviour that its document calls for. */
export type Veredito = { resultado: Resultado; efeito?: Efeito | undefined }

// A company's certificate counts as an issuer's. No source tells how the register of issuers takes an e-CPF.
/**
 * Rules K01 to K08 of the query, in the manual's order (MOC 6.00, 4.7.7.2): 265, 257, then per kind of number
 * 258/259, 260/261, 262/263/264; 111 or 112 when something is found.
 */
export function aplicarRegras(servico: Servico, consulta: Consulta, chamador: Chamador): Veredito {
  const { uf } = consulta
  const atendida = servico.ufs.find((sigla) => sigla === uf)
  const rejeitar = (cStat: number): Veredito => ({ resultado: { cStat, lido: consulta } })
  if (!atendida) return rejeitar(265)
  if (chamador.tipo === 'cpf') return rejeitar(257)
  const invalido = conferirNumero(servico, atendida, consulta)
  if (invalido) return rejeitar(invalido)
  const comportamento = acharComportamento(atendida, emUso(atendida, consulta.numero))
  if (comportamento) {
    const efeito = efeitoEm(comportamento.efeito, atendida, 'ws')
    return { efeito, resultado: comportar(efeito, comportamento.documento, atendida, consulta) }
  }
  const ocorrencias = buscar(atendida, consulta)
  if (ocorrencias.length === 0) return rejeitar({ CNPJ: 259, IE: 261, CPF: 264 }[consulta.campo])
  return { resultado: encontrar(consulta, ocorrencias) }
}

function conferirNumero({ estilo }: Servico, uf: Uf, { campo, numero }: Consulta): number | undefined {
  switch (campo) {
    case 'CNPJ':
      return tipoDoDocumento(numero.padStart(14, '0')) ? undefined : 258
    case 'IE':
      return checkInscricao(uf, emUso(uf, numero)) ? undefined : 260
    case 'CPF':
      if (!estilo.consultaCpf) return 262
      return tipoDoDocumento(numero.padStart(11, '0')) ? undefined : 263
  }
}

function buscar(uf: Uf, { campo, numero }: Consulta): Ocorrencia[] {
  if (campo !== 'IE') return listOcorrencias(uf, numero.padStart(campo === 'CNPJ' ? 14 : 11, '0'))
  const ie = emUso(uf, numero)
  const contribuinte = findPorInscricao(uf, ie)
  const inscricao = contribuinte?.inscricoes.find((sua) => sua.uf === uf && sua.ie === ie)
  return contribuinte && inscricao ? [{ contribuinte, inscricao }] : []
}

/** MT's rule has two leading zeros that its own answers leave out. */
function emUso(uf: Uf, numero: string): string {
  return uf === 'MT' ? numero.replace(/^00(?=\d{9}$)/, '') : numero
}

function encontrar(lido: Consulta, ocorrencias: readonly Ocorrencia[]): Resultado {
  return { cStat: ocorrencias.length > 1 ? 112 : 111, lido, ocorrencias }
}

/** The effects that change what is said. The others are said rightly and sent wrongly. */
function comportar(efeito: Efeito | undefined, documento: string, uf: Uf, consulta: Consulta): Resultado {
  if (efeito?.tipo === 'codigo') return { cStat: efeito.cStat, lido: consulta }
  const pelaInscricao = consulta.campo === 'IE'
  const quantas = efeito?.tipo === 'muitas' && !pelaInscricao ? efeito.quantas : 1
  const contribuinte = contribuinteComportado(
    efeito?.tipo === 'outro' ? OUTRO_DOCUMENTO : documento,
    uf,
    quantas,
  )
  const lido = pelaInscricao ? consulta : { ...consulta, numero: contribuinte.documento }
  return encontrar(
    lido,
    contribuinte.inscricoes.map((inscricao) => ({
      contribuinte,
      inscricao: efeito?.tipo === 'municipio-sem-nome' ? semNomeDoMunicipio(inscricao) : inscricao,
    })),
  )
}

/** The schema has xMun and cMun, both optional (leiauteConsultaCadastro_v2.00.xsd). */
const semNomeDoMunicipio = (inscricao: Inscricao): Inscricao => ({
  ...inscricao,
  endereco: { ...inscricao.endereco, municipio: '' },
})
