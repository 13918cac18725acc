import { dataBrasileira, diaDe } from '../../documento/dia.ts'
import { chaveDe, descend, readArvore } from '../arvore.ts'
import { instaladosOuNenhum, type PacoteNoDia, pacotesDoDia } from '../esquema/calendario.ts'
import type { Malformado } from '../nota.ts'
import { vigorEm } from '../rules.ts'
import type {
  Achado,
  Corrigido,
  Emenda,
  Laudo,
  Ocorrencia,
  PedidoDoDiagnostico,
  ResultadoDaVerificacao,
  Suspeita,
} from '../rules-laudo.ts'
import { rotuloDe } from '../textos.ts'
import type { VerificacaoComCodigo } from '../verificacoes/verificador.ts'
import { applyEmendas, proposeEmendas } from './emendas.ts'
import {
  createContexto,
  type Exame,
  examine,
  type MeiosDoExame,
  openVerificadores,
  type Verificadores,
} from './exame.ts'
import {
  avisosDaResposta,
  codificacaoDeclarada,
  comInformado,
  dasVerificacoes,
  listSuspeitas,
  readResposta,
  suspect,
  suspeitasDaForma,
} from './suspeitas.ts'

const MAIOR_VALOR = 60

const LUGARES = 3

const COM_ESPACOS = />\s+</

/** Undefined where the note is authorised too: what the authority has received cannot be sent again. */
function correct(
  { nota, autorizacao }: Exame,
  { emendas, suspeitas }: { emendas: readonly Emenda[]; suspeitas: readonly Suspeita[] },
  meios: MeiosDoExame,
): Corrigido | undefined {
  if (emendas.length === 0 || autorizacao.situacao !== 'nenhuma') return undefined
  const formas: string[] = []
  const emendado = emUtf8(applyEmendas(nota.xml, nota.nfe, emendas), formas)
  const xml = semAssinatura(emendado, formas)
  if (nota.envelope !== undefined)
    formas.push(`O envelope ${nota.envelope} foi retirado: o arquivo traz só a nota (NFe).`)
  const depois = examine(xml, meios)
  if ('linha' in depois) return undefined
  return {
    xml,
    chave: chaveDe(depois.nota.infNFe),
    mudancas: [...emendas.map(mudancaDe), ...formas],
    falta: faltaEm(depois, { emendas, suspeitas }, meios),
  }
}

/** A text is written in UTF-8 from here on, and its declaration has to say so. */
function emUtf8(xml: string, formas: string[]): string {
  const declarada = codificacaoDeclarada(xml)
  if (!declarada || declarada.nome.toUpperCase() === 'UTF-8') return xml
  formas.push('A declaração do XML diz agora UTF-8, a codificação deste arquivo.')
  return `${xml.slice(0, declarada.inicio)}UTF-8${xml.slice(declarada.inicio + declarada.nome.length)}`
}

function semAssinatura(xml: string, formas: string[]): string {
  const nfe = readArvore(xml).filhos.find(({ nome }) => nome === 'NFe')
  const assinaturas = (nfe?.filhos ?? []).filter(({ nome }) => nome === 'Signature')
  if (assinaturas.length > 0)
    formas.push('A assinatura (Signature) foi retirada: ela era do conteúdo de antes.')
  return assinaturas.reduceRight((texto, { inicio, fim }) => texto.slice(0, inicio) + texto.slice(fim), xml)
}

function mudancaDe({ caminho, acao, de, para, codigo }: Emenda): string {
  const [rotulo, depois] = [dito(caminho), `(rejeição ${codigo}).`]
  if (acao === 'retirar') return `${rotulo}: campo retirado ${depois}`
  if (acao === 'mover')
    return `${rotulo}: mudou de lugar, para ${para === null ? 'o fim do grupo' : `antes de ${dito(para)}`} ${depois}`
  return `${rotulo}: de “${cortado(de ?? '')}” para “${cortado(para ?? '')}” ${depois}`
}

function dito(caminho: string): string {
  const rotulo = rotuloDe(caminho)
  return rotulo === undefined ? caminho : `${rotulo} (${caminho})`
}

const cortado = (valor: string): string =>
  valor.length > MAIOR_VALOR ? `${valor.slice(0, MAIOR_VALOR).toWellFormed()}…` : valor

