import { dataBrasileira } from '../documento/dia.ts'
import { formatDocumento, isMesmaEmpresa, semMascara } from '../documento/documento.ts'
import { numberFormat } from '../documento/formato.ts'
import { findUf, type Uf, unidades } from '../documento/uf.ts'
import {
  type Apresentacao,
  type Apresentar,
  copiavel,
  ditos,
  type Fato,
  type Ficha,
  isGuardada,
  type ParteDaResposta,
  type Tom,
} from '../platform/pages/apresentacao.ts'
import { countOf, formatNumero, formatParte, semCaixaAlta, semOperador } from '../platform/pages/formatos.ts'
import { barraDeParte, CREDITOS_DO_MAPA, mapaDasPartes } from '../platform/pages/graficos.ts'
import { type Content, html } from '../platform/pages/html.ts'
import { enumerate, fold } from '../platform/texto.ts'
import { trusted } from '../platform/trusted.ts'
import type { RespostaConsultarCnir } from './api-cnir.ts'
import type { RespostaConsultarSigef } from './api-sigef.ts'
import { isAtivo } from './rules.ts'

type Perguntado = Pick<RespostaConsultarCnir, 'document' | 'document_type'> & {
  source_status: { error_message: string }
}

type Parcela = NonNullable<RespostaConsultarSigef['result']>['parcelas'][number]

type Imovel = RespostaConsultarCnir['imoveis_cafir'][number]

const hectares = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** `160,0049 ha`: registers tell up to four decimals, which are square metres. */
const formatHectares = (area: number): string => `${hectares.format(area)} ha`

/** Without the noise of floating point: areas have four decimals at most. */
const sumOf = (areas: readonly number[]): number =>
  areas.reduce((sum, area) => sum + Math.round(area * 10_000), 0) / 10_000

const nomeDoTipo = { cpf: 'CPF', cnpj: 'CNPJ' } as const

/** Says what failed and what to do about it, in the place of an answer. */
function semResposta(
  { document, document_type, source_status }: Perguntado,
  dito: { veredito: string; tom: Tom; conselho: string; frase?: string },
): Apresentacao {
  return {
    tom: dito.tom,
    veredito: dito.veredito,
    nome: '',
    frase: `${(dito.frase ?? semOperador(source_status.error_message)).trim()} Nada foi cobrado.${dito.conselho}`,
    fatos: [{ rotulo: nomeDoTipo[document_type], valor: formatDocumento(document) }],
    partes: [],
  }
}

/** The answer of CNIR: the rural properties of a holder. */
export const apresentarCnir: Apresentar = (corpo) => {
  // Proven by the endpoint's schema.
  const resposta = trusted<RespostaConsultarCnir>(corpo)
  const {
    document,
    document_type,
    source_status,
    imoveis_cafir: imoveis,
    consultado_em,
    request_id,
  } = resposta
  if (source_status.status !== 'success')
    return semResposta(resposta, {
      tom: 'ruim',
      ...ditoDaFalha(source_status),
      conselho: ' As parcelas com georreferenciamento estão no SIGEF, que é outra consulta.',
    })
  const nome = resposta.pessoa_fisica?.nome ?? resposta.pessoa_juridica?.razao_social ?? ''
  const ativos = imoveis.filter(isAtivo).length
  const cabe = areaDoTitular(imoveis, document)
  return {
    tom: imoveis.length === 0 ? 'neutro' : ativos === imoveis.length ? 'bom' : 'nota',
    veredito:
      imoveis.length === 0
        ? 'Nenhum imóvel rural'
        : `${countOf(imoveis.length, 'imóvel', 'imóveis')}, ${formatHectares(sumOf(imoveis.map(({ area_total }) => area_total)))}`,
    nome,
    frase: fraseDosImoveis(imoveis.length, ativos, { tipo: document_type, cabe }),
    fatos: ditos([
      { rotulo: nomeDoTipo[document_type], valor: formatDocumento(document) },
      ...fatosDoTitular(resposta),
      ...(cabe === undefined ? [] : [{ rotulo: 'Cabe a este titular', valor: cabe }]),
    ]).slice(0, MAIS_FATOS),
    partes: [
      ...ondeFicam(
        imoveis.map(({ municipio_sede, area_total }) => ({
          municipio: municipio_sede.nome,
          uf: municipio_sede.uf,
          area: area_total,
        })),
      ),
      ...partesDosImoveis(imoveis, { document, nome }),
    ],
    respondido: { quem: 'CNIR', em: consultado_em, guardada: isGuardada(request_id, consultado_em) },
  }
}

