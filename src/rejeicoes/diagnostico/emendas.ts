import { chaveDosCampos } from '../../documento/chave.ts'
import { isCnpj, isCpf } from '../../documento/documento.ts'
import { caminhoDe, descend, type Elemento, escapeXml, findLugar, readArvore } from '../arvore.ts'
import type { Queixa, ValorErrado } from '../esquema/conferencia.ts'
import type { Defeito } from '../esquema/estrutura.ts'
import type { Condicao, Numero } from '../rules.ts'
import type { Emenda } from '../rules-laudo.ts'
import { type Contexto, createCaminhos, createCena } from '../verificacoes/caminho.ts'
import { lugarDe } from '../verificacoes/campos.ts'
import { compileCondicao } from '../verificacoes/condicao.ts'
import { compileNumero, formatDecimal } from '../verificacoes/valores.ts'
import { type Exame, examine, type MeiosDoExame, type Verificadores } from './exame.ts'

const CAMPOS = ['cUF', 'dhEmi', 'mod', 'serie', 'nNF', 'tpEmis', 'cNF'].map((campo) => `ide/${campo}`)

/** Mends of the key: it is made of fields, so it is certain where they are. */
function emendasDaChave({ erros, achados, nota: { infNFe } }: Exame): Emenda[] {
  const errados = new Set(erros.map(({ caminho }) => caminho))
  const isRuim =
    errados.has('@Id') ||
    errados.has('ide/cDV') ||
    achados.some(({ codigo, resultado }) => (codigo === 502 || codigo === 253) && resultado === 'falha')
  const read = (caminho: string): string => descend(infNFe, caminho)?.texto ?? ''
  if (!isRuim || CAMPOS.some((campo) => errados.has(campo) || read(campo) === '')) return []
  const certa = buildChave(read)
  if (!certa) return []
  const { Id = '' } = infNFe.atributos
  const cDV = read('ide/cDV')
  const digito = certa.slice(43)
  return [
    ...(Id && Id !== `NFe${certa}` ? [replace('@Id', Id, `NFe${certa}`, 502)] : []),
    ...(cDV && cDV !== digito ? [replace('ide/cDV', cDV, digito, 253)] : []),
  ]
}

function buildChave(read: (caminho: string) => string): string | undefined {
  const serie = Number(read('ide/serie'))
  // The tax office's own key is that of its CNPJ, not the issuer's.
  if (serie >= 890 && serie <= 899) return undefined
  const [cnpj, cpf] = [read('emit/CNPJ'), read('emit/CPF')]
  const documento = isCnpj(cnpj) && !cpf ? cnpj : isCpf(cpf) && !cnpj ? cpf : undefined
  return documento && chaveDosCampos(read, documento)
}

const replace = (caminho: string, de: string, para: string, codigo: number): Emenda => ({
  caminho,
  acao: 'trocar',
  de,
  para,
  motivo: 'A chave de acesso é montada com os campos da nota, e o último algarismo é calculado.',
  codigo,
})

const ESQUEMA = 225

/** How many moves are proposed. Each looks for its place among its siblings. */
const MOVIDOS = 100

function emendasDoEsquema({ conferencia: { valores, defeitos } }: Exame): Emenda[] {
  const estranhos = new Set(
    defeitos.flatMap((defeito) => (defeito.tipo === 'fora-de-ordem' ? [] : paiDe(defeito))),
  )
  const ordem = defeitos
    .flatMap((defeito) =>
      defeito.tipo === 'fora-de-ordem' && defeito.elemento.pai && !estranhos.has(defeito.elemento.pai)
        ? [defeito]
        : [],
    )
    .slice(0, MOVIDOS)
    .map(move)
  return [...ordem, ...valores.flatMap(trim)]
}

const paiDe = (defeito: Defeito): Elemento[] => {
  const pai = defeito.tipo === 'falta' ? defeito.pai : defeito.elemento.pai
  return pai ? [pai] : []
}