type DeAntes = { emendas: readonly Emenda[]; suspeitas: readonly Suspeita[] }

function faltaEm(depois: Exame, antes: DeAntes, { verificadores: { porCodigo } }: MeiosDoExame): string[] {
  const { nota, conferencia } = depois
  const restantes = listSuspeitas(depois, suspeitasDaForma(nota.xml, depois, porCodigo), porCodigo)
  const informada = antes.suspeitas.filter(({ origem }) => origem === 'informado')
  return [
    ...[...restantes, ...informada].map(tellRestante),
    ...(conferencia.incompleta
      ? ['Confira este arquivo de novo antes de assinar: pode haver mais erros de esquema.']
      : []),
    ...(isQrCodeAntigo(depois, antes.emendas)
      ? ['Gere de novo o QR Code (infNFeSupl): o que está no arquivo é o da nota de antes.']
      : []),
    ...(COM_ESPACOS.test(nota.xml)
      ? ['Retire os espaços e as quebras de linha entre os elementos: algumas UFs os recusam (rejeição 588).']
      : []),
    'Assine o XML com o certificado digital do emitente.',
    'Transmita a nota assinada à SEFAZ.',
  ]
}

function tellRestante({ codigo, titulo, origem, aplicacao, ocorrencias }: Suspeita): string {
  if (origem === 'informado')
    return `Resolva a rejeição ${codigo} (${titulo}), que a SEFAZ respondeu: nada no XML diz como.`
  const lugares = [...new Set(ocorrencias.map(({ onde }) => onde).filter((onde) => onde !== ''))]
  const mais = lugares.length > LUGARES ? ` e mais ${lugares.length - LUGARES}` : ''
  const onde = lugares.length > 0 ? `: ${lugares.slice(0, LUGARES).join('; ')}${mais}` : ''
  const verbo = aplicacao === 'uf' ? 'Confira, porque a UF pode aplicá-la,' : 'Corrija à mão'
  return `${verbo} a rejeição ${codigo} (${titulo})${onde}.`
}

/** A QR code has the key; that of a contingency has the values and the digest of the note too. */
function isQrCodeAntigo({ nota: { nfe, infNFe } }: Exame, emendas: readonly Emenda[]): boolean {
  if (!nfe.filhos.some(({ nome }) => nome === 'infNFeSupl')) return false
  const isDaContingencia = descend(infNFe, 'ide/tpEmis')?.texto === '9'
  return isDaContingencia || emendas.some(({ caminho }) => caminho === '@Id')
}

/** What a message may have (MOC 7.0, Anexo I, rule B01). */
const MENSAGEM = 500 * 1024

function avisosDe(texto: string, exame: Exame, comEmendas: boolean, { porId }: Verificadores): string[] {
  const { conferencia, assinatura, nota, pacote, autorizacao, base } = exame
  const avisos: [boolean, string][] = [
    [
      porId.size === 0,
      'O catálogo de verificações não está disponível: só o esquema e a assinatura foram conferidos.',
    ],
    [
      conferencia.comLetras,
      `O pacote ${pacote.nome} ainda não conhece o CNPJ com letras: o formato desses campos não foi conferido pelo esquema.`,
    ],
    ...avisosDoPacote(exame),
    [
      conferencia.incompleta,
      'Pode haver mais erros de esquema: corrija os que estão na lista e confira de novo.',
    ],
    [
      COM_ESPACOS.test(nota.xml),
      'Há espaços ou quebras de linha entre os elementos. Algumas UFs recusam isso (rejeição 588): retire-os antes de assinar.',
    ],
    [
      Buffer.byteLength(texto) > MENSAGEM,
      'O XML passa de 500 KB, o limite da mensagem na regra B01 (rejeição 214).',
    ],
    [
      autorizacao.situacao === 'esta',
      `Esta nota foi autorizada (protocolo de ${diaDaAutorizacao(autorizacao)}). O que a contradiz é de uma regra posterior ou diferença nossa, está em divergencias e não é uma rejeição provável.`,
    ],
    [
      autorizacao.situacao === 'outro',
      `O protocolo é desta chave, mas autorizou outro conteúdo: o resumo (digVal) não é o desta nota. Ela foi conferida pelas regras de ${diaDaAutorizacao(autorizacao)}, o dia do protocolo.`,
    ],
    [
      base === 'hoje',
      'A data de emissão (dhEmi) não pode ser lida: a nota foi conferida pelas regras de hoje.',
    ],
    [comEmendas && assinatura.situacao !== 'ausente', 'Depois de aplicar as emendas, assine a nota de novo.'],
  ]
  return [...(assinatura.avisos ?? []), ...avisos.flatMap(([isDue, aviso]) => (isDue ? [aviso] : []))]
}

