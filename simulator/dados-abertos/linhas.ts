import { dvCnpj } from '../documento/dados-abertos-documento.ts'
import { dataPassada, nomeDePessoa } from './pessoa.ts'
import type { Empresa, Plano } from './plano.ts'

/**
 * The order of an establishment (0 is the head office): four digits, with letters after 9999 and in
 * alphanumeric roots.
 */
function ordemDoEstabelecimento({ raiz }: Empresa, indice: number): string {
  if (indice > 0 && /[A-Z]/.test(raiz) && indice % 2 === 1)
    return `0${(370 + indice).toString(36).toUpperCase()}A`.slice(-4).padStart(4, '0')
  return indice < 9999
    ? String(indice + 1).padStart(4, '0')
    : (indice - 9999 + 466_560).toString(36).toUpperCase().padStart(4, '0')
}

/** The 30 fields of an establishment's row; `indice` counts the company's establishments from 0. */
export function camposDeEstabelecimento(plano: Plano, empresa: Empresa, indice: number): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  a.semear(empresa.numero, 1000 + indice)
  const ordem = ordemDoEstabelecimento(empresa, indice)
  const dv = dvCnpj(empresa.raiz + ordem)
  const [situacao, motivo] = situacaoEMotivo(plano)
  const inicio = dataPassada(plano, 58)
  const data =
    situacao === '02' ? inicio : dataPassada(plano, plano.hoje.ano - 1 - Number(inicio.slice(0, 4)))
  const fantasia = a.chance(0.5) ? nomeFantasia(plano) : ''
  return [
    empresa.raiz,
    ordem,
    dv,
    indice === 0 ? '1' : '2',
    fantasia,
    situacao,
    data,
    motivo,
    '',
    '',
    inicio,
    v.cnae(a),
    secundarios(plano),
    ...endereco(plano),
    ...contatos(plano),
    '',
    '',
  ]
}

function situacaoEMotivo({ aleatorio: a }: Plano): [string, string] {
  const p = a.ate(1000)
  if (p < 384) return ['02', '00']
  if (p < 860) return ['08', a.chance(0.7) ? '01' : '73']
  if (p < 980) return ['04', '63']
  return p < 995 ? ['03', '67'] : ['01', '11']
}

/** 46 % have secondary activities, 3.6 on average. */
function secundarios({ aleatorio: a, vocabulario: v }: Plano): string {
  if (!a.chance(0.46)) return ''
  let lista = v.cnae(a)
  while (lista.length < 500 && a.chance(0.722)) lista += `,${v.cnae(a)}`
  return lista
}

function nomeFantasia(plano: Plano): string {
  const { aleatorio: a, vocabulario: v } = plano
  const forma = a.ate(4)
  if (forma === 0) return `${v.ramo(a)} ${v.fantasia(a)}`
  if (forma === 1) return `${v.prenome(a)} ${v.ramo(a)}`
  if (forma === 2) return `${v.fantasia(a)} ${v.rara(a)} ${v.ramo(a)}`
  return `${v.ramo(a)} ${v.sobrenome(a)} ${v.fantasia(a)}`
}

function endereco(plano: Plano): string[] {
  const { aleatorio: a, vocabulario: v } = plano
  const { tom, uf } = v.municipio(a)
  const logradouro = a.chance(0.3) ? nomeDePessoa(plano) : v.logradouro(a)
  const numero = a.chance(0.1) ? 'S/N' : String(1 + a.ate(a.chance(0.7) ? 1200 : 9000))
  const cep =
    String((CEP[uf] ?? 1) * 1000 + (Number(tom) % 90) * 10 + a.ate(10)).padStart(5, '0') +
    CEP_FINAIS[a.ate(CEP_FINAIS.length)]
  return [v.tipoLogradouro(a), logradouro, numero, complemento(plano), v.bairro(a), cep, uf, tom]
}

function complemento({ aleatorio: a, vocabulario: v }: Plano): string {
  if (!a.chance(0.42)) return ''
  const unidade = `${v.complemento(a)} ${a.chance(0.8) ? 1 + a.ate(400) : LETRAS.charAt(a.ate(26))}`
  return a.chance(0.35) ? `${unidade} ${v.complemento(a)} ${1 + a.ate(30)}` : unidade
}

function contatos({ aleatorio: a, vocabulario: v }: Plano): string[] {
  const ddd = String(11 + a.ate(88))
  const telefone = a.chance(0.72)
    ? [ddd, `${a.chance(0.6) ? 9 : 3}${String(a.ate(10_000_000)).padStart(7, '0')}`]
    : ['', '']
  const segundo =
    telefone[0] && a.chance(0.2) ? [ddd, `3${String(a.ate(10_000_000)).padStart(7, '0')}`] : ['', '']
  const fax = a.chance(0.05) ? [ddd, `3${String(a.ate(10_000_000)).padStart(7, '0')}`] : ['', '']
  const email = a.chance(0.58)
    ? `${v.prenome(a)}.${v.rara(a)}${a.chance(0.5) ? a.ate(1000) : ''}@${PROVEDORES[a.ate(6)]}`.toLowerCase()
    : ''
  return [...telefone, ...segundo, ...fax, email]
}

const LETRAS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CEP_FINAIS = [
  '000',
  '010',
  '020',
  '100',
  '110',
  '120',
  '130',
  '150',
  '200',
  '210',
  '260',
  '300',
  '310',
  '330',
  '400',
  '450',
  '500',
  '540',
  '600',
  '700',
  '810',
  '900',
  '970',
] as const
const PROVEDORES = [
  'gmail.com',
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com.br',
  'contabil.example',
] as const
/** First two digits of a state's postal codes (the lowest of its range). */
export const CEP: Record<string, number> = {
  SP: 1,
  RJ: 20,
  ES: 29,
  MG: 30,
  BA: 40,
  SE: 49,
  PE: 50,
  AL: 57,
  PB: 58,
  RN: 59,
  CE: 60,
  PI: 64,
  MA: 65,
  PA: 66,
  AP: 68,
  AM: 69,
  RR: 69,
  AC: 69,
  DF: 70,
  GO: 74,
  RO: 76,
  TO: 77,
  MT: 78,
  MS: 79,
  PR: 80,
  SC: 88,
  RS: 90,
}
