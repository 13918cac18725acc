import { comFuso, diaEHora } from '../documento/dia.ts'
import { isUf } from '../documento/inscricao-estadual.ts'
import { codigosUf, type Uf } from '../documento/uf.ts'
import type { TpAmb } from '../nfe/nacional.ts'
import type { Autoridade, Chamador, Mensagem } from '../platform/autoridade.ts'
import { motivo } from '../platform/motivos.ts'
import {
  atributosDe,
  checkTexto,
  isFolha,
  type ServicoSoap,
  semTexto,
  versoesSoap,
  writeEnvelope,
} from '../platform/soap.ts'
import { type Elemento, escapeXml, NFE, walk } from '../platform/xml.ts'
import { type Area, openServico, propriaDe, readArea } from './autorizador.ts'
import type { Autorizador, Doc } from './autorizadores.ts'
import { acaso } from './clima.ts'
import { createInstrumentos, type Sefaz } from './sefaz.ts'
import { type Estilo, type ServicoDeStatus, servicos } from './servicos.ts'

const CTE = 'http://www.portalfiscal.inf.br/cte'

export type MensagemDeStatus = {
  servico: string
  wsdl: string
  operacao: string
  dados: string
  namespace: string
  pergunta: string
  retorno: string
}

const daNfe: MensagemDeStatus = {
  servico: 'NFeStatusServico4',
  wsdl: `${NFE}/wsdl/NFeStatusServico4`,
  operacao: 'nfeStatusServicoNF',
  dados: 'nfeDadosMsg',
  namespace: NFE,
  pergunta: 'consStatServ',
  retorno: 'retConsStatServ',
}

/** Leiaute 4.00 of all three. No message says its model: it is the address's. */
const mensagens: Readonly<Record<Doc, MensagemDeStatus>> = {
  nfe: daNfe,
  nfce: daNfe,
  cte: {
    servico: 'CTeStatusServicoV4',
    wsdl: `${CTE}/wsdl/CTeStatusServicoV4`,
    operacao: 'cteStatusServicoCT',
    dados: 'cteDadosMsg',
    namespace: CTE,
    pergunta: 'consStatServCTe',
    retorno: 'retConsStatServCTe',
  },
}

export type Veredito = { cStat: number; cUF?: string; texto?: string; detalhe?: string }

/** What the rules go by. */
type Caso = {
  autorizador: Autorizador
  mensagem: MensagemDeStatus
  chamador: Chamador
  ambiente: TpAmb
  /** The code that the weather makes it answer: 108, 109, 113, 114, 656 or 678. */
  imposto: number | undefined
}

const MAIOR = 512_000

export const ufs = new Map<string, string>(Object.entries(codigosUf).map(([uf, codigo]) => [codigo, uf]))

/**
 * In the order of SVRS (CT-e, its own source): 243, 215, 282, 678, 214, 108 and 109, 239, 215, 404, 402, 410,
 * 114, 252, 113, 107. That all others keep it is assumed.
 */
function judge(area: Area, caso: Caso, sefaz: Sefaz): Veredito {
  const { imposto } = caso
  const [raiz, ...resto] = area?.elementos ?? []
  const todos = area?.elementos.flatMap(walk) ?? []
  const cUF = todos.find(({ nome }) => nome === 'cUF')?.texto
  const eco = cUF && ufs.has(cUF) ? { cUF } : {}
  const say = (cStat: number, mais: Partial<Veredito> = {}): Veredito => ({ cStat, ...eco, ...mais })
  if (area) {
    if (!raiz || resto.length > 0) return say(243)
    const incompleta = raiz.atributos.versao === undefined || !cUF
    if (incompleta) return say(215)
  }
  if (soEmpresas(caso) && caso.chamador.tipo === 'cpf') return say(282)
  if (imposto === 678 || imposto === 656) return say(imposto)
  if ((area?.texto.length ?? 0) > MAIOR) return say(214)
  if (imposto) return say(imposto)
  if (!area || !raiz) return say(402)
  const errado = checkArea(area, raiz, caso.mensagem)
  if (errado) return say(errado.cStat, errado)
  return checkPedido(raiz, caso, sefaz, say)
}

