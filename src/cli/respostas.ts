import { dataBrasileira } from '../documento/dia.ts'
import {
  type Apresentacao,
  type EstadoApresentado,
  type Fato,
  type Ficha,
  linesOf,
  type ParteDaResposta,
  porMotivo,
  type Tom,
  textOf,
} from '../platform/pages/apresentacao.ts'
import { formatInstante, haQuanto } from '../platform/pages/formatos.ts'
import { drawFacts, drawTable, paint, type Tinta, wrap } from '../platform/terminal.ts'

const tintas: Readonly<Record<Tom, Tinta>> = {
  bom: 'bom',
  nota: 'nota',
  lento: 'nota',
  ruim: 'ruim',
  neutro: 'suave',
}

const blocks = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

const section = (title: string, text: string): string => `${paint(wrap(title), 'forte')}\n${text}`

export type DeUmEstado = (uf: string) => readonly string[]

/** What the answer itself does not tell. */
export type AoLado = {
  consulta: string
  custo: readonly string[]
  deUmEstado: DeUmEstado | undefined
  agora: Date
}

/** An answer at a terminal: what a page of it says, in the same words, the verdict first. */
export function drawApresentacao(dita: Apresentacao, { consulta, custo, deUmEstado, agora }: AoLado): string {
  const { tom, veredito, nome, onde, frase, validade, respondido, porEstado = [] } = dita
  const verdict = [
    paint(paint(veredito, tintas[tom]), 'forte'),
    ...(validade ? [`válida até ${dataBrasileira(validade.dia)}`] : []),
    ...custo,
    ...(respondido?.guardada ? [`guardada ${haQuanto(respondido.em, agora)}`] : []),
  ]
  const head = [
    wrap(verdict.join(' · ')),
    paint(wrap([consulta, onde, nome].filter(Boolean).join(' · ')), 'suave'),
    ...linesOf(frase).map((line) => wrap(line)),
  ]
  return blocks(
    head.filter((line) => line !== '').join('\n'),
    drawFatos([...dita.fatos, ...deQuem(dita)]),
    drawEstados(porEstado, deUmEstado),
    ...dita.partes.map(drawParte),
  )
}

const deQuem = ({ respondido, conferencia }: Apresentacao): Fato[] => [
  ...(respondido && respondido.em !== ''
    ? [{ rotulo: 'Respondeu', valor: `${respondido.quem}, ${formatInstante(new Date(respondido.em))}` }]
    : []),
  ...(conferencia ? [{ rotulo: 'Confira em', valor: `${conferencia.endereco} (${conferencia.nome})` }] : []),
]

const drawFatos = (fatos: readonly Fato[]): string =>
  drawFacts(fatos.map(({ rotulo, valor }) => [rotulo, linesOf(valor).join('\n')]))

const drawSelo = ({ tom, palavra }: NonNullable<Ficha['selo']>): string => paint(palavra, tintas[tom])