const diaDaAutorizacao = (autorizacao: Exame['autorizacao']): string =>
  autorizacao.situacao === 'nenhuma' ? '' : dataBrasileira(autorizacao.dia)

function avisosDoPacote({ contexto, pacote, outroPacote, erros }: Exame): [boolean, string][] {
  return [
    [
      contexto.regencia.dia < pacote.desde && outroPacote === undefined,
      `A nota é de antes de ${dataBrasileira(pacote.desde)}, o primeiro dia do esquema mais antigo que o serviço tem: foi conferida por ele, o ${pacote.nome}, e um erro de esquema pode não ser da época.`,
    ],
    [
      erros.length > 0 && outroPacote !== undefined,
      `As fontes oficiais divergem sobre o dia em que um esquema sucedeu ao outro: contam aqui só os erros que ${pacote.nome} e ${outroPacote?.nome} recusam.`,
    ],
    [
      erros.length > 0 && pacote.origem === 'reconstruido',
      `O esquema ${pacote.nome} foi refeito por nós a partir das notas técnicas, sobre os arquivos oficiais do PL_010b. Para conferir pelo oficial, o operador instala o zip do portal: fiscal esquemas instalar.`,
    ],
  ]
}

const ERROS = 200

/** Diagnoses in the thread of the caller. Throws DiagnosticoRecusado. */
export function makeLaudo(pedido: PedidoDoDiagnostico): Laudo {
  const { xml, cstat, motivo, agora, catalogo, esquemas, tabelas, semCorrigido } = pedido
  const verificadores = openVerificadores(catalogo)
  const resposta = readResposta(cstat, motivo, verificadores.porCodigo)
  const texto = xml.replace(/^\uFEFF?\s*/, '')
  const contexto = createContexto({ agora, tabelas, valores: { chave_na_sefaz: resposta.chave } })
  const meios = { verificadores, contexto, agora, esquemas }
  const exame = examine(texto, meios)
  if ('linha' in exame) return laudoDoMalformado(exame, verificadores, { agora, esquemas })
  const { porCodigo } = verificadores
  const isAutorizada = exame.autorizacao.situacao === 'esta'
  const provaveis = listSuspeitas(exame, suspeitasDaForma(texto, exame, porCodigo), porCodigo)
  const suspeitas = comInformado(isAutorizada ? [] : provaveis, resposta, exame, porCodigo)
  const comContexto = { ...meios, contexto: exame.contexto }
  const emendas = isAutorizada ? [] : proposeEmendas(exame, comContexto)
  const corrigido = semCorrigido ? undefined : correct(exame, { emendas, suspeitas }, comContexto)
  const { erros, assinatura, base } = exame
  const { dia, ambiente } = exame.contexto.regencia
  const achados = isAutorizada ? exame.achados.map(withoutCharge) : exame.achados
  return {
    ...identidadeDe(exame),
    esquema: {
      ...identify(exame.pacote, exame.outroPacote),
      valido: erros.length === 0,
      erros: erros.slice(0, ERROS),
      omitidos: Math.max(erros.length - ERROS, 0),
    },
    assinatura: { situacao: assinatura.situacao, mensagem: assinatura.mensagem },
    regras: { dia, ambiente: ambiente === '1' ? 'producao' : 'homologacao', base, autorizada: isAutorizada },
    suspeitas,
    se_transmitida_hoje: suspeitasDeHoje(exame, agora, verificadores),
    divergencias: isAutorizada ? provaveis.map(comoDivergencia) : [],
    verificacoes: achados,
    resumo: summarize(achados),
    emendas,
    corrigido: corrigido ?? null,
    avisos: [
      ...avisosDaResposta(resposta, motivo, porCodigo),
      ...avisosDe(texto, exame, emendas.length > 0, verificadores),
    ],
  }
}