/** A certificate without CNPJ is refused by SVRS for the CT-e; elsewhere nobody has told. */
const soEmpresas = ({ autorizador }: Caso): boolean => autorizador.id === 'cte-svrs'

function checkArea(
  { texto, elementos }: NonNullable<Area>,
  raiz: Elemento,
  mensagem: MensagemDeStatus,
): Veredito | undefined {
  if (raiz.atributos.versao !== '4.00') return { cStat: 239 }
  const detalhe = checkEsquema(raiz, mensagem, ESQUEMA)
  if (detalhe) return { cStat: 215, detalhe }
  if (elementos.flatMap(walk).some(({ prefixo }) => prefixo)) return { cStat: 404 }
  // 587 and 588 are rules of the NF-e (MOC 7.0, Anexo I).
  const daArea = mensagem.servico.startsWith('NFe') ? checkTexto(texto, elementos) : undefined
  return daArea ? { cStat: daArea } : undefined
}

/** The fields of a question in their order, each with what its schema takes. */
type Esquema = Readonly<Record<string, (texto: string) => boolean>>

/** What the schema (leiauteConsStatServ_v4.00, leiauteConsSitNFe_v4.00) has against a question. */
export function checkEsquema(
  raiz: Elemento,
  { pergunta, namespace }: Pick<MensagemDeStatus, 'pergunta' | 'namespace'>,
  campos: Esquema,
): string | undefined {
  const todos = [raiz, ...raiz.filhos]
  const nomes = todos.map(({ nome }) => nome).join(' ')
  if (nomes !== [pergunta, ...Object.keys(campos)].join(' ')) return `Elementos: ${nomes}`.slice(0, 80)
  if (todos.some((um) => um.namespace !== namespace)) return 'namespace'
  const soVersao = atributosDe(raiz).join() === 'versao' && semTexto(raiz) && raiz.filhos.every(isFolha)
  if (!soVersao) return `conteudo de ${pergunta}`
  return raiz.filhos.find(({ nome, texto }) => !campos[nome]?.(texto))?.nome
}

export const isTpAmb = (texto: string): boolean => /^[12]$/.test(texto)

const ESQUEMA: Esquema = {
  tpAmb: isTpAmb,
  cUF: (texto) => ufs.has(texto),
  xServ: (texto) => texto === 'STATUS',
}

function checkPedido(
  { filhos }: Elemento,
  { autorizador, ambiente }: Caso,
  sefaz: Sefaz,
  say: (cStat: number, mais?: Partial<Veredito>) => Veredito,
): Veredito {
  const [tpAmb, cUF] = filhos.map(({ texto }) => texto)
  const uf = ufs.get(cUF ?? '') ?? ''
  const { doc, ufs: suas, contingencia } = autorizador
  const pelaSvc = contingencia.some((uma) => uma === uf)
  if (!isUf(uf) || !(pelaSvc || suas.includes(uf))) return say(410)
  const ativacao = pelaSvc ? sefaz.ativacaoDe(doc, uf) : undefined
  if (ativacao?.estado === 'desativada') return say(114)
  if (tpAmb !== ambiente) return say(252)
  if (ativacao?.estado === 'encerrando') return say(113, { texto: encerrando(uf, ativacao.ate) })
  return say(107, ativacao ? { texto: 'Serviço SVC em Operação' } : {})
}

/** The words of 113: when the contingency of a state ends. */
export const encerrando = (uf: string, instante: number): string =>
  `SVC em processo de desativação. SVC será desabilitado para a SEFAZ/${uf} em ${diaEHora(instante)}`

type Momento = { agora: Date; ambiente: TpAmb; propria: Uf }

/** The answer as the service writes it, in an envelope: retConsStatServ or retConsStatServCTe 4.00. */
const writeResposta = (
  { doc, estilo }: Pick<ServicoDeStatus, 'doc' | 'estilo'>,
  veredito: Veredito,
  momento: Momento,
): Mensagem => wrap(estilo, mensagens[doc], writeCampos(estilo, veredito, momento, doc === 'cte'))

