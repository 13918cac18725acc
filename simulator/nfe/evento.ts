import { codigosUf } from '../documento/uf.ts'
import { atributosDe, conferirTexto, ehFolha, semTexto } from '../platform/area.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { type Elemento, lerXml, percorrer } from '../platform/xml.ts'
import { FORMATO_DA_CHAVE } from './nacional-chave.ts'

/** One event of a lot, right in its general form. */
export type EventoPedido = {
  id: string
  cOrgao: string
  tpAmb: string
  autor: Pick<Chamador, 'tipo' | 'documento'>
  chave: string
  dhEvento: Date
  tpEvento: string
  nSeqEvento: string
  verEvento: string
  detEvento: Elemento
  assinatura: Elemento
}

/** A lot as it was read; `area` is the message by itself, which is what signatures are checked in. */
type Lote = { idLote: string; eventos: readonly EventoPedido[]; area: string }

/** A lot, or the code of its rejection and the number that it could be known by. */
export type Leitura = Lote | { cStat: number; idLote?: string }

const MAXIMO = 500 * 1024
const EVENTOS_DE_UM_LOTE = 20
const ORGAOS: readonly string[] = [...Object.values(codigosUf), '90', '91', '92']

/**
 * `TDateTimeUTC` (tiposBasico_v1.03.xsd): whole hours of offset, no fractions; that the day exists is checked
 * apart.
 */
const INSTANTE = /^20\d\d-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[-+](?:0\d|1[01])|\+12):00$/

/**
 * Checks the data area of an envEvento 1.00 (leiauteConfRecebto_v1.00.xsd; NT 2020.001 v1.50, 6.3.6): 214,
 * 225, 404, 587, 588; where it is the root or its version that is missing, 516 and 517 in the place of 225.
 * `area` is what nfeDadosMsg holds, read by itself.
 */
export function lerEnvEvento(area: string): Leitura {
  if (Buffer.byteLength(area) > MAXIMO) return { cStat: 214 }
  const raiz = lerXml(area)
  const idLote = raiz?.filhos.find(({ nome, texto }) => nome === 'idLote' && /^\d{1,15}$/.test(texto))?.texto
  const recusar = (cStat: number): Leitura => ({ cStat, ...(idLote ? { idLote } : {}) })
  if (raiz?.nome !== 'envEvento') return recusar(516)
  if (raiz.atributos.versao === undefined) return recusar(517)
  const eventos = lerEventos(raiz)
  if (!eventos || !idLote) return recusar(225)
  const cStat = conferirTexto(area, [raiz])
  return cStat ? recusar(cStat) : { idLote, eventos, area }
}

function lerEventos(raiz: Elemento): EventoPedido[] | undefined {
  const [idLote, ...filhos] = raiz.filhos
  if (!tem(raiz, 'versao') || raiz.atributos.versao !== '1.00' || !semTexto(raiz)) return undefined
  if (idLote?.nome !== 'idLote' || !ehFolha(idLote)) return undefined
  if (filhos.length === 0 || filhos.length > EVENTOS_DE_UM_LOTE) return undefined
  const ids = percorrer(raiz).flatMap(({ atributos }) => atributos.Id ?? [])
  if (new Set(ids).size < ids.length) return undefined
  const eventos = filhos.map(lerEvento)
  return eventos.every((evento) => evento !== undefined) ? eventos : undefined
}

function lerEvento(evento: Elemento): EventoPedido | undefined {
  const [infEvento, assinatura, ...resto] = evento.filhos
  const certo = evento.nome === 'evento' && tem(evento, 'versao') && evento.atributos.versao === '1.00'
  if (!certo || !semTexto(evento) || resto.length > 0) return undefined
  if (infEvento?.nome !== 'infEvento' || assinatura?.nome !== 'Signature') return undefined
  return lerInfEvento(infEvento, assinatura)
}

const CAMPOS = /^cOrgao tpAmb (?:CNPJ|CPF) chNFe dhEvento tpEvento nSeqEvento verEvento detEvento$/

function lerInfEvento(infEvento: Elemento, assinatura: Elemento): EventoPedido | undefined {
  const { filhos } = infEvento
  if (!tem(infEvento, 'Id') || !semTexto(infEvento)) return undefined
  if (!CAMPOS.test(filhos.map(({ nome }) => nome).join(' '))) return undefined
  const [cOrgao, tpAmb, autor, chave, dhEvento, tpEvento, nSeqEvento, verEvento, detEvento] = filhos
  if (!autor || !detEvento || !filhos.slice(0, -1).every(ehFolha) || !tem(detEvento, 'versao'))
    return undefined
  const texto = (elemento: Elemento | undefined): string => elemento?.texto ?? ''
  const lido = {
    id: infEvento.atributos.Id ?? '',
    cOrgao: texto(cOrgao),
    tpAmb: texto(tpAmb),
    autor: { tipo: autor.nome === 'CPF' ? 'cpf' : 'cnpj', documento: autor.texto },
    chave: texto(chave),
    dhEvento: new Date(texto(dhEvento)),
    tpEvento: texto(tpEvento),
    nSeqEvento: texto(nSeqEvento),
    verEvento: texto(verEvento),
    detEvento,
    assinatura,
  } as const
  return temFormato(lido) && ehInstante(texto(dhEvento)) ? lido : undefined
}

/**
 * The newest published schema takes letters in `CNPJ` and `chNFe`, but not in `Id`
 * (leiauteConfRecebto_v1.00.xsd of PL_010 V1.30). The scenario `letras-225` follows it.
 */
function temFormato({
  id,
  cOrgao,
  tpAmb,
  autor,
  chave,
  tpEvento,
  nSeqEvento,
  verEvento,
}: EventoPedido): boolean {
  const documento = autor.tipo === 'cpf' ? /^\d{11}$/ : /^[0-9A-Z]{12}\d{2}$/
  return (
    /^ID\d{12}[0-9A-Z]{12}\d{28}$/.test(id) &&
    ORGAOS.includes(cOrgao) &&
    /^[12]$/.test(tpAmb) &&
    documento.test(autor.documento) &&
    FORMATO_DA_CHAVE.test(chave) &&
    /^\d{6}$/.test(tpEvento) &&
    /^\d{1,2}$/.test(nSeqEvento) &&
    /^\d\.\d\d$/.test(verEvento)
  )
}

/** Whether it is an instant of the layout, of a day that exists. */
function ehInstante(texto: string): boolean {
  const dia = new Date(texto.slice(0, 10))
  return INSTANTE.test(texto) && dia.getUTCDate() === Number(texto.slice(8, 10))
}

/** Whether an element has that attribute and no other. */
function tem(elemento: Elemento, atributo: string): boolean {
  return atributosDe(elemento).join() === atributo
}