const MAIS_FATOS = 6

/** What is wrong with an answer of the connector is told to its operator, by the names of its members. */
function ditoDaFalha({ error_code, retryable }: RespostaConsultarCnir['source_status']) {
  if (error_code === 'PROCESSAMENTO_FALHOU')
    return {
      veredito: 'A resposta do CNIR não se entende',
      frase:
        'O conector do CNIR respondeu fora do combinado. Avise quem opera o serviço, com o número deste pedido.',
    }
  return { veredito: retryable ? 'O CNIR não respondeu agora' : 'O CNIR não é consultado aqui' }
}

function fraseDosImoveis(
  todos: number,
  ativos: number,
  { tipo, cabe }: { tipo: 'cpf' | 'cnpj'; cabe: Content },
): string {
  if (todos === 0)
    return `O CNIR não tem imóvel rural em nome deste ${nomeDoTipo[tipo]}. Se você esperava um, pergunte pelo ${tipo === 'cpf' ? 'CNPJ da fazenda ou pelo CPF de quem divide a posse' : 'CPF dos sócios'}.`
  const dividida = cabe === undefined ? '' : ' Nem toda a área é deste titular.'
  if (ativos === todos)
    return `${todos === 1 ? 'O imóvel está ativo' : 'Todos estão ativos'} no cadastro da Receita Federal e do INCRA.${dividida}`
  const quantos = `Só ${formatNumero(ativos)} dos ${formatNumero(todos)} ${ativos === 1 ? 'está ativo' : 'estão ativos'}`
  return `${ativos === 0 ? 'Nenhum está ativo' : quantos}; o total soma todos.${dividida}`
}

function fatosDoTitular({ pessoa_fisica, pessoa_juridica }: RespostaConsultarCnir): Fato[] {
  if (pessoa_fisica)
    return [
      { rotulo: 'Situação do CPF', valor: semCaixaAlta(pessoa_fisica.situacao_cadastral) },
      { rotulo: 'Nascimento', valor: dataBrasileira(pessoa_fisica.data_nascimento) },
    ]
  if (!pessoa_juridica) return []
  return [
    { rotulo: 'Nome de fantasia', valor: pessoa_juridica.nome_fantasia },
    { rotulo: 'Situação do CNPJ', valor: semCaixaAlta(pessoa_juridica.situacao_cadastral) },
    { rotulo: 'Abertura', valor: dataBrasileira(pessoa_juridica.data_abertura) },
    { rotulo: 'Natureza jurídica (código)', valor: pessoa_juridica.natureza_juridica },
  ]
}

/** Undefined where the holders are hidden, or all is his. */
function areaDoTitular(imoveis: readonly Imovel[], document: string): Content {
  const cotas = imoveis.flatMap((imovel) => {
    const parte = parteDe(imovel, document)
    return parte === undefined
      ? []
      : { parte, area: (imovel.area_total * parte) / 100, ativo: isAtivo(imovel) }
  })
  if (cotas.length < imoveis.length || cotas.every(({ parte }) => parte >= 100)) return undefined
  const soma = (quais: typeof cotas): string => formatHectares(sumOf(quais.map(({ area }) => area)))
  const ativas = cotas.filter(({ ativo }) => ativo)
  return ativas.length < cotas.length
    ? html`${soma(cotas)}<small>dos quais ${soma(ativas)} em imóvel ativo</small>`
    : soma(cotas)
}

/** The share of a holder, from 0 to 100; undefined where the register hides who the holders are. */
function parteDe(
  { ni_proprietario, percentual_proprietario, condominos }: Imovel,
  document: string,
): number | undefined {
  const donos = [{ ni: ni_proprietario, percentual: percentual_proprietario }, ...condominos]
  return donos.find(({ ni }) => isDele(ni, document))?.percentual
}

const isDele = (ni: string, document: string): boolean =>
  semMascara(ni) === document || isMesmaEmpresa(semMascara(ni), document)

/** Whom was asked about. */
type Titular = { document: string; nome: string }

/** More than these are a table first, and the cards stand in a fold. */
const POUCAS_FICHAS = 6
const MAIS_FICHAS = 40
const MAIS_LINHAS = 300