function move({ elemento, antesDe }: Defeito & { tipo: 'fora-de-ordem' }): Emenda {
  const seguinte = elemento.pai?.filhos.find(({ nome }) => nome === antesDe)
  return {
    caminho: lugarDe(elemento),
    acao: 'mover',
    de: null,
    para: seguinte ? lugarDe(seguinte) : null,
    motivo: `O leiaute fixa a ordem dos campos: ${elemento.nome} vem ${antesDe ? `antes de ${antesDe}` : 'por último'}.`,
    codigo: ESQUEMA,
  }
}

function trim({ elemento, atributo, queixas }: ValorErrado): Emenda[] {
  const valor = atributo ? (elemento.atributos[atributo] ?? '') : elemento.texto
  const limpo = valor.trim()
  if (limpo === valor || limpo === '' || !queixas.every((queixa) => accepts(queixa, limpo))) return []
  return [
    {
      caminho: caminhoDe(elemento, atributo),
      acao: 'trocar',
      de: valor,
      para: limpo,
      motivo: 'Sem o espaço ou a quebra de linha no começo ou no fim, o esquema aceita o valor.',
      codigo: ESQUEMA,
    },
  ]
}

function accepts(queixa: Queixa, valor: string): boolean {
  const { length } = [...valor]
  switch (queixa.tipo) {
    case 'padrao':
      return new RegExp(`^(?:${queixa.padrao})$`).test(valor)
    case 'lista':
      return queixa.valores.includes(valor)
    case 'tamanho':
      if (queixa.faceta === 'maxLength') return length <= Number(queixa.limite)
      return queixa.faceta === 'minLength'
        ? length >= Number(queixa.limite)
        : length === Number(queixa.limite)
    default:
      return false
  }
}

type Calculo = { caminho: string; calculos: Numero[] }

/** Where the rule allows several ways to compute the total, all of them. */
function comparacaoDoTotal(regra: Condicao): Calculo | undefined {
  if ('ou' in regra) {
    const partes = regra.ou.map(comparacaoDoTotal)
    const [primeira] = partes
    if (!primeira || partes.some((parte) => parte?.caminho !== primeira.caminho)) return undefined
    return { caminho: primeira.caminho, calculos: partes.flatMap((parte) => parte?.calculos ?? []) }
  }
  if (!('fecha' in regra)) return undefined
  const [total, calculo] = regra.fecha
  if (typeof total === 'string' || !('v' in total) || !total.v.startsWith('total/')) return undefined
  return { caminho: total.v, calculos: [calculo] }
}

/** Mends of totals that differ from what their items add up to. None while an item itself is in doubt. */
function emendasDoTotal(exame: Exame, { porId }: Verificadores, contexto: Contexto): Emenda[] {
  const falhas = exame.achados.filter(({ resultado }) => resultado === 'falha')
  const isDoItem = (caminho: string): boolean => caminho.startsWith('det')
  if (exame.erros.some(({ caminho }) => isDoItem(caminho))) return []
  if (falhas.some(({ ocorrencias }) => ocorrencias.some(({ onde }) => onde.startsWith('item')))) return []
  const { infNFe, nfe } = exame.nota
  const caminhos = createCaminhos()
  const cena = createCena(nfe, contexto)
  const totais = falhas.flatMap(({ id, codigo }) => {
    const comparacao = comparacaoDoTotal(porId.get(id)?.regra ?? { e: [] })
    return comparacao ? [{ codigo, comparacao }] : []
  })
  // A total that is made of other totals waits until they are right.
  const dosItens = totais.filter(({ comparacao }) => !JSON.stringify(comparacao.calculos).includes('"total/'))
  return (dosItens.length > 0 ? dosItens : totais).flatMap(({ codigo, comparacao }) => {
    const de = descend(infNFe, comparacao.caminho)?.texto
    if (!de) return []
    const valores = comparacao.calculos.map((calculo) =>
      compileNumero(calculo, { caminhos, condicao: compileCondicao })(cena.infNFe, cena),
    )
    const [valor] = valores
    if (valor === undefined || valores.some((outro) => outro !== valor)) return []
    const para = formatDecimal(valor)
    // The totals of the note have two places and no sign.
    if (!/^\d{1,13}\.\d{2}$/.test(para) || para === de) return []
    const motivo = 'O total é calculado com os valores da própria nota.'
    return [{ caminho: comparacao.caminho, acao: 'trocar', de, para, motivo, codigo }]
  })
}

