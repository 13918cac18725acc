import { codigosUf } from '../documento/uf.ts'
import type { TpAmb } from '../nfe/ambiente-nacional.ts'
import { atributosDe, conferirTexto, ehFolha, semTexto } from '../platform/area.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { type Elemento, percorrer } from '../platform/xml.ts'
import type { Area } from './autorizador.ts'
import { type Autorizador, isUfSefaz } from './autorizadores.ts'
import type { MensagemDeStatus } from './mensagem.ts'
import type { Sefaz } from './sefaz.ts'

/** What a service answers: the code, the state as it was asked, and for some codes more words. */
export type Veredito = { cStat: number; cUF?: string; texto?: string; detalhe?: string }

/**
 * What the rules go by: the authorizer, whom it answers, in which environment, and what was imposed on it.
 */
export type Caso = {
  autorizador: Autorizador
  mensagem: MensagemDeStatus
  chamador: Chamador
  ambiente: TpAmb
  /** The code that the weather makes it answer: 108, 109, 113, 114, 656 or 678. */
  imposto: number | undefined
}

/** Longest message, in characters. */
const MAIOR = 512_000

const ufs = new Map<string, string>(Object.entries(codigosUf).map(([uf, codigo]) => [codigo, uf]))

/**
 * The checks of a status service in the order of SVRS (CT-e, its own source): 243, 215, 282, 678, 214, 108
 * and 109, 239, 215, 404, 402, 410, 114, 252, 113, 107. That all others keep it is assumed.
 */
export function julgar(area: Area, caso: Caso, sefaz: Sefaz): Veredito {
  const { imposto } = caso
  const [raiz, ...resto] = area?.elementos ?? []
  const todos = area?.elementos.flatMap(percorrer) ?? []
  const cUF = todos.find(({ nome }) => nome === 'cUF')?.texto
  const eco = cUF && ufs.has(cUF) ? { cUF } : {}
  const dizer = (cStat: number, mais: Partial<Veredito> = {}): Veredito => ({ cStat, ...eco, ...mais })
  if (area) {
    if (!raiz || resto.length > 0) return dizer(243)
    const incompleta = raiz.atributos.versao === undefined || !cUF
    if (incompleta) return dizer(215)
  }
  if (soEmpresas(caso) && caso.chamador.tipo === 'cpf') return dizer(282)
  if (imposto === 678 || imposto === 656) return dizer(imposto)
  if ((area?.texto.length ?? 0) > MAIOR) return dizer(214)
  if (imposto) return dizer(imposto)
  if (!area || !raiz) return dizer(402)
  const errado = conferirArea(area, raiz, caso.mensagem)
  if (errado) return dizer(errado.cStat, errado)
  return conferirPedido(raiz, caso, sefaz, dizer)
}

/** A certificate without CNPJ is refused by SVRS for the CT-e; elsewhere nobody has told. */
const soEmpresas = ({ autorizador }: Caso): boolean => autorizador.id === 'cte-svrs'

function conferirArea(
  { texto, elementos }: NonNullable<Area>,
  raiz: Elemento,
  { pergunta, namespace, servico }: MensagemDeStatus,
): Veredito | undefined {
  if (raiz.atributos.versao !== '4.00') return { cStat: 239 }
  const detalhe = conferirEsquema(raiz, pergunta, namespace)
  if (detalhe) return { cStat: 215, detalhe }
  if (elementos.flatMap(percorrer).some(({ prefixo }) => prefixo)) return { cStat: 404 }
  // 587 and 588 are rules of the NF-e (MOC 7.0, Anexo I).
  const daArea = servico.startsWith('NFe') ? conferirTexto(texto, elementos) : undefined
  return daArea ? { cStat: daArea } : undefined
}

/** What the schema (leiauteConsStatServ_v4.00, consStatServTiposBasico_v4.00) has against a question. */
function conferirEsquema(raiz: Elemento, pergunta: string, namespace: string): string | undefined {
  const [tpAmb, cUF, xServ, ...resto] = raiz.filhos
  const nomes = [raiz, ...raiz.filhos].map(({ nome }) => nome).join(' ')
  if (nomes !== `${pergunta} tpAmb cUF xServ` || resto.length > 0) return `Elementos: ${nomes}`.slice(0, 80)
  if ([raiz, ...raiz.filhos].some((um) => um.namespace !== namespace)) return 'namespace'
  const soVersao = atributosDe(raiz).join() === 'versao' && semTexto(raiz) && raiz.filhos.every(ehFolha)
  if (!soVersao) return `conteudo de ${pergunta}`
  if (!/^[12]$/.test(tpAmb?.texto ?? '')) return 'tpAmb'
  if (!ufs.has(cUF?.texto ?? '')) return 'cUF'
  return xServ?.texto === 'STATUS' ? undefined : 'xServ'
}

function conferirPedido(
  { filhos }: Elemento,
  { autorizador, ambiente }: Caso,
  sefaz: Sefaz,
  dizer: (cStat: number, mais?: Partial<Veredito>) => Veredito,
): Veredito {
  const [tpAmb, cUF] = filhos.map(({ texto }) => texto)
  const uf = ufs.get(cUF ?? '') ?? ''
  const { doc, ufs: suas, contingencia } = autorizador
  const pelaSvc = contingencia.some((uma) => uma === uf)
  if (!isUfSefaz(uf) || !(pelaSvc || suas.includes(uf))) return dizer(410)
  const ativacao = pelaSvc ? sefaz.ativacaoDe(doc, uf) : undefined
  if (ativacao?.estado === 'desativada') return dizer(114)
  if (tpAmb !== ambiente) return dizer(252)
  if (ativacao?.estado === 'encerrando') return dizer(113, { texto: encerrando(uf, ativacao.ate) })
  return dizer(107, ativacao ? { texto: 'Serviço SVC em Operação' } : {})
}

/** The words of 113: when the contingency of a state ends. */
export function encerrando(uf: string, instante: number): string {
  const local = new Date(instante - 3 * 3_600_000).toISOString()
  const [ano, mes, dia] = local.slice(0, 10).split('-')
  const quando = `${dia}/${mes}/${ano} ${local.slice(11, 16)}`
  return `SVC em processo de desativação. SVC será desabilitado para a SEFAZ/${uf} em ${quando}`
}