type Tabelada<T> = {
  titulo: string
  detalhe: string
  colunas: readonly string[]
  linhaDe: (one: T) => readonly Content[]
  fichaDe: (one: T) => Ficha
}

function emPartes<T>(
  itens: readonly T[],
  { titulo, detalhe, colunas, linhaDe, fichaDe }: Tabelada<T>,
): ParteDaResposta[] {
  if (itens.length === 0) return []
  const fichas = itens.slice(0, MAIS_FICHAS).map(fichaDe)
  if (itens.length <= POUCAS_FICHAS) return [{ titulo, fichas }]
  const linhas = itens.slice(0, MAIS_LINHAS).map(linhaDe)
  return [
    { titulo: tituloDe(titulo, linhas.length, itens.length), tabela: { colunas, linhas } },
    { titulo: tituloDe(detalhe, fichas.length, itens.length), dobrada: true, fichas },
  ]
}

const partesDosImoveis = (imoveis: readonly Imovel[], titular: Titular): ParteDaResposta[] =>
  emPartes(imoveis, {
    titulo: imoveis.length === 1 ? 'Imóvel' : 'Imóveis',
    detalhe: 'Cada imóvel em detalhe',
    colunas: ['Imóvel', 'Município', 'Área', 'CIB', 'Situação'],
    linhaDe: ({ denominacao, municipio_sede: { nome, uf }, area_total, cib, situacao }) => [
      denominacao || 'Sem nome',
      lugarDe(nome, uf),
      formatHectares(area_total),
      cib,
      semCaixaAlta(situacao),
    ],
    fichaDe: (one) => fichaDoImovel(one, titular),
  })

const tituloDe = (titulo: string, mostrados: number, todos: number): string =>
  mostrados === todos
    ? titulo
    : `${titulo}: os primeiros ${formatNumero(mostrados)} de ${formatNumero(todos)}`

const lugarDe = (municipio: string, uf: string): string =>
  [municipio, uf].filter((one) => one !== '').join(' · ')

/** `0.121.137-6`: seven digits and the one that checks them. */
const formatNirf = (nirf: string): string => nirf.replace(/^(\d)(\d{3})(\d{3})(\d)$/, '$1.$2.$3-$4')

function fichaDoImovel(imovel: Imovel, { document, nome }: Titular): Ficha {
  const { dados_tributarios: dados, municipio_sede, condominos } = imovel
  const parte = parteDe(imovel, document)
  return {
    titulo: imovel.denominacao || 'Imóvel sem nome no cadastro',
    selo: { tom: tomDo(imovel), palavra: semCaixaAlta(imovel.situacao) },
    linha: [lugarDe(municipio_sede.nome, municipio_sede.uf), formatHectares(imovel.area_total)]
      .filter((one) => one !== '')
      .join(' · '),
    fatos: ditos([
      { rotulo: 'CIB', valor: imovel.cib },
      { rotulo: 'NIRF', valor: formatNirf(imovel.nirf) },
      {
        rotulo: 'Proprietário',
        valor: donoDe({
          ni: imovel.ni_proprietario,
          nome: isDele(imovel.ni_proprietario, document) ? nome : '',
          percentual: imovel.percentual_proprietario,
        }),
      },
      { rotulo: 'Condôminos', valor: condominosDe(condominos) },
      {
        rotulo: 'Cabe a este titular',
        valor:
          parte !== undefined && parte < 100
            ? formatHectares(sumOf([(imovel.area_total * parte) / 100]))
            : '',
      },
      {
        rotulo: 'Aquisição',
        valor: [aquisicaoDe(dados.tipo_aquisicao), dataBrasileira(dados.data_aquisicao)]
          .filter((one) => one !== '')
          .join(' em '),
      },
      {
        rotulo: 'Área adquirida',
        valor: dados.area_adquirida === imovel.area_total ? '' : formatHectares(dados.area_adquirida),
      },
      {
        rotulo: 'Imunidade do ITR',
        valor: enumerate(dados.imunidades.map(({ descricao }) => semCaixaAlta(descricao))),
      },
      {
        rotulo: 'Caráter rural',
        valor: dados.indicador_descaracterizacao ? 'Descaracterizado: já não conta como rural' : '',
      },
      { rotulo: 'Decisão judicial', valor: dados.possui_decisao_judicial ? 'Há uma sobre o imóvel' : '' },
    ]),
  }
}

