import { formatDocumento } from '../../documento/documento.ts'
import { type Fato, type Ficha, type ParteDaResposta, textOf } from '../../platform/pages/apresentacao.ts'
import { countOf } from '../../platform/pages/formatos.ts'
import { toWinAnsi } from '../../portal/certidao-resposta.ts'
import type { Dossie, SecaoDoDossie } from './montagem.ts'
import {
  ditoDasComparacoes,
  ditoDosFora,
  formatMinuto,
  gruposDe,
  origemDe,
  RESSALVA,
  seloDoResumo,
  tituloNoEstado,
} from './pagina.ts'

const MARGIN = 48
const BOTTOM = 64
const WIDTH = 595.28 - 2 * MARGIN
const TEXT = '#16202b'
const SOFT = '#55616f'
const LINE = '#d5dbe1'
const COLOURS = {
  bom: '#0b6e4f',
  nota: '#174f8c',
  lento: '#6b5200',
  ruim: '#97201c',
  neutro: '#46525f',
} as const

/** Writes the same dossier as a paper: A4, each page with what it is, of whom, and its number. */
export async function writePapel(
  dossie: Dossie,
  { agora, simulador }: { agora: Date; simulador: boolean },
): Promise<Buffer> {
  // Loading takes 70 ms, and most processes never print.
  const { default: PDFDocument } = await import('pdfkit')
  const titulo = `Dossiê de ${dossie.nome || formatDocumento(dossie.documento)}`
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: BOTTOM, left: MARGIN, right: MARGIN },
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: titulo, Producer: 'Consulta Fiscal', CreationDate: agora },
  })
  const chunks: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.on('end', () => resolve(Buffer.concat(chunks)))
  doc.on('error', reject)
  writeCorpo(doc, dossie, agora)
  const { start, count } = doc.bufferedPageRange()
  const marca = `${simulador ? 'SIMULADOR: nada aqui é real. ' : ''}${RESSALVA}`
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Text below the margin would begin another page.
    doc.page.margins.bottom = 0
    const at = { width: WIDTH, lineBreak: true }
    doc.font('Helvetica').fontSize(7).fillColor(SOFT)
    doc.text(toWinAnsi(marca), MARGIN, doc.page.height - BOTTOM + 14, at)
    doc.text(
      toWinAnsi(`${titulo} · página ${page + 1} de ${count}`),
      MARGIN,
      doc.page.height - BOTTOM + 34,
      at,
    )
  }
  doc.end()
  return promise
}

type Papel = PDFKit.PDFDocument

function writeCorpo(doc: Papel, dossie: Dossie, agora: Date): void {
  const { documento, nome, feitoEm, creditos, secoes } = dossie
  say(doc, `Dossiê ${documento.length === 11 ? 'do produtor' : 'da empresa'}`, {
    size: 9,
    color: SOFT,
    gap: 3,
  })
  say(doc, nome || 'Sem nome nos cadastros', { size: 18, bold: true, gap: 3 })
  say(
    doc,
    `${formatDocumento(documento)} · feito em ${formatMinuto(feitoEm)} (Brasília) · ${countOf(creditos, 'crédito', 'créditos')}`,
    { size: 9, color: SOFT, gap: 10 },
  )
  heading(doc, 'Em resumo')
  table(
    doc,
    ['Consulta', 'O que se achou', 'Quem respondeu, e quando', 'Créditos'],
    [
      ...secoes.map((secao) => [
        secao.titulo,
        seloDoResumo(secao, agora).palavra + ditoDosFora(secao).replace(' ', ' · '),
        origemDe(secao, agora),
        String(secao.cobrados),
      ]),
    ],
    secoes.map((secao) => COLOURS[seloDoResumo(secao, agora).tom]),
  )
  writeDivergencias(doc, dossie)
  for (const secao of secoes) writeSecao(doc, secao, agora)
}

function writeDivergencias(doc: Papel, dossie: Dossie): void {
  const { titulo, frase } = ditoDasComparacoes(dossie)
  heading(doc, titulo)
  say(doc, frase)
  for (const { campo, frase, ditos } of dossie.divergencias) {
    say(doc, campo, { bold: true })
    say(doc, frase)
    facts(
      doc,
      ditos.map(({ fonte, dito }) => ({ rotulo: fonte, valor: dito })),
    )
  }
}

function writeSecao(doc: Papel, secao: SecaoDoDossie, agora: Date): void {
  const { tom, veredito, frase, fatos, partes, porEstado } = secao.apresentacao
  heading(doc, secao.titulo)
  say(doc, origemDe(secao, agora), { size: 8, color: SOFT, gap: 4 })
  say(doc, veredito, { size: 13, bold: true, color: COLOURS[tom] })
  say(doc, textOf(frase), { gap: 4 })
  facts(doc, fatos)
  for (const parte of partes) writeParte(doc, parte)
  for (const { uf, fichas } of porEstado ?? []) {
    for (const ficha of fichas) writeFicha(doc, { ...ficha, titulo: tituloNoEstado(uf, ficha) })
  }
  for (const { titulo, texto, motivos } of gruposDe(porEstado ?? [])) {
    say(doc, `${titulo} ${texto}`)
    for (const motivo of motivos) say(doc, `– ${motivo}`, { size: 8, color: SOFT })
  }
}

