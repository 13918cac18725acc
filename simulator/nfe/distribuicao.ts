import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { DIA_MS } from '../documento/dia.ts'
import { tipoDoDocumento } from '../documento/documento.ts'
import { codigosUf } from '../documento/uf.ts'
import { type Autoridade, type Chamador, send } from '../platform/autoridade.ts'
import { atributosDe, checkTexto, type Entrada, isFolha, receiveSoap, semTexto } from '../platform/soap.ts'
import { type Campo, detach, type Elemento, NFE, writeCampos } from '../platform/xml.ts'
import type { EfeitoNfe } from './cenario.ts'
import { dataHora } from './inf-nfe.ts'
import {
  ambienteDe,
  checkChave,
  createBloqueio,
  createContagem,
  estiloDoAn,
  FORMATO_DA_CHAVE,
  type MeiosDoAn,
  motivoDoAn,
  sendWithEfeitoNfe,
  servicoDoAn,
  type TpAmb,
} from './nacional.ts'
import {
  type Defeito,
  efeitoDaConsulta,
  liberadaPorEvento,
  type Nota,
  notaDe,
  writeWithDefeito,
} from './nota.ts'
import { type WriteNfeProc, writeResumo } from './proc.ts'

type Consulta = {
  tpAmb: TpAmb
  interessado: Pick<Chamador, 'tipo' | 'documento'>
  por: 'chNFe' | 'NSU' | 'ultNSU'
  valor: string
}

type Leitura = Consulta | { cStat: number }

const MAIOR_AREA = 10 * 1024
const VERSAO = '1.01'

const codigos: readonly string[] = Object.values(codigosUf)

/**
 * 214, 215, 404, 238, 239 (distDFeInt_v1.01.xsd; NT 2014.002 v1.21, 3.8). The table has neither 587 nor 588;
 * here they come with 404.
 */
function readDistDFeInt(area: string, elementos: readonly Elemento[]): Leitura {
  if (Buffer.byteLength(area) > MAIOR_AREA) return { cStat: 214 }
  const [raiz] = elementos
  const consulta = raiz && elementos.length === 1 ? readRaiz(raiz) : undefined
  if (!raiz || !consulta) return { cStat: 215 }
  const cStat = checkTexto(area, elementos)
  if (cStat) return { cStat }
  const versao = raiz.atributos.versao ?? ''
  if (versao === VERSAO) return consulta
  return { cStat: Number(versao) > Number(VERSAO) ? 238 : 239 }
}

function readRaiz(raiz: Elemento): Consulta | undefined {
  if (raiz.nome !== 'distDFeInt' || !semTexto(raiz) || atributosDe(raiz).join() !== 'versao') return undefined
  const [tpAmb, ...depois] = raiz.filhos
  const comUf = depois[0]?.nome === 'cUFAutor'
  const [quem, pedido, ...resto] = comUf ? depois.slice(1) : depois
  if (!tpAmb || !quem || !pedido || resto.length > 0) return undefined
  const folhas = [tpAmb, quem, ...(comUf ? depois.slice(0, 1) : [])]
  if (!folhas.every(isFolha) || tpAmb.nome !== 'tpAmb' || !isTpAmb(tpAmb.texto)) return undefined
  if (comUf && !codigos.includes(depois[0]?.texto ?? '')) return undefined
  const interessado = readInteressado(quem)
  const pergunta = readPergunta(pedido)
  return interessado && pergunta && { tpAmb: tpAmb.texto, interessado, ...pergunta }
}

const isTpAmb = (texto: string): texto is TpAmb => texto === '1' || texto === '2'

/**
 * Letters since 2026-07 (NT Conjunta 2025.001). The newest schema (PL_010 V1.30) takes digits only: scenario
 * `letras-215`.
 */
function readInteressado({ nome, texto }: Elemento): Consulta['interessado'] | undefined {
  if (nome === 'CNPJ' && /^[0-9A-Z]{12}\d{2}$/.test(texto)) return { tipo: 'cnpj', documento: texto }
  return nome === 'CPF' && /^\d{11}$/.test(texto) ? { tipo: 'cpf', documento: texto } : undefined
}

const PERGUNTAS = [
  { nome: 'consChNFe', por: 'chNFe', formato: FORMATO_DA_CHAVE },
  { nome: 'consNSU', por: 'NSU', formato: /^\d{15}$/ },
  { nome: 'distNSU', por: 'ultNSU', formato: /^\d{15}$/ },
] as const

function readPergunta(pedido: Elemento): Pick<Consulta, 'por' | 'valor'> | undefined {
  const pergunta = PERGUNTAS.find(({ nome }) => nome === pedido.nome)
  const [valor, ...resto] = pedido.filhos
  if (!pergunta || !valor || resto.length > 0 || atributosDe(pedido).length > 0) return undefined
  const certa = semTexto(pedido) && isFolha(valor) && valor.nome === pergunta.por
  return certa && pergunta.formato.test(valor.texto) ? { por: pergunta.por, valor: valor.texto } : undefined
}

/** For how long after its reception a note can be downloaded (NT 2014.002 v1.21, 3.8, rule 632). */
const PRAZO_DIAS = 90