/** Puts the fields of an answer 4.00 into its element and envelope, as the server writes them. */
export function wrap(
  estilo: Estilo,
  { wsdl, namespace, retorno }: Pick<MensagemDeStatus, 'wsdl' | 'namespace' | 'retorno'>,
  campos: string,
): Mensagem {
  const { prefixoRetorno: prefixo, involucro } = estilo
  const xml = `<${retorno} versao="4.00" xmlns${prefixo && ':'}${prefixo}="${namespace}">${campos}</${retorno}>`
  const dentro = prefixo ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefixo}:`) : xml
  const texto = writeEnvelope(estilo, `<${involucro} xmlns="${wsdl}">${dentro}</${involucro}>`)
  return {
    status: 200,
    cabecalhos: { 'content-type': `${versoesSoap[estilo.soap].tipo}; charset=utf-8` },
    corpo: Buffer.from(estilo.recuado ? texto.replaceAll('><', '>\n<') : texto),
  }
}

/** `xMotivo` of a verdict, without accents where the server strips them. */
export function writeMotivo({ acentos }: Estilo, { cStat, texto, detalhe }: Veredito): string {
  const dito = `${texto ?? motivo(cStat, true)}${detalhe ? ` [${detalhe}]` : ''}`
  return acentos ? dito : dito.normalize('NFD').replace(/\p{M}/gu, '')
}

function writeCampos(
  estilo: ServicoDeStatus['estilo'],
  veredito: Veredito,
  { agora, ambiente, propria }: Momento,
  isCte: boolean,
): string {
  const { cStat, cUF } = veredito
  const rejeicao = cStat >= 200
  const campos: readonly (readonly [nome: string, valor: string | undefined])[] = [
    ['tpAmb', ambiente],
    ['verAplic', estilo.verAplic],
    ['cStat', String(cStat)],
    ['xMotivo', writeMotivo(estilo, veredito)],
    ['cUF', cUF ?? codigosUf[propria]],
    ['dhRecbto', comFuso(agora, estilo.fuso)],
    // The source of SVRS for the CT-e writes "1" with an error, and nothing inside the element with 215.
    ['tMed', rejeicao && isCte ? (cStat === 215 ? '' : '1') : rejeicao ? undefined : tMed(agora)],
  ]
  return campos
    .map(([nome, valor]) => (valor === undefined ? '' : `<${nome}>${escapeXml(valor)}</${nome}>`))
    .join('')
}

/** The mean of the last five minutes, in whole seconds: mostly 1. */
const tMed = (agora: Date): string => (acaso(Math.floor(agora.getTime() / 300_000)) < 0.9 ? '1' : '2')

export function createStatus(sefaz: Sefaz): Autoridade[] {
  const instrumentos = createInstrumentos(sefaz)
  return servicos.map((servico, indice) => {
    const { ids, producao, homologacao, doc } = servico
    const nome = `Status ${ids.join(' e ')}`
    const aberto = { nome, id: ids[0] ?? '', producao, homologacao, soap: describe(servico) }
    const autoridade = openServico(aberto, sefaz, ({ entrada, autorizador, ambiente, soap, imposto }) => {
      const caso = { autorizador, mensagem: mensagens[doc], chamador: entrada.chamador, ambiente, imposto }
      const veredito = judge(readArea(entrada), caso, sefaz)
      const estilo = { ...servico.estilo, soap }
      const momento = { agora: sefaz.agora(), ambiente, propria: propriaDe(autorizador) }
      return writeResposta({ ...servico, estilo }, veredito, momento)
    })
    return { ...autoridade, ...(indice === 0 ? { instrumentos } : {}) }
  })
}

function describe({ doc, producao, motor, entende, estilo }: ServicoDeStatus): ServicoSoap {
  const { servico, wsdl, operacao, dados } = mensagens[doc]
  const endereco = `https://${producao}`
  return { servico, wsdl, operacao, entradas: [dados], endereco, entende, motor, estilo }
}