type Troca = { inicio: number; fim: number; texto: string }

type Movida = { inicio: number; fim: number; destino: number }

/** What has no such place is left out, and so is a move within a move. The rest stays byte for byte. */
export function applyEmendas(xml: string, nfe: Elemento, emendas: readonly Emenda[]): string {
  const trocas = emendas.flatMap((emenda) => trocasDe(xml, nfe, emenda))
  const movidas = semAninhadas(emendas.flatMap((emenda) => movidaDe(xml, nfe, emenda)))
  const dentro = (parte: Parte): Troca[] => trocas.filter((troca) => isEm(troca, parte))
  const levadas = emOrdem(movidas).flatMap((movida): Troca[] => {
    const { inicio, fim, destino } = movida
    return [
      { inicio, fim, texto: '' },
      { inicio: destino, fim: destino, texto: replaceIn(xml, dentro(movida), movida) },
    ]
  })
  const fora = trocas.filter((troca) => !movidas.some((movida) => isEm(troca, movida)))
  return replaceIn(xml, [...fora, ...levadas], { inicio: 0, fim: xml.length })
}

type Parte = { inicio: number; fim: number }

const isEm = (troca: Parte, { inicio, fim }: Parte): boolean => troca.inicio >= inicio && troca.fim <= fim

const semAninhadas = (movidas: readonly Movida[]): Movida[] =>
  movidas.filter((uma) => !movidas.some((outra) => outra !== uma && isEm(uma, outra)))

/** What goes before a part that moves itself goes where that one goes, and comes first there. */
function emOrdem(movidas: readonly Movida[]): Movida[] {
  const porInicio = new Map(movidas.map((movida) => [movida.inicio, movida]))
  const seguidas = movidas.map((movida) => {
    let { destino } = movida
    let passos = 0
    for (let alvo = porInicio.get(destino); alvo && passos < movidas.length; passos++) {
      destino = alvo.destino
      alvo = porInicio.get(destino)
    }
    return { movida: { ...movida, destino }, passos }
  })
  return seguidas.toSorted((a, b) => b.passos - a.passos).map(({ movida }) => movida)
}

/** A part of the text after changes that do not overlap. Of two at one place the first goes in first. */
function replaceIn(xml: string, trocas: readonly Troca[], { inicio, fim }: Parte): string {
  const pedacos: string[] = []
  let ate = inicio
  // What is put in stands before what is taken out at the same place.
  for (const troca of trocas.toSorted((a, b) => a.inicio - b.inicio || a.fim - b.fim)) {
    pedacos.push(xml.slice(ate, troca.inicio), troca.texto)
    ate = troca.fim
  }
  return [...pedacos, xml.slice(ate, fim)].join('')
}

function movidaDe(xml: string, nfe: Elemento, { caminho, acao, para }: Emenda): Movida[] {
  const elemento = acao === 'mover' ? findLugar(nfe, caminho) : undefined
  if (!elemento) return []
  const destino = para === null ? fimDe(xml, elemento.pai) : findLugar(nfe, para)?.inicio
  return destino === undefined ? [] : [{ inicio: elemento.inicio, fim: elemento.fim, destino }]
}