/** Rules 252, 489, 490, 593 and 472 of a query (NT 2014.002 v1.21, 3.8). */
function checkInteressado(
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

// A party of the note is known by the whole number. The event Ator Interessado (110150) is not simulated.
/** Rules 632, 640, 641, 653 and 654 in the order of the table; a public project puts 653 before 640. */
function checkAcesso(nota: Nota, { documento }: Consulta['interessado'], agora: Date): number | undefined {
  const { emitente, situacao, recepcao, cenario } = nota
  const takesPart = [emitente, nota.destinatario].some((quem) => quem.documento === documento)
  if (agora.getTime() - recepcao.getTime() > PRAZO_DIAS * DIA_MS) return 632
  if (!takesPart && !hasAcessoDireto(nota, documento)) return 640
  if (emitente.documento === documento) return 641
  if (situacao === 'autorizada' || cenario.aindaResumida) return undefined
  return situacao === 'cancelada' ? 653 : 654
}

/** The carrier and those in autXML get the whole note without manifesting. */
const hasAcessoDireto = ({ transportador, autorizados }: Nota, documento: string): boolean =>
  transportador?.documento === documento || autorizados.some((quem) => quem.documento === documento)

type Veredito = {
  cStat: number
  detalhe?: string
  /** Answers by NSU hold the interested party's last NSU and the last of all. */
  nsu?: { ultNSU: string; maxNSU: string }
  documento?: { tipo: 'resumo' | 'proc'; nota: Nota }
  efeito?: EfeitoNfe | undefined
}

/** Queries by key and by one NSU that an interested party may make in an hour. */
const MAXIMO = 20

/** Nothing is distributed by NSU here: every party's last one is zero, and so is the greatest. */
const ZERO = '0'.repeat(15)

/** In the words of answers of 2022 to 2025, in public code and issues. */
const ULTRAPASSOU: Veredito = {
  cStat: 656,
  detalhe: 'Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
}

const CEDO = 'Consumo Indevido (Deve ser utilizado o ultNSU nas solicitacoes subsequentes. Tente apos 1 hora)'

/** Undue consumption (NT 2014.002 v1.21, 3.11.4). It answers the queries by NSU, too; undefined for a key. */
function createConsumo(agora: () => Date): (consulta: Consulta, ambiente: TpAmb) => Veredito | undefined {
  const isPast = createContagem(agora, MAXIMO)
  const limitados = createBloqueio(agora)
  const emDia = createBloqueio(agora)
  return ({ interessado, por, valor }, ambiente) => {
    const quem = `${ambiente} ${interessado.documento}`
    if (limitados.insists(quem)) return ULTRAPASSOU
    if (por === 'ultNSU') return porUltNsu(valor, quem, emDia)
    if (isPast(quem)) {
      limitados.block(quem)
      return ULTRAPASSOU
    }
    if (por === 'chNFe') return undefined
    return { cStat: valor > ZERO ? 589 : 137, nsu: { ultNSU: ZERO, maxNSU: ZERO } }
  }
}

function porUltNsu(valor: string, quem: string, emDia: ReturnType<typeof createBloqueio>): Veredito {
  const nsu = { ultNSU: ZERO, maxNSU: ZERO }
  if (emDia.insists(quem)) return { cStat: 656, detalhe: CEDO, nsu }
  if (valor > ZERO) return { cStat: 589, nsu }
  emDia.block(quem)
  return { cStat: 137, nsu }
}

const NOTAS = 10_000

type Julgar = (consulta: Consulta, chamador: Chamador, ambiente: TpAmb) => Veredito

/** The rules from 252 on (NT 2014.002 v1.21, 3.8 and 3.11). The place of undue consumption is assumed. */
function createRegras({ agora, livro }: MeiosDoAn): Julgar {
  const consumo = createConsumo(agora)
  const demoras = new LRUCache<string, number>({ max: NOTAS })
  /** An event takes as many queries as the scenario says to release its note. */
  const demorou = ({ chave, cenario }: Nota): boolean => {
    const vezes = demoras.get(chave) ?? 0
    demoras.set(detach(chave), vezes + 1)
    return vezes >= (cenario.demoraDaLiberacao ?? 0)
  }
  const ehInteira = (nota: Nota, documento: string): boolean =>
    hasAcessoDireto(nota, documento) || (liberadaPorEvento(nota, livro) && demorou(nota))
  const porChave = ({ valor: chave, interessado }: Consulta, nota: Nota | undefined): Veredito => {
    const cStat = checkChave(chave, ['55'], agora())
    if (cStat) return { cStat }
    if (!nota || nota.cenario.existe === 'nunca') return { cStat: 217 }
    if (nota.cenario.existe === 'sem-nsu') return { cStat: 137 }
    const recusa = checkAcesso(nota, interessado, agora())
    if (recusa) return { cStat: recusa }
    const inteira = nota.situacao === 'autorizada' && ehInteira(nota, interessado.documento)
    return { cStat: 138, documento: { tipo: inteira ? 'proc' : 'resumo', nota } }
  }
  return (consulta, chamador, ambiente) => {
    const cStat = checkInteressado(consulta, chamador, ambiente)
    const recusa = cStat ? { cStat } : consumo(consulta, ambiente)
    if (recusa) return recusa
    const nota = notaDe(consulta.valor)
    const efeito = efeitoDaConsulta(nota, chamador.documento, livro)
    if (efeito?.tipo !== 'codigo') return { ...porChave(consulta, nota), efeito }
    return efeito.cStat === 656 ? ULTRAPASSOU : { cStat: efeito.cStat }
  }
}

const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe'

/** Seen from 2025-10 to 2026-10. */
const VERSAO_DO_APLICATIVO = '1.7.6'

const ESQUEMAS = { resumo: 'resNFe_v1.01.xsd', proc: 'procNFe_v4.00.xsd' } as const

type Meios = { ambiente: TpAmb; agora: Date; writeNfeProc: WriteNfeProc }

/** As captured (2022 to 2026) and not as the schema has it: without ultNSU and maxNSU by key, without NSU. */
async function writeRetorno(veredito: Veredito, meios: Meios): Promise<string> {
  const { cStat, detalhe, nsu, documento } = veredito
  const zip = documento && (await pack(documento, veredito, meios.writeNfeProc))
  const campos: Campo[] = [
    ['tpAmb', meios.ambiente],
    ['verAplic', VERSAO_DO_APLICATIVO],
    ['cStat', String(cStat)],
    ['xMotivo', motivoDoAn(cStat, detalhe)],
    ['dhResp', dataHora(meios.agora)],
    ['ultNSU', nsu?.ultNSU],
    ['maxNSU', nsu?.maxNSU],
    ['loteDistDFeInt', documento && [[`docZip schema="${ESQUEMAS[documento.tipo]}"`, zip ?? '']]],
  ]
  const retorno: Campo = [`retDistDFeInt versao="1.01" xmlns="${NFE}"`, campos]
  return writeCampos([
    [`nfeDistDFeInteresseResponse xmlns="${WSDL}"`, [['nfeDistDFeInteresseResult', [retorno]]]],
  ])
}

/** The document, gzipped and in base64, with the defects that are of how it is sent. */
async function pack(
  { tipo, nota }: NonNullable<Veredito['documento']>,
  { efeito }: Veredito,
  writeNfeProc: WriteNfeProc,
): Promise<string> {
  const defeito: Defeito | undefined = efeito?.tipo === 'documento' ? efeito.defeito : undefined
  const xml = await writeWithDefeito(defeito, nota, tipo === 'resumo' ? writeResumo : writeNfeProc)
  const zip = gzipSync(xml)
  if (defeito === 'vazio') return ''
  if (defeito === 'gzip-cortado') return zip.subarray(0, zip.length * 0.6).toString('base64')
  const base64 = zip.toString('base64')
  return defeito === 'base64-ruim' ? base64.replace(/[+/A-Za-z]{2}/g, '*%') : base64
}

const PRODUCAO = 'www1.nfe.fazenda.gov.br'
const HOMOLOGACAO = 'hom1.nfe.fazenda.gov.br'
const CAMINHO = '/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx'

const servico = servicoDoAn('NFeDistribuicaoDFe', {
  wsdl: WSDL,
  operacao: 'nfeDistDFeInteresse',
  entradas: ['nfeDistDFeInteresse'],
  endereco: `https://${PRODUCAO}${CAMINHO}`,
})

/** NFeDistribuicaoDFe of the national environment, production and homologation (NT 2014.002 v1.21). */
export function createDistribuicao(meios: MeiosDoAn): Autoridade {
  const judge = createRegras(meios)
  return {
    nome: 'Ambiente Nacional: distribuição de NF-e',
    hosts: [PRODUCAO, HOMOLOGACAO],
    asksCertificado: true,
    serves: (caminho) => caminho.toLowerCase() === CAMINHO.toLowerCase(),
    async answer(pedido, resposta) {
      const entrada = receiveSoap(servico, pedido)
      if ('recusa' in entrada) return send(entrada.recusa, resposta)
      const ambiente = ambienteDe(pedido.host)
      const leitura = readMensagem(entrada)
      const veredito: Veredito = 'cStat' in leitura ? leitura : judge(leitura, entrada.chamador, ambiente)
      const { agora, writeNfeProc, ritmo } = meios
      const retorno = await writeRetorno(veredito, { ambiente, agora: agora(), writeNfeProc })
      const saida = { resposta, conexao: pedido.conexao, ritmo }
      sendWithEfeitoNfe(veredito.efeito, estiloDoAn(entrada.soap), retorno, saida)
    },
  }
}

/** The operation's wrapper holds nfeDadosMsg, and that the message. */
function readMensagem({ lida }: Entrada): Leitura {
  if (!lida) return { cStat: 402 }
  const [dados, ...resto] = lida.entrada.filhos
  if (dados?.nome !== 'nfeDadosMsg' || dados.namespace !== WSDL || resto.length > 0) return { cStat: 215 }
  return readDistDFeInt(lida.xml.slice(dados.conteudo.inicio, dados.conteudo.fim), dados.filhos)
}