function drawFicha({ titulo, selo, linha, fatos }: Ficha, antes: string): string {
  const nome = [antes, textOf(titulo)].filter((one) => one !== '' && one !== selo?.palavra).join(' ')
  return [
    wrap([nome && paint(nome, 'forte'), selo && drawSelo(selo)].filter(Boolean).join(' · ')),
    paint(wrap(textOf(linha)), 'suave'),
    drawFatos(fatos),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** `1.200,5718 ha`. */
const QUANTIDADE = /^[\d.,]+ \S+$/

function drawParte(parte: ParteDaResposta): string {
  const { titulo, dobrada } = parte
  if ('fatos' in parte) return section(titulo, drawFatos(parte.fatos))
  if ('conteudo' in parte)
    return section(
      titulo,
      linesOf(parte.conteudo)
        .map((line) => wrap(line, 2))
        .join('\n'),
    )
  // The table above has them in short.
  if ('fichas' in parte)
    return dobrada
      ? paint(wrap(`${titulo}: com --json.`), 'suave')
      : section(titulo, blocks(...parte.fichas.map((ficha) => drawFicha(ficha, ''))))
  const linhas = parte.tabela.linhas.map((linha) => linha.map(textOf))
  const colunas = parte.tabela.colunas.map((coluna, at) =>
    linhas.every((linha) => QUANTIDADE.test(linha[at] ?? '')) ? ([coluna, 'right'] as const) : coluna,
  )
  return section(titulo, drawTable(colunas, linhas))
}

/** More than these are a table, in which a card is a line with these facts of it. */
const POUCAS_FICHAS = 3
const NA_TABELA = ['Nome', 'Município', 'Número da certidão']

/** All states: what was found first, then what failed, what cannot be asked, and where there is nothing. */
function drawEstados(estados: readonly EstadoApresentado[], deUmEstado: DeUmEstado = () => []): string {
  const of = (desfecho: EstadoApresentado['desfecho']) => estados.filter((one) => one.desfecho === desfecho)
  const achados = [...of('achado'), ...of('pendencia')].flatMap(fichasDe)
  const isMany = achados.length > POUCAS_FICHAS
  const [falhas, fora] = [of('falhou'), of('nao_conectado')]
  const deNovo =
    falhas.length === 1
      ? 'Perguntar de novo só a este:'
      : `Perguntar de novo só a estes, um por vez: ${siglasDe(falhas)}`
  return blocks(
    isMany ? drawAchados(achados) : blocks(...achados.map(({ uf, ficha }) => drawFicha(ficha, uf))),
    isMany ? comandos('Tudo o que um estado disse:', deUmEstado(achados[0]?.uf ?? '')) : '',
    falhas.length > 0 ? section(`Falharam (${falhas.length}), sem custo`, motivosDe(falhas)) : '',
    falhas.length > 0 ? comandos(deNovo, deUmEstado(falhas[0]?.uf ?? '')) : '',
    fora.length > 0
      ? section(`Não consultáveis (${fora.length}), sem custo`, paint(motivosDe(fora), 'suave'))
      : '',
    ...[...Map.groupBy(of('nada'), ({ palavra }) => palavra || 'Sem resultado')].map(([palavra, own]) =>
      paint(wrap(`${palavra} (${own.length}): ${siglasDe(own)}`), 'suave'),
    ),
  )
}

const siglasDe = (estados: readonly { uf: string }[]): string => estados.map(({ uf }) => uf).join(', ')

const comandos = (antes: string, comandos: readonly string[]): string =>
  comandos.length === 0 ? '' : [wrap(antes), ...comandos.map((comando) => `  ${wrap(comando, 4)}`)].join('\n')

type Achado = { uf: string; ficha: Ficha; ate: string }

const fichasDe = ({ uf, fichas, validade }: EstadoApresentado): Achado[] =>
  fichas.map((ficha) => ({ uf, ficha, ate: validade ? dataBrasileira(validade.dia) : '' }))

function drawAchados(achados: readonly Achado[]): string {
  const colunas = ['UF', 'Inscrição', 'Situação', 'Válida até', ...NA_TABELA]
  const linhas = achados.map(({ uf, ate, ficha: { titulo, selo, fatos } }) => [
    uf,
    textOf(titulo) === selo?.palavra ? '' : textOf(titulo),
    selo ? drawSelo(selo) : '',
    ate,
    ...NA_TABELA.map((label) => textOf(fatos.find(({ rotulo }) => rotulo === label)?.valor)),
  ])
  const isTold = (at: number): boolean => linhas.some((linha) => linha[at] !== '')
  return drawTable(
    colunas.filter((_, at) => isTold(at)),
    linhas.map((linha) => linha.filter((_, at) => isTold(at))),
  )
}

/** Each reason once, with the states that gave it: a fall of many is one line. */
const motivosDe = (estados: readonly EstadoApresentado[]): string =>
  porMotivo(estados)
    .map(([motivo, own]) => wrap(`${siglasDe(own)}  ${motivo}`, 4))
    .join('\n')