const identify = (
  { nome, desde, origem }: PacoteNoDia,
  outro: PacoteNoDia | undefined,
): Pick<Laudo['esquema'], 'pacote' | 'desde' | 'origem' | 'outro'> => ({
  pacote: nome,
  desde,
  origem,
  outro: outro ? { pacote: outro.nome, desde: outro.desde, origem: outro.origem } : null,
})

function identidadeDe({ nota: { infNFe } }: Exame): Pick<Laudo, 'modelo' | 'chave'> {
  const mod = descend(infNFe, 'ide/mod')?.texto
  return { modelo: mod === '55' || mod === '65' ? mod : null, chave: chaveDe(infNFe) }
}

const summarize = (achados: Laudo['verificacoes']): Laudo['resumo'] => {
  const count = (qual: ResultadoDaVerificacao): number =>
    achados.filter(({ resultado }) => resultado === qual).length
  return {
    ok: count('ok'),
    falha: count('falha'),
    nao_aplicavel: count('nao_aplicavel'),
    indeterminado: count('indeterminado'),
  }
}

const DIVERGENCIA = 'Regra posterior, ou diferença nossa: a SEFAZ autorizou a nota assim.'

const comDivergencia = (ocorrencia: Ocorrencia): Ocorrencia => ({
  ...ocorrencia,
  mensagem: `${DIVERGENCIA} ${ocorrencia.mensagem}`,
})

/** A rejection that an authorization contradicts is none. */
const comoDivergencia = (suspeita: Suspeita): Suspeita => ({
  ...suspeita,
  ocorrencias: suspeita.ocorrencias.map(comDivergencia),
  certeza: 'provavel',
})

/** A check that an authorization contradicts decides nothing. */
const withoutCharge = (achado: Achado): Achado =>
  achado.resultado === 'falha'
    ? { ...achado, resultado: 'indeterminado', ocorrencias: achado.ocorrencias.map(comDivergencia) }
    : achado

/** What rules say that begin between the day of the note and today. */
function suspeitasDeHoje(
  { nota, contexto, base }: Exame,
  agora: Date,
  { check, porCodigo }: Verificadores,
): Suspeita[] {
  const { regencia } = contexto
  const deHoje = { ...regencia, dia: diaDe(agora.getTime()) }
  if (base === 'protocolo' || regencia.dia >= deHoje.dia) return []
  const hasBegun = ({ vigencia }: VerificacaoComCodigo): boolean =>
    vigorEm(vigencia, regencia) !== true && vigorEm(vigencia, deHoje) === true
  return dasVerificacoes(check(nota.nfe, { ...contexto, regencia: deHoje }, hasBegun), porCodigo)
}

function laudoDoMalformado(
  { linha, coluna }: Malformado,
  { porCodigo }: Verificadores,
  { agora, esquemas }: Pick<PedidoDoDiagnostico, 'agora' | 'esquemas'>,
): Laudo {
  const dia = diaDe(agora.getTime())
  const [pacote] = pacotesDoDia({ dia, ambiente: '1' }, instaladosOuNenhum(esquemas))
  const mensagem = `O XML está malformado na linha ${linha}, coluna ${coluna}. Confira se as etiquetas abrem e fecham em pares e se &, < e > estão escritos como &amp;, &lt; e &gt;.`
  const ocorrencia = { onde: `linha ${linha}, coluna ${coluna}`, campos: [], mensagem }
  return {
    modelo: null,
    chave: null,
    esquema: { ...identify(pacote, undefined), valido: false, erros: [], omitidos: 0 },
    assinatura: {
      situacao: 'indeterminada',
      mensagem: 'Sem um XML bem formado, a assinatura não foi conferida.',
    },
    regras: { dia, ambiente: 'producao', base: 'hoje', autorizada: false },
    suspeitas: [suspect(243, 'esquema', [ocorrencia], porCodigo)],
    se_transmitida_hoje: [],
    divergencias: [],
    verificacoes: [],
    resumo: summarize([]),
    emendas: [],
    corrigido: null,
    avisos: [],
  }
}
