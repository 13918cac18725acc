import { chaveDe, descer, lerArvore } from '../nota/arvore.ts'
import type { Corrigido, Emenda, Suspeita } from '../rules-laudo.ts'
import { rotuloDe } from '../textos.ts'
import { aplicarEmendas } from './emendas.ts'
import { type Exame, examinar, type MeiosDoExame } from './exame.ts'
import { codificacaoDeclarada, listarSuspeitas, suspeitasDaForma } from './suspeitas.ts'

/** A value is cut here in a sentence: the mend has it whole. */
const MAIOR_VALOR = 60

/** How many places of one rejection a sentence names. */
const LUGARES = 3

/**
 * The file that a client may sign and send again: the note with its certain mends. Undefined where there is
 * none, and where the note is authorised: what the authority has received cannot be sent again.
 */
export function corrigir(
  { nota, autorizacao }: Exame,
  { emendas, suspeitas }: { emendas: readonly Emenda[]; suspeitas: readonly Suspeita[] },
  meios: MeiosDoExame,
): Corrigido | undefined {
  if (emendas.length === 0 || autorizacao.situacao !== 'nenhuma') return undefined
  const formas: string[] = []
  const emendado = emUtf8(aplicarEmendas(nota.xml, nota.nfe, emendas), formas)
  const xml = semAssinatura(emendado, formas)
  if (nota.envelope !== undefined)
    formas.push(`O envelope ${nota.envelope} foi retirado: o arquivo traz só a nota (NFe).`)
  const depois = examinar(xml, meios)
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
  const nfe = lerArvore(xml).filhos.find(({ nome }) => nome === 'NFe')
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

/** The screen's word for a field, and its path. */
function dito(caminho: string): string {
  const rotulo = rotuloDe(caminho)
  return rotulo === undefined ? caminho : `${rotulo} (${caminho})`
}

const cortado = (valor: string): string =>
  valor.length > MAIOR_VALOR ? `${valor.slice(0, MAIOR_VALOR).toWellFormed()}…` : valor

type DeAntes = { emendas: readonly Emenda[]; suspeitas: readonly Suspeita[] }

/** What is left to do with the mended note. */
function faltaEm(depois: Exame, antes: DeAntes, { verificadores: { porCodigo } }: MeiosDoExame): string[] {
  const { nota, conferencia } = depois
  const restantes = listarSuspeitas(depois, suspeitasDaForma(nota.xml, depois, porCodigo), porCodigo)
  const informada = antes.suspeitas.filter(({ origem }) => origem === 'informado')
  return [
    ...[...restantes, ...informada].map(corrija),
    ...(conferencia.incompleta
      ? ['Confira este arquivo de novo antes de assinar: pode haver mais erros de esquema.']
      : []),
    ...(isQrCodeAntigo(depois, antes.emendas)
      ? ['Gere de novo o QR Code (infNFeSupl): o que está no arquivo é o da nota de antes.']
      : []),
    'Assine o XML com o certificado digital do emitente.',
    'Transmita a nota assinada à SEFAZ.',
  ]
}

function corrija({ codigo, titulo, origem, aplicacao, ocorrencias }: Suspeita): string {
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
  const isDaContingencia = descer(infNFe, 'ide/tpEmis')?.texto === '9'
  return isDaContingencia || emendas.some(({ caminho }) => caminho === '@Id')
}
