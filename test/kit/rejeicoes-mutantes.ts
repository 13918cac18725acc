import fc from 'fast-check'
import { type Elemento, readArvore } from '../../src/rejeicoes/arvore.ts'
import type { Laudo } from '../../src/rejeicoes/rules-laudo.ts'
import { lugarDe } from '../../src/rejeicoes/verificacoes/campos.ts'
import { comAssinatura, notas, problemaDoEsquema } from './rejeicoes-notas.ts'

/** What is done to a note. */
export const tipos = ['retirado', 'alongado', 'esvaziado', 'movido', 'total', 'chave'] as const

export type Tipo = (typeof tipos)[number]

/** A note in which one field was changed for the worse. */
export type Mutante = { nota: string; tipo: Tipo; caminho: string; xml: string }

type Fonte = { nota: string; xml: string; folhas: Elemento[] }

const isFolha = ({ filhos, pai }: Elemento): boolean => filhos.length === 0 && pai !== undefined

const descendentes = (elemento: Elemento): Elemento[] => [elemento, ...elemento.filhos.flatMap(descendentes)]

const fontes: readonly Fonte[] = [...notas].map(([nota, texto]) => {
  const xml = texto.replace(/>\s+</g, '><')
  const [raiz] = readArvore(xml).filhos
  const infNFe = raiz?.filhos.find(({ nome }) => nome === 'infNFe')
  return { nota, xml, folhas: infNFe ? descendentes(infNFe).filter(isFolha) : [] }
})

const semTexto = (xml: string, inicio: number, fim: number, novo = ''): string =>
  xml.slice(0, inicio) + novo + xml.slice(fim)

/** The text of a field in another form. */
function trocar(xml: string, { nome, inicio, fim }: Elemento, novo: string): string {
  return semTexto(xml, inicio, fim, `<${nome}>${novo}</${nome}>`)
}

/** Longer than any field may be, of what the field is made of. */
const alongar = (texto: string): string =>
  texto + (/^[\d.]+$/.test(texto) ? '9'.repeat(60) : 'X'.repeat(6000))

function mover(xml: string, { inicio, fim, pai }: Elemento, aoFim: boolean): string {
  const texto = xml.slice(inicio, fim)
  const destino = aoFim ? (pai?.filhos.at(-1)?.fim ?? fim) : (pai?.filhos[0]?.inicio ?? inicio)
  return aoFim
    ? semTexto(semTexto(xml, destino, destino, texto), inicio, fim)
    : semTexto(semTexto(xml, inicio, fim), destino, destino, texto)
}

const somar = (valor: string, centavos: number): string =>
  ((Math.round(Number(valor) * 100) + centavos) / 100).toFixed(2)

/** Totals that some rule compares with the items. */
const TOTAIS =
  /^total\/ICMSTot\/(?:vBC|vICMS|vICMSDeson|vFCP|vBCST|vST|vFCPST|vFCPSTRet|vProd|vFrete|vSeg|vDesc|vII|vIPI|vIPIDevol|vPIS|vCOFINS|vOutro|vNF)$/

const DA_CHAVE = /^ide\/(?:cUF|cNF|serie|nNF|tpEmis|cDV)$/

type Feito = { caminho: string; xml: string }

function fazer({ xml, folhas }: Fonte, tipo: Tipo, qual: number, quanto: number): Feito | undefined {
  const candidatas = folhas.filter((folha) => {
    if (tipo === 'total') return TOTAIS.test(lugarDe(folha))
    if (tipo === 'chave') return DA_CHAVE.test(lugarDe(folha))
    return tipo !== 'movido' || (folha.pai?.filhos.length ?? 0) > 1
  })
  const folha = candidatas[qual % candidatas.length]
  if (!folha) return undefined
  const caminho = lugarDe(folha)
  const feito = (texto: string): Feito => ({ caminho, xml: texto })
  switch (tipo) {
    case 'retirado':
      return feito(semTexto(xml, folha.inicio, folha.fim))
    case 'alongado':
      return feito(trocar(xml, folha, alongar(folha.texto)))
    case 'esvaziado':
      return feito(trocar(xml, folha, ''))
    case 'movido':
      return feito(mover(xml, folha, quanto % 2 === 0))
    case 'total':
      return feito(trocar(xml, folha, somar(folha.texto, 100 + (quanto % 100_000))))
    case 'chave': {
      if (quanto % 3 > 0) return mudarId(xml, quanto)
      const digito = String((Number(folha.texto.at(-1)) + 1 + (quanto % 9)) % 10)
      return feito(trocar(xml, folha, folha.texto.slice(0, -1) + digito))
    }
  }
}

