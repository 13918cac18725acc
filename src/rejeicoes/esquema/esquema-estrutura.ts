import type { Elemento } from '../nota/nota-arvore.ts'
import type { Copia } from './estrutura.ts'
import type { Declarado } from './modelo.ts'
import { type ForaDeOrdem, ordenar } from './ordem.ts'

/** What is wrong with the children of an element. */
export type Defeito =
  | ({ tipo: 'fora-de-ordem' } & ForaDeOrdem)
  | { tipo: 'desconhecido'; elemento: Elemento; nomeCerto: string | undefined }
  | { tipo: 'demais'; elemento: Elemento; maximo: number }
  | { tipo: 'exclusivo'; elemento: Elemento; outro: string }
  | { tipo: 'falta'; pai: Elemento; nomes: string[]; antes: Elemento | undefined }

/** A wrong place that the validator found: a child that it does not take, or the end of the parent. */
export type LugarErrado = { pai: Elemento; filho: Elemento | undefined; esperados: readonly string[] }

/**
 * Finds what is wrong at a place, and mends the copy so that the next validation sees further: what is out of
 * order is moved, what is too much taken out, what is missing put in.
 */
export function julgar(lugar: LugarErrado, declarados: readonly Declarado[], copia: Copia): Defeito[] {
  const { pai, filho } = lugar
  const filhos = copia.filhosDe(pai)
  if (filho && !declarados.some(({ nome }) => nome === filho.nome)) {
    copia.retirar(filho)
    return [{ tipo: 'desconhecido', elemento: filho, nomeCerto: parecido(filho.nome, declarados) }]
  }
  const { fora, ordem } = ordenar(filhos, declarados)
  if (fora.length > 0) {
    copia.ordenar(pai, ordem, new Set(fora.map(({ elemento }) => elemento)))
    return fora.map((um) => ({ tipo: 'fora-de-ordem', ...um }))
  }
  const demais = filho && julgarDemais(filho, filhos, declarados)
  if (demais) {
    copia.retirar(demais.elemento)
    return [demais]
  }
  return julgarFalta(lugar, declarados, copia)
}

const parecido = (nome: string, declarados: readonly Declarado[]): string | undefined =>
  declarados.find((declarado) => declarado.nome.toLowerCase() === nome.toLowerCase())?.nome

/** A child that repeats too often, or that excludes another one. */
function julgarDemais(
  filho: Elemento,
  filhos: readonly Elemento[],
  declarados: readonly Declarado[],
): (Defeito & { elemento: Elemento }) | undefined {
  const seus = declarados.filter(({ nome }) => nome === filho.nome)
  const maximo = seus.reduce((soma, declarado) => soma + declarado.maximo, 0)
  if (filhos.filter(({ nome }) => nome === filho.nome).length > maximo)
    return { tipo: 'demais', elemento: filho, maximo }
  const ramos = seus.flatMap(({ escolhas }) => escolhas)
  const presentes = new Set(filhos.map(({ nome }) => nome))
  const outro = declarados.find(
    ({ nome, escolhas }) =>
      nome !== filho.nome &&
      presentes.has(nome) &&
      escolhas.some((sua) => ramos.some(({ escolha, ramo }) => escolha === sua.escolha && ramo !== sua.ramo)),
  )
  return outro && { tipo: 'exclusivo', elemento: filho, outro: outro.nome }
}

function julgarFalta(
  { pai, filho, esperados }: LugarErrado,
  declarados: readonly Declarado[],
  copia: Copia,
): Defeito[] {
  const daqui = declarados.filter(({ nome }) => esperados.includes(nome))
  const obrigatorios = daqui.filter(({ obrigatorio }) => obrigatorio)
  const deEscolha = daqui.filter(({ escolhas }) => escolhas.length > 0)
  const candidatos = obrigatorios.length > 0 ? obrigatorios : deEscolha.length > 0 ? deEscolha : daqui
  const nomes = candidatos.length > 0 ? candidatos.map(({ nome }) => nome) : esperados.slice(0, 8)
  const [primeiro] = nomes
  if (primeiro === undefined) {
    if (filho) copia.retirar(filho)
    return filho ? [{ tipo: 'desconhecido', elemento: filho, nomeCerto: undefined }] : []
  }
  copia.por(pai, primeiro, filho)
  return [{ tipo: 'falta', pai, nomes: [...new Set(nomes)], antes: filho }]
}
