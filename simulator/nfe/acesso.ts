import { tipoDoDocumento } from '../documento/documento.ts'
import type { Chamador } from '../platform/autoridade.ts'
import type { TpAmb } from './ambiente-nacional.ts'
import type { Consulta } from './distribuicao-pedido.ts'
import type { Nota } from './nota.ts'

const DIA_MS = 86_400_000

/** For how long after its reception a note can be downloaded (NT 2014.002 v1.21, 3.8, rule 632). */
const PRAZO_DIAS = 90

/**
 * Rules 252, 489, 490, 593 and 472 of a query (NT 2014.002 v1.21, 3.8): the environment, the number, and
 * whose certificate it is.
 */
export function conferirInteressado(
  { tpAmb, interessado }: Consulta,
  chamador: Chamador,
  ambiente: TpAmb,
): number | undefined {
  const { tipo, documento } = interessado
  if (tpAmb !== ambiente) return 252
  if (tipoDoDocumento(documento) !== tipo) return tipo === 'cnpj' ? 489 : 490
  if (tipo === 'cpf') return chamador.tipo === 'cpf' && chamador.documento === documento ? undefined : 472
  return chamador.tipo === 'cnpj' && chamador.documento.slice(0, 8) === documento.slice(0, 8)
    ? undefined
    : 593
}

// A party of the note is known by the whole number: a branch is not its head office. The parties of an event
// Ator Interessado (110150) are not simulated.
/**
 * Rules 632, 640, 641, 653 and 654 of a note, in the order of the table (NT 2014.002 v1.21, 3.8; a public
 * project says that 653 comes before 640).
 */
export function conferirAcesso(
  nota: Nota,
  { documento }: Consulta['interessado'],
  agora: Date,
): number | undefined {
  const { emitente, situacao, recepcao, cenario } = nota
  const participa = [emitente, nota.destinatario].some((quem) => quem.documento === documento)
  if (agora.getTime() - recepcao.getTime() > PRAZO_DIAS * DIA_MS) return 632
  if (!participa && !temAcessoDireto(nota, documento)) return 640
  if (emitente.documento === documento) return 641
  if (situacao === 'autorizada' || cenario.aindaResumida) return undefined
  return situacao === 'cancelada' ? 653 : 654
}

/** The carrier and those in autXML get the whole note without manifesting. */
export function temAcessoDireto({ transportador, autorizados }: Nota, documento: string): boolean {
  return transportador?.documento === documento || autorizados.some((quem) => quem.documento === documento)
}
