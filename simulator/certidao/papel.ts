import { readFileSync } from 'node:fs'
import { dataBrasileira, maskDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import { contribuinteComportado } from '../mundo/efeito.ts'
import { writePagina } from '../platform/soap.ts'
import { escapeXml } from '../platform/xml.ts'
import type { Certidao } from './certidao.ts'

type PorDesfecho = { negativa: string; positiva: string; efeitos: string }

/** `# ` begins a centred bold line, `- ` a small one; a line with an empty name in braces is left out. */
type Modelo = {
  origem: string
  titulo: PorDesfecho
  texto: PorDesfecho
  /** `{documento}` is masked, `{algarismos}` is not; `{naoInscrito}` (MA) and `{rg}` (AP) are for strangers. */
  linhas: readonly string[]
}

export const modelos: Readonly<Record<Uf, Modelo>> = JSON.parse(
  readFileSync(new URL('./modelos.json', import.meta.url), 'utf8'),
)

/** The lines of the state's layout, filled in; `# ` and `- ` say how they look. */
export function linhasDe(certidao: Certidao): string[] {
  const { linhas, titulo, texto } = modelos[certidao.uf]
  const { desfecho, documento, emissao, validade, tipoDocumento, nome, inscricao } = certidao
  // A state that certifies anybody gives a negative certificate to those who are not registered.
  const noPapel = desfecho === 'positiva' || desfecho === 'efeitos' ? desfecho : 'negativa'
  const valores = new Map(
    Object.entries({
      ...certidao,
      titulo: titulo[noPapel],
      sigla: noPapel === 'efeitos' ? 'CPEND' : 'CND',
      tipo: tipoDocumento.toUpperCase(),
      documento: maskDocumento(documento),
      algarismos: documento,
      emissao: dataBrasileira(emissao),
      validade: dataBrasileira(validade),
      minuto: certidao.hora.slice(0, 5),
      extenso: porExtenso(emissao),
      validadePorExtenso: porExtenso(validade).toLowerCase().replace(/^\d+/, '$& de'),
      rg: nome || inscricao ? '' : '-',
      naoInscrito: nome || inscricao ? '' : 'CPF/CNPJ não inscrito no cadastro de contribuintes do ICMS.',
    }),
  )
  const completo = valores.set('texto', fill(texto[noPapel], valores) ?? '')
  return linhas.flatMap((linha) => fill(linha, completo) ?? [])
}

/** Undefined when one of the names has nothing to fill it. */
function fill(linha: string, valores: ReadonlyMap<string, string>): string | undefined {
  let completa = true
  const cheia = linha.replace(/\{(\w+)\}/g, (_, nome: string) => {
    const valor = valores.get(nome) ?? ''
    completa &&= valor !== ''
    return valor
  })
  return completa ? cheia : undefined
}

const MESES =
  'JANEIRO FEVEREIRO MARÇO ABRIL MAIO JUNHO JULHO AGOSTO SETEMBRO OUTUBRO NOVEMBRO DEZEMBRO'.split(' ')

function porExtenso(data: string): string {
  const [ano, mes, dia] = data.split('-')
  return `${Number(dia)} ${MESES[Number(mes) - 1] ?? ''} DE ${ano}`
}

/** A new PDF on A4, dated as the certificate, and its octets once it has ended. */
export async function openPdf({ emissao, hora }: { emissao: string; hora: string }, margin: number) {
  // Loaded with the first certificate: that takes 70 ms, and many lives of the simulator print none.
  const { default: PDFDocument } = await import('pdfkit')
  const criada = new Date(`${emissao}T${hora}-03:00`)
  const papel = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: 'Certidão', Producer: 'Simulador', Creator: 'Simulador', CreationDate: criada },
  })
  const pedacos: Buffer[] = []
  const feito = new Promise<Buffer>((resolve, reject) => {
    papel.on('data', (pedaco: Buffer) => pedacos.push(pedaco))
    papel.on('end', () => resolve(Buffer.concat(pedacos)))
    papel.on('error', reject)
  })
  return { papel, feito }
}

/** One page, of whichever outcome, also those that states do not print. */
async function writePdf(certidao: Certidao): Promise<Buffer> {
  const { papel, feito } = await openPdf(certidao, 56)
  for (const linha of linhasDe(certidao)) {
    if (linha.startsWith('# '))
      papel.font('Helvetica-Bold').fontSize(11).text(linha.slice(2), { align: 'center' })
    else if (linha.startsWith('- ')) papel.font('Helvetica').fontSize(7).text(linha.slice(2))
    else papel.font('Helvetica').fontSize(10).text(linha)
    papel.moveDown(0.4)
  }
  papel.end()
  return feito
}

export async function octetosDoPdf(certidao: Certidao): Promise<Buffer> {
  switch (certidao.papel) {
    case 'html':
      return writePagina(200, 'Erro', 'Ocorreu um erro na geração do documento.').corpo
    case 'corrompido': {
      const pdf = await writePdf(certidao)
      return Buffer.concat([pdf.subarray(0, 200), Buffer.alloc(300)])
    }
    case 'outro':
      return writePdf(deOutro(certidao))
    case 'certo':
      return writePdf(certidao)
  }
}

export function corpoDaCertidao(certidao: Certidao): string {
  switch (certidao.papel) {
    case 'html':
      return '<h2>Erro</h2><h3>Ocorreu um erro na geração do documento.</h3>'
    case 'corrompido': {
      const html = writeHtmlDaCertidao(certidao)
      return html.slice(0, html.length / 2)
    }
    case 'outro':
      return writeHtmlDaCertidao(deOutro(certidao))
    case 'certo':
      return writeHtmlDaCertidao(certidao)
  }
}

function deOutro(certidao: Certidao): Certidao {
  const { inscricoes } = contribuinteComportado(OUTRO_DOCUMENTO, certidao.uf)
  return { ...certidao, documento: OUTRO_DOCUMENTO, inscricao: inscricoes[0]?.ie ?? '' }
}

function writeHtmlDaCertidao(certidao: Certidao): string {
  const linhas = linhasDe(certidao).map((linha) => {
    if (linha.startsWith('# ')) return `<center><b>${escapeXml(linha.slice(2))}</b></center>`
    if (linha.startsWith('- ')) return `<p><small>${escapeXml(linha.slice(2))}</small></p>`
    return `<p>${escapeXml(linha)}</p>`
  })
  return `<div class="certidao">${linhas.join('\n')}</div>`
}