function writeParte(doc: Papel, parte: ParteDaResposta): void {
  doc.y += 5
  say(doc, parte.titulo, { bold: true, size: 11, gap: 2 })
  if ('fatos' in parte) facts(doc, parte.fatos)
  else if ('fichas' in parte) for (const ficha of parte.fichas) writeFicha(doc, ficha)
  else if ('tabela' in parte)
    table(
      doc,
      parte.tabela.colunas,
      parte.tabela.linhas.map((linha) => linha.map(textOf)),
    )
  else say(doc, textOf(parte.conteudo), { gap: 4 })
}

function writeFicha(doc: Papel, { titulo, selo, linha, fatos }: Ficha): void {
  const nome = textOf(titulo)
  say(doc, selo && selo.palavra !== nome ? `${nome} · ${selo.palavra}` : nome, { bold: true, gap: 2 })
  if (linha !== undefined) say(doc, textOf(linha), { size: 8, color: SOFT })
  facts(doc, fatos)
}

type Letra = { size?: number; bold?: boolean; color?: string; gap?: number }

function say(doc: Papel, text: string, { size = 9, bold = false, color = TEXT, gap = 1 }: Letra = {}): void {
  if (text === '') return
  doc
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(color)
  // A heading does not stand alone at the foot of a page.
  if (bold) makeRoom(doc, size * 4)
  doc.text(toWinAnsi(text), MARGIN, doc.y, { width: WIDTH, paragraphGap: gap })
}

const floorOf = (doc: Papel): number => doc.page.height - BOTTOM

function makeRoom(doc: Papel, height: number): void {
  if (doc.y + height > floorOf(doc)) doc.addPage()
}

function ruler(doc: Papel, width: number): void {
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + WIDTH, doc.y)
    .lineWidth(width)
    .strokeColor(LINE)
    .stroke()
}

function heading(doc: Papel, text: string): void {
  makeRoom(doc, 90)
  doc.y += 12
  ruler(doc, 0.6)
  doc.y += 8
  say(doc, text, { size: 12, bold: true, gap: 2 })
}

const LABEL = 132

/** A label and its value a line: the value may take several. */
function facts(doc: Papel, fatos: readonly Fato[]): void {
  for (const { rotulo, valor } of fatos)
    row(doc, [
      { text: rotulo, width: LABEL, color: SOFT },
      { text: textOf(valor), width: WIDTH - LABEL },
    ])
  if (fatos.length > 0) doc.y += 4
}

const SMALL = 8.5

type Celula = { text: string; width: number; size?: number; color?: string }

function row(doc: Papel, cells: readonly Celula[]): void {
  const styled = ({ size = SMALL, color = TEXT }: Celula) =>
    doc.font('Helvetica').fontSize(size).fillColor(color)
  const heights = cells.map((cell) =>
    styled(cell).heightOfString(toWinAnsi(cell.text) || ' ', { width: cell.width - GAP }),
  )
  const height = Math.min(Math.max(...heights), floorOf(doc) - MARGIN)
  makeRoom(doc, height)
  const top = doc.y
  let left = MARGIN
  for (const cell of cells) {
    styled(cell).text(toWinAnsi(cell.text), left, top, { width: cell.width - GAP, height, ellipsis: true })
    left += cell.width
  }
  doc.y = top + height + 2
  doc.x = MARGIN
}

const GAP = 8

/** A column has room for its longest word, and of what is left as much as its longest text wants. */
function table(
  doc: Papel,
  colunas: readonly string[],
  linhas: readonly (readonly string[])[],
  /** Of the second cell of each line, which is the verdict of a summary. */
  cores: readonly string[] = [],
): void {
  const size = colunas.length > 6 ? 7 : SMALL
  doc.font('Helvetica').fontSize(size)
  const wideOf = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => doc.widthOfString(toWinAnsi(text)))) + GAP + 1
  const wanted = colunas.map((coluna, at) => {
    const texts = [coluna, ...linhas.map((linha) => linha[at] ?? '')]
    const word = wideOf(texts.flatMap((text) => text.split(' ')))
    return { word, more: Math.min(wideOf(texts), WIDTH / 2) - word }
  })
  const sumOf = (of: 'word' | 'more'): number => wanted.reduce((sum, one) => sum + Math.max(0, one[of]), 0)
  const words = sumOf('word')
  const left = Math.max(0, WIDTH - words)
  const scale = Math.min(1, WIDTH / words)
  const widths = wanted.map(
    ({ word, more }) => word * scale + (left * (Math.max(0, more) + 1)) / (sumOf('more') + wanted.length),
  )
  const cellsOf = (texts: readonly string[], more: Partial<Celula> = {}): Celula[] =>
    texts.map((text, at) => ({ text, width: widths[at] ?? 0, size, ...more }))
  row(doc, cellsOf(colunas, { color: SOFT }))
  for (const [at, linha] of linhas.entries()) {
    ruler(doc, 0.4)
    doc.y += 3
    const color = cores[at] ?? TEXT
    row(
      doc,
      cellsOf(linha).map((cell, coluna) => (coluna === 1 ? { ...cell, color } : cell)),
    )
  }
  doc.y += 6
}
