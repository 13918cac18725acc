import { dataBrasileira, diaDe } from '../../documento/dia.ts'
import { instaladosOuNenhum, type PacoteNoDia, pacotesDoDia } from '../esquema/calendario.ts'
import type { Malformado } from '../nota/abrir.ts'
import { chaveDe, descer } from '../nota/arvore.ts'
import { vigorEm } from '../rules.ts'
import type { Achado, Laudo, Ocorrencia, ResultadoDaVerificacao, Suspeita } from '../rules-laudo.ts'
import type { VerificacaoComCodigo } from '../verificacoes/verificar.ts'
import { corrigir } from './corrigir.ts'
import { proporEmendas } from './emendas.ts'
import { type Exame, examinar } from './exame.ts'
import { avisosDaResposta, lerResposta } from './motivo.ts'
import type { PedidoDoDiagnostico } from './recusa.ts'
import { comInformado, dasVerificacoes, listarSuspeitas, suspeitar, suspeitasDaForma } from './suspeitas.ts'
import { abrirVerificadores, criarContexto, type Verificadores } from './verificadores.ts'

/** What a message may have (MOC 7.0, Anexo I, rule B01). */
const MENSAGEM = 500 * 1024

/** What a client has to know of a diagnosis beside its findings, in Portuguese. */
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
      />\s+</.test(nota.xml),
      'Há espaços ou quebras de linha entre os elementos. Algumas UFs recusam isso (rejeição 588): transmita o XML sem eles.',
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
  return [...(assinatura.avisos ?? []), ...avisos.flatMap(([cabe, aviso]) => (cabe ? [aviso] : []))]
}

const diaDaAutorizacao = (autorizacao: Exame['autorizacao']): string =>
  autorizacao.situacao === 'nenhuma' ? '' : dataBrasileira(autorizacao.dia)

/** What is uncertain of the package itself. */
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

/** How many errors of the schema are told. The others are counted. */
const ERROS = 200

/** Diagnoses a note, in the thread of the caller. Throws DiagnosticoRecusado. */
export function laudar(pedido: PedidoDoDiagnostico): Laudo {
  const { xml, cstat, motivo, agora, catalogo, esquemas, tabelas, semCorrigido } = pedido
  const verificadores = abrirVerificadores(catalogo)
  const resposta = lerResposta(cstat, motivo, verificadores.porCodigo)
  const texto = xml.replace(/^\uFEFF?\s*/, '')
  const contexto = criarContexto({ agora, tabelas, valores: { chave_na_sefaz: resposta.chave } })
  const meios = { verificadores, contexto, agora, esquemas }
  const exame = examinar(texto, meios)
  if ('linha' in exame) return laudoDoMalformado(exame, verificadores, { agora, esquemas })
  const { porCodigo } = verificadores
  const isAutorizada = exame.autorizacao.situacao === 'esta'
  const provaveis = listarSuspeitas(exame, suspeitasDaForma(texto, exame, porCodigo), porCodigo)
  const suspeitas = comInformado(isAutorizada ? [] : provaveis, resposta, exame, porCodigo)
  const comContexto = { ...meios, contexto: exame.contexto }
  const emendas = isAutorizada ? [] : proporEmendas(exame, comContexto)
  const corrigido = semCorrigido ? undefined : corrigir(exame, { emendas, suspeitas }, comContexto)
  const { erros, assinatura, base } = exame
  const { dia, ambiente } = exame.contexto.regencia
  const achados = isAutorizada ? exame.achados.map(semAcusar) : exame.achados
  return {
    ...identidadeDe(exame),
    esquema: {
      ...identificar(exame.pacote, exame.outroPacote),
      valido: erros.length === 0,
      erros: erros.slice(0, ERROS),
      omitidos: Math.max(erros.length - ERROS, 0),
    },
    assinatura: { situacao: assinatura.situacao, mensagem: assinatura.mensagem },
    regras: {
      dia,
      ambiente: ambiente === '1' ? 'producao' : 'homologacao',
      base,
      autorizada: isAutorizada,
    },
    suspeitas,
    se_transmitida_hoje: suspeitasDeHoje(exame, agora, verificadores),
    divergencias: isAutorizada ? provaveis.map(comoDivergencia) : [],
    verificacoes: achados,
    resumo: resumir(achados),
    emendas,
    corrigido: corrigido ?? null,
    avisos: [
      ...avisosDaResposta(resposta, motivo, porCodigo),
      ...avisosDe(texto, exame, emendas.length > 0, verificadores),
    ],
  }
}

const identificar = (
  { nome, desde, origem }: PacoteNoDia,
  outro: PacoteNoDia | undefined,
): Pick<Laudo['esquema'], 'pacote' | 'desde' | 'origem' | 'outro'> => ({
  pacote: nome,
  desde,
  origem,
  outro: outro ? { pacote: outro.nome, desde: outro.desde, origem: outro.origem } : null,
})

function identidadeDe({ nota: { infNFe } }: Exame): Pick<Laudo, 'modelo' | 'chave'> {
  const mod = descer(infNFe, 'ide/mod')?.texto
  return { modelo: mod === '55' || mod === '65' ? mod : null, chave: chaveDe(infNFe) }
}

const resumir = (achados: Laudo['verificacoes']): Laudo['resumo'] => {
  const contar = (qual: ResultadoDaVerificacao): number =>
    achados.filter(({ resultado }) => resultado === qual).length
  return {
    ok: contar('ok'),
    falha: contar('falha'),
    nao_aplicavel: contar('nao_aplicavel'),
    indeterminado: contar('indeterminado'),
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
const semAcusar = (achado: Achado): Achado =>
  achado.resultado === 'falha'
    ? { ...achado, resultado: 'indeterminado', ocorrencias: achado.ocorrencias.map(comDivergencia) }
    : achado

/** What rules say that begin between the day of the note and today. */
function suspeitasDeHoje(
  { nota, contexto, base }: Exame,
  agora: Date,
  { conferir, porCodigo }: Verificadores,
): Suspeita[] {
  const { regencia } = contexto
  const deHoje = { ...regencia, dia: diaDe(agora.getTime()) }
  if (base === 'protocolo' || regencia.dia >= deHoje.dia) return []
  const comecou = ({ vigencia }: VerificacaoComCodigo): boolean =>
    vigorEm(vigencia, regencia) !== true && vigorEm(vigencia, deHoje) === true
  return dasVerificacoes(conferir(nota.nfe, { ...contexto, regencia: deHoje }, comecou), porCodigo)
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
    esquema: { ...identificar(pacote, undefined), valido: false, erros: [], omitidos: 0 },
    assinatura: {
      situacao: 'indeterminada',
      mensagem: 'Sem um XML bem formado, a assinatura não foi conferida.',
    },
    regras: { dia, ambiente: 'producao', base: 'hoje', autorizada: false },
    suspeitas: [suspeitar(243, 'esquema', [ocorrencia], porCodigo)],
    se_transmitida_hoje: [],
    divergencias: [],
    verificacoes: [],
    resumo: resumir([]),
    emendas: [],
    corrigido: null,
    avisos: [],
  }
}