const tomDo = (imovel: Imovel): Tom =>
  isAtivo(imovel) ? 'bom' : /^(?:BAIXAD|CANCELAD)/.test(fold(imovel.situacao)) ? 'neutro' : 'lento'

/** The register writes without accents. */
const AQUISICOES: Readonly<Record<string, string>> = { DOACAO: 'Doação', HERANCA: 'Herança' }

const aquisicaoDe = (tipo: string): string => AQUISICOES[fold(tipo)] ?? semCaixaAlta(tipo)

const donoDe = ({ ni, nome = '', percentual }: { ni: string; nome?: string; percentual: number }): Content =>
  html`${nome !== '' && `${nome} `}<span class="inteira">${ni !== '' && `${formatDocumento(semMascara(ni))} · `}${formatParte(percentual / 100)}</span>`

const condominosDe = (condominos: Imovel['condominos']): Content =>
  condominos.length === 0 ? '' : html`<ul>${condominos.map((one) => html`<li>${donoDe(one)}</li>`)}</ul>`

type Lugar = { municipio: string; uf: string; area: number }

const MAIS_LUGARES = 60

/** The states on a map, and each municipality with its area: no register that we ask tells coordinates. */
function ondeFicam(lugares: readonly Lugar[]): ParteDaResposta[] {
  const porLugar = new Map<string, Lugar>()
  for (const { municipio, uf, area } of lugares.filter((one) => one.municipio !== '')) {
    const known = porLugar.get(`${uf} ${municipio}`)
    porLugar.set(`${uf} ${municipio}`, { municipio, uf, area: sumOf([area, known?.area ?? 0]) })
  }
  const todos = [...porLugar.values()].toSorted((a, b) => b.area - a.area)
  const total = sumOf(todos.map(({ area }) => area))
  if (todos.length === 0 || total === 0) return []
  const porUf = new Map<Uf, number>()
  for (const { uf, area } of todos) {
    const sigla = findUf(uf)
    if (sigla) porUf.set(sigla, (porUf.get(sigla) ?? 0) + area / total)
  }
  const texto = `Mapa do Brasil: ${enumerate([...porUf].map(([uf, parte]) => `${unidades[uf].nome}, ${formatParte(parte)} da área`))}`
  const mostrados = todos.slice(0, MAIS_LUGARES)
  return [
    {
      titulo: tituloDe(todos.length > 1 ? 'Onde ficam' : 'Onde fica', mostrados.length, todos.length),
      conteudo: html`<div class="onde-fica">${mapaDasPartes(porUf, texto)}<ul>${mostrados.map(
        ({ municipio, uf, area }) =>
          html`<li><span>${lugarDe(municipio, uf).replace(' · ', '\u00a0·\u00a0')}</span><b>${formatHectares(area)}</b>${todos.length > 1 && barraDeParte(area / total)}</li>`,
      )}</ul></div>${porUf.size > 1 && html`<p class="suave">Quanto mais escuro o estado, mais área nele.</p>`}`,
      creditos: CREDITOS_DO_MAPA,
    },
  ]
}

/** The answer of SIGEF: the certified parcels of a holder. */
export const apresentarSigef: Apresentar = (corpo) => {
  // Proven by the endpoint's schema.
  const resposta = trusted<RespostaConsultarSigef>(corpo)
  const { document, document_type, source_status, result, consultado_em, cached } = resposta
  if (!result)
    return semResposta(resposta, {
      // The search is work of its own, which outlives the call: only its sentence tells so.
      ...(/busca continua/.test(source_status.error_message)
        ? { tom: 'lento', veredito: 'O SIGEF ainda está respondendo' }
        : { tom: 'ruim', veredito: 'O SIGEF não respondeu' }),
      conselho: '',
    })
  const { parcelas, area_total_ha } = result
  const certificadas = parcelas.filter(({ status }) => fold(status) === 'CERTIFICADA').length
  return {
    tom: parcelas.length === 0 ? 'neutro' : certificadas === parcelas.length ? 'bom' : 'nota',
    veredito: vereditoDasParcelas(parcelas.length, certificadas, area_total_ha),
    nome: detentorDe(parcelas),
    frase: fraseDasParcelas(parcelas.length, certificadas, document_type),
    fatos: ditos([
      { rotulo: nomeDoTipo[document_type], valor: formatDocumento(document) },
      {
        rotulo: parcelas.length === 1 ? 'Certificada' : 'Certificadas',
        valor: parcelas.length === 0 ? '' : periodoDe(parcelas),
      },
    ]),
    partes: [
      ...ondeFicam(parcelas.map(({ municipio, uf, area_ha }) => ({ municipio, uf, area: area_ha }))),
      ...partesDasParcelas(parcelas),
    ],
    respondido: { quem: 'SIGEF, do INCRA', em: consultado_em, guardada: cached },
  }
}