/** Changes a digit of the key in `Id`. */
function mudarId(xml: string, quanto: number): Feito {
  const inicio = xml.indexOf('Id="NFe') + 7 + (quanto % 44)
  const digito = String((Number(xml[inicio]) + 1 + (quanto % 9)) % 10)
  return { caminho: '@Id', xml: semTexto(xml, inicio, inicio + 1, digito) }
}

/** A field that may be left out, or whose place is free, was changed for nothing: the note is good. */
const isAindaBoa = (tipo: Tipo, xml: string): boolean =>
  (tipo === 'retirado' || tipo === 'movido') && problemaDoEsquema(comAssinatura(xml)) === undefined

/** As many mutants as are wanted, each kind by turns, the same for a seed. */
export function criarMutantes(quantos: number, seed: number): Mutante[] {
  const sorteio = fc.tuple(fc.nat({ max: fontes.length - 1 }), fc.nat(), fc.nat())
  const mutantes: Mutante[] = []
  for (const [onde, qual, quanto] of fc.sample(sorteio, { seed, numRuns: quantos * 4 })) {
    if (mutantes.length === quantos) break
    const tipo = tipos[mutantes.length % tipos.length] ?? 'retirado'
    const fonte = fontes[onde]
    const feito = fonte && fazer(fonte, tipo, qual, quanto)
    if (!feito || feito.xml === fonte.xml || isAindaBoa(tipo, feito.xml)) continue
    mutantes.push({ nota: fonte.nota, tipo, ...feito })
  }
  return mutantes
}

/** Whether the diagnosis names the changed field: as the place of an error, or among the fields of one. */
export function nomeia(suspeitas: Laudo['suspeitas'], { caminho }: Mutante): boolean {
  const [pai, nome = ''] = [
    caminho.replace(/\/?[^/]*$/, ''),
    caminho.replace(/^.*\//, '').replace(/\[\d+\]$/, ''),
  ]
  return suspeitas
    .flatMap(({ ocorrencias }) => ocorrencias)
    .some(({ campos, mensagem }) =>
      campos.some(
        (campo) =>
          campo.caminho === caminho ||
          (campo.caminho.replace(/\/?[^/]*$/, '') === pai && new RegExp(`\\b${nome}\\b`).test(mensagem)),
      ),
    )
}

/** The mutants of a list, by their kind and place. */
export const faltasDe = (mutantes: readonly Mutante[]): string =>
  mutantes.map(({ tipo, nota, caminho }) => `${tipo} ${caminho} (${nota})`).join(', ') || 'none'

/**
 * The total of the note, and what is paid, off by some cents. Undefined where a total is not paid at once, or
 * another total repeats it.
 */
export function comOutroTotal(xml: string, centavos: number): string | undefined {
  const total = /<vNF>([^<]*)<\/vNF>/.exec(xml)?.[1] ?? '0'
  const pagos = xml.match(/<vPag>[^<]*<\/vPag>/g) ?? []
  if (pagos.length !== 1 || pagos[0] !== `<vPag>${total}</vPag>` || /<(?:vNFTot|fat|vTroco)>/.test(xml))
    return undefined
  const outro = somar(total, centavos)
  return xml.replace(`<vNF>${total}<`, `<vNF>${outro}<`).replace(pagos[0], `<vPag>${outro}</vPag>`)
}