function trocasDe(xml: string, nfe: Elemento, { caminho, acao, para }: Emenda): Troca[] {
  const elemento = acao === 'mover' ? undefined : findLugar(nfe, caminho)
  if (!elemento) return []
  const { inicio, fim } = elemento
  if (acao === 'retirar') return [{ inicio, fim, texto: '' }]
  const atributo = /@(.+)$/.exec(caminho)?.[1]
  if (atributo) return trocaDoAtributo(xml, elemento, atributo, para ?? '')
  const abertura = fimDaEtiqueta(xml, inicio)
  const fecho = xml.lastIndexOf('</', fim - 1)
  if (fecho < abertura || fecho >= fim) return []
  return [{ inicio: abertura, fim: fecho, texto: novoTexto(xml.slice(abertura, fecho), para ?? '') }]
}

/** The value of an attribute may have a `>`. */
function fimDaEtiqueta(xml: string, inicio: number): number {
  const etiqueta = /<(?:[^>"']|"[^"]*"|'[^']*')*>/y
  etiqueta.lastIndex = inicio
  return etiqueta.test(xml) ? etiqueta.lastIndex : xml.length
}

/** Where only blanks at the ends go, what is between them stays as it was written: entities, CDATA. */
function novoTexto(escrito: string, para: string): string {
  const semBordas = escrito.trim()
  return semBordas !== '' && readArvore(`<x>${semBordas}</x>`).filhos[0]?.texto === para
    ? semBordas
    : escapeXml(para)
}

function fimDe(xml: string, elemento: Elemento | undefined): number | undefined {
  return elemento && xml.lastIndexOf('</', elemento.fim - 1)
}

function trocaDoAtributo(xml: string, { inicio }: Elemento, atributo: string, novo: string): Troca[] {
  const etiqueta = xml.slice(inicio, fimDaEtiqueta(xml, inicio))
  const achado = new RegExp(`\\s${atributo}\\s*=\\s*(["'])`).exec(etiqueta)
  if (!achado?.[1]) return []
  const comeco = inicio + achado.index + achado[0].length
  return [{ inicio: comeco, fim: xml.indexOf(achado[1], comeco), texto: escapeXml(novo) }]
}

/** A total may be a part of another one. */
const RODADAS = 3

const CONTADAS = 100

/** Each kind is tried on a copy, and kept only if fewer things are wrong then, and none that was right. */
export function proposeEmendas(exame: Exame, meios: MeiosDoExame): Emenda[] {
  const { xml, nfe } = exame.nota
  let aceitas: Emenda[] = []
  let atual = exame
  const attempt = (novas: readonly Emenda[]): boolean => {
    const juntas = withoutRepeats([...aceitas, ...novas]).slice(0, CONTADAS)
    if (juntas.length === aceitas.length) return false
    const depois = examine(applyEmendas(xml, nfe, juntas), meios)
    if ('linha' in depois || !isMelhor(atual, depois)) return false
    aceitas = juntas
    atual = depois
    return true
  }
  attempt(emendasDoEsquema(exame))
  attempt(emendasDaChave(atual))
  for (let rodada = 0; rodada < RODADAS; rodada++)
    if (!attempt(emendasDoTotal(atual, meios.verificadores, meios.contexto))) break
  return aceitas
}

/** The first mend of a place counts. A field may be moved and changed. */
function withoutRepeats(emendas: readonly Emenda[]): Emenda[] {
  const vistos = new Set<string>()
  return emendas.filter(({ caminho, acao }) => {
    const lugar = `${acao === 'mover' ? acao : ''} ${caminho}`
    return !vistos.has(lugar) && vistos.add(lugar)
  })
}

function isMelhor(antes: Exame, depois: Exame): boolean {
  const erros = new Set(antes.erros.map(({ caminho }) => caminho))
  const falhas = new Set(antes.achados.filter(isFalha).map(({ id }) => id))
  const restantes = depois.achados.filter(isFalha)
  return (
    depois.erros.length + restantes.length < antes.erros.length + falhas.size &&
    depois.erros.every(({ caminho }) => erros.has(caminho)) &&
    restantes.every(({ id }) => falhas.has(id))
  )
}

const isFalha = ({ resultado }: Exame['achados'][number]): boolean => resultado === 'falha'