function vereditoDasParcelas(todas: number, certificadas: number, area: number): string {
  if (todas === 0) return 'Nenhuma parcela certificada'
  if (certificadas === todas)
    return `${countOf(todas, 'parcela certificada', 'parcelas certificadas')}, ${formatHectares(area)}`
  return `${countOf(todas, 'parcela', 'parcelas')}, ${countOf(certificadas, 'certificada', 'certificadas')}, ${formatHectares(area)}`
}

function fraseDasParcelas(todas: number, certificadas: number, tipo: 'cpf' | 'cnpj'): string {
  if (todas === 0)
    return `O SIGEF não mostra parcela certificada em nome deste ${nomeDoTipo[tipo]}; as do histórico não contam. Se o imóvel já foi georreferenciado, pergunte pelo documento de quem está na matrícula.`
  if (certificadas < todas)
    return 'Veja abaixo as que não estão certificadas: a área total inclui todas. Antes de um registro, confira as matrículas no cartório.'
  if (todas === 1)
    return 'A área é a do georreferenciamento. Antes de um registro, confira a matrícula no cartório.'
  return 'As áreas são as do georreferenciamento. Antes de um registro, confira cada matrícula no cartório.'
}

/** The one name that stands on all parcels; empty where there are several such, or none. */
function detentorDe(parcelas: readonly Parcela[]): string {
  const listas = parcelas.map(({ detentor }) => detentor.split('; '))
  const comuns = (listas[0] ?? []).filter((nome) => listas.every((lista) => lista.includes(nome)))
  return comuns.length === 1 ? (comuns[0] ?? '') : ''
}

function periodoDe(parcelas: readonly Parcela[]): string {
  const dias = parcelas.map(({ data_certificacao }) => data_certificacao).filter((dia) => dia !== '')
  const [de = '', ate = de] = [dias.toSorted()[0], dias.toSorted().at(-1)]
  if (de === '') return ''
  return de === ate ? `em ${dataBrasileira(de)}` : `de ${dataBrasileira(de)} a ${dataBrasileira(ate)}`
}

const partesDasParcelas = (parcelas: readonly Parcela[]): ParteDaResposta[] =>
  emPartes(parcelas, {
    titulo: parcelas.length === 1 ? 'Parcela' : 'Parcelas',
    detalhe: 'Cada parcela em detalhe',
    colunas: ['Parcela', 'Município', 'Área', 'Número da matrícula'],
    linhaDe: ({ denominacao, municipio, uf, area_ha, matricula }) => [
      denominacao || 'Sem nome',
      lugarDe(municipio, uf),
      formatHectares(area_ha),
      matricula.replace(/\s*;\s*/g, ', '),
    ],
    fichaDe: fichaDaParcela,
  })

const fichaDaParcela = (parcela: Parcela): Ficha => ({
  titulo: parcela.denominacao || 'Parcela sem nome',
  selo: {
    tom: fold(parcela.status) === 'CERTIFICADA' ? 'bom' : 'nota',
    palavra: semCaixaAlta(parcela.status) || 'Sem situação',
  },
  linha: `${lugarDe(parcela.municipio, parcela.uf)} · ${formatHectares(parcela.area_ha)}`,
  fatos: ditos([
    { rotulo: 'Certificada em', valor: dataBrasileira(parcela.data_certificacao) },
    {
      rotulo: /;| e /.test(parcela.matricula) ? 'Números das matrículas' : 'Número da matrícula',
      valor: parcela.matricula.replace(/\s*;\s*/g, ', '),
    },
    { rotulo: 'Natureza', valor: semCaixaAlta(parcela.natureza) },
    {
      rotulo: parcela.detentor.includes('; ') ? 'Detentores' : 'Detentor',
      valor: parcela.detentor.split('; ').join(', '),
    },
    { rotulo: 'Código no SIGEF', valor: copiavel(parcela.codigo_parcela) },
  ]),
})
