import type {
  Achado,
  Laudo,
  Ocorrencia,
  ResultadoDaVerificacao,
  Suspeita,
} from '../../domain/rejeicoes/laudo.ts'
import { dataBrasileira, diaDe } from '../../domain/sefaz/dia.ts'
import { ondeDe } from '../../domain/verificacoes/onde.ts'
import type { VerificacaoComCodigo } from '../../domain/verificacoes/preparar.ts'
import { vigorEm } from '../../domain/verificacoes/vigencia.ts'
import { proporEmendas } from './emendas/propor.ts'
import { type PacoteNoDia, pacotesDoDia } from './esquema/calendario.ts'
import { instaladosOuNenhum } from './esquema/instalados.ts'
import { type Exame, examinar } from './exame.ts'
import { avisosDaResposta, lerResposta } from './motivo.ts'
import type { Malformado } from './nota/abrir.ts'
import { descer, lugarDe } from './nota/lugar.ts'
import type { PedidoDoDiagnostico } from './pedido.ts'
import { comInformado, dasVerificacoes, listarSuspeitas, suspeitar } from './suspeitas.ts'
import { abrirVerificadores, criarContexto, type Verificadores } from './verificadores.ts'

/** How many errors of the schema are told. The others are counted. */
const ERROS = 200

/** What a message may have (MOC 7.0, Anexo I, rule B01). */
const MENSAGEM = 500 * 1024

/** Diagnoses a note, in the thread of the caller. Throws DiagnosticoRecusado. */
export function laudar({ xml, cstat, motivo, agora, catalogo, esquemas }: PedidoDoDiagnostico): Laudo {
  const verificadores = abrirVerificadores(catalogo)
  const resposta = lerResposta(cstat, motivo, verificadores.porCodigo)
  const texto = xml.replace(/^\uFEFF?\s*/, '')
  const contexto = criarContexto(agora, { chave_na_sefaz: resposta.chave })
  const meios = { verificadores, contexto, agora, esquemas }
  const exame = examinar(texto, meios)
  if ('linha' in exame) return laudoDoMalformado(exame, verificadores, { agora, esquemas })
  const daForma = suspeitasDaForma(texto, exame, verificadores)
  const isAutorizada = exame.autorizacao.situacao === 'esta'
  const provaveis = listarSuspeitas(exame, daForma, verificadores.porCodigo)
  const emendas = isAutorizada ? [] : proporEmendas(exame, { ...meios, contexto: exame.contexto })
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
    suspeitas: comInformado(isAutorizada ? [] : provaveis, resposta, exame, verificadores.porCodigo),
    se_transmitida_hoje: suspeitasDeHoje(exame, agora, verificadores),
    divergencias: isAutorizada ? provaveis.map(comoDivergencia) : [],
    verificacoes: achados,
    resumo: resumir(achados),
    emendas,
    avisos: [
      ...avisosDaResposta(resposta, motivo, verificadores.porCodigo),
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
  const chave = /^NFe([0-9A-Z]{44})$/.exec(infNFe.atributos.Id ?? '')?.[1]
  return { modelo: mod === '55' || mod === '65' ? mod : null, chave: chave ?? null }
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

/** 402 and 404: what the authority looks at before the schema. */
function suspeitasDaForma(texto: string, exame: Exame, { porCodigo }: Verificadores): Suspeita[] {
  const codificacao = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(texto)?.[1]
  const outra =
    codificacao && codificacao.toUpperCase() !== 'UTF-8'
      ? [
          suspeitar(
            402,
            'esquema',
            [
              {
                onde: 'declaração do XML',
                campos: [{ caminho: 'encoding', valor: codificacao.slice(0, 40) }],
                mensagem: 'O XML declara outra codificação. Grave o arquivo em UTF-8 e declare UTF-8.',
              },
            ],
            porCodigo,
          ),
        ]
      : []
  const { comPrefixo } = exame
  if (!comPrefixo) return outra
  const caminho = lugarDe(comPrefixo)
  const mensagem = `O elemento ${comPrefixo.nome} usa o prefixo ${comPrefixo.prefixo}. Declare o namespace com xmlns, sem prefixo.`
  const ocorrencia = { onde: ondeDe(caminho), campos: [{ caminho, valor: null }], mensagem }
  return [...outra, suspeitar(404, 'esquema', [ocorrencia], porCodigo)]
}

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
      `Esta nota foi autorizada (protocolo de ${emBrasilia(autorizacao)}). O que a contradiz é de uma regra posterior ou diferença nossa, está em divergencias e não é uma rejeição provável.`,
    ],
    [
      autorizacao.situacao === 'outro',
      `O protocolo é desta chave, mas autorizou outro conteúdo: o resumo (digVal) não é o desta nota. Ela foi conferida pelas regras de ${emBrasilia(autorizacao)}, o dia do protocolo.`,
    ],
    [
      base === 'hoje',
      'A data de emissão (dhEmi) não pode ser lida: a nota foi conferida pelas regras de hoje.',
    ],
    [comEmendas && assinatura.situacao !== 'ausente', 'Depois de aplicar as emendas, assine a nota de novo.'],
  ]
  return [...(assinatura.avisos ?? []), ...avisos.flatMap(([cabe, aviso]) => (cabe ? [aviso] : []))]
}

const emBrasilia = (autorizacao: Exame['autorizacao']): string =>
  autorizacao.situacao === 'nenhuma' ? '' : dataBrasileira(autorizacao.em.slice(0, 10))

const DIVERGENCIA = 'Regra posterior, ou diferença nossa: a SEFAZ autorizou a nota assim.'

const comDivergencia = (ocorrencia: Ocorrencia): Ocorrencia => ({
  ...ocorrencia,
  mensagem: `${DIVERGENCIA} ${ocorrencia.mensagem}`,
})

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
    avisos: [],
  }
}
