import { readFileSync } from 'node:fs'
import { type Aleatorio, createAleatorio, mix } from '../documento/aleatorio.ts'
import { pickRaizAlfanumerica } from '../documento/documento.ts'
import { readVocabulario, type Vocabulario } from './palavras.ts'

/** A public body typed in from public facts: the three sets' fields that are known, the rest left empty. */
export type Conhecido = {
  raiz: string
  empresa: readonly string[]
  estabelecimentos: readonly (readonly string[])[]
}

/** The bodies of `conhecidos.json`, which says where each fact comes from. */
export const conhecidos: readonly Conhecido[] = readConhecidos()

function readConhecidos(): Conhecido[] {
  const lista: Registro[] = JSON.parse(readFileSync(new URL('./conhecidos.json', import.meta.url), 'utf8'))
  const raizes = [...new Set(lista.map(({ cnpj }) => cnpj.slice(0, 8)))]
  return raizes.map((raiz) => {
    const registros = lista.filter(({ cnpj }) => cnpj.startsWith(raiz))
    const [primeiro] = registros
    if (!primeiro) throw new Error(`conhecidos.json: raiz ${raiz} sem registro`)
    return {
      raiz,
      empresa: camposDaEmpresa(primeiro),
      estabelecimentos: registros.map(camposDoEstabelecimento),
    }
  })
}

type Registro = { cnpj: string } & { [campo: string]: string | undefined }

function camposDaEmpresa(r: Registro): string[] {
  const campos = 'razao_social natureza_juridica qualificacao capital_social porte ente'
  return campos.split(' ').map((campo) => r[campo] ?? '')
}

function camposDoEstabelecimento(r: Registro): string[] {
  const { nome_fantasia = '', data_situacao = '', inicio = '', cnae = '', cnaes_secundarios = '' } = r
  const { tipo_logradouro = '', logradouro = '', numero = '', complemento = '', bairro = '', cep = '' } = r
  const { uf = '', municipio = '', situacao = '02', motivo = '00' } = r
  const matriz = r.cnpj.slice(8, 12) === '0001' ? '1' : '2'
  const endereco = [tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio]
  const inscricao = [r.cnpj.slice(8, 12), r.cnpj.slice(12), matriz]
  const cadastro = [nome_fantasia, situacao, data_situacao, motivo, '', '', inicio, cnae, cnaes_secundarios]
  return [...inscricao, ...cadastro, ...endereco, '', '', '', '', '', '', '', '', '']
}

/** `D`, the year's last digit, month and day of the second Saturday (`2026-10` → `D61010`). */
export function tokenOf(versao: string): string {
  const [, ano, mes] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(versao) ?? []
  if (!ano || !mes) throw new Error(`Versão inválida: "${versao}". Use AAAA-MM, por exemplo 2026-10.`)
  const weekday = new Date(Date.UTC(Number(ano), Number(mes) - 1, 1)).getUTCDay()
  const secondSaturday = 1 + ((6 - weekday) % 7) + 7
  return `D${ano.slice(-1)}${mes}${String(secondSaturday).padStart(2, '0')}`
}

/** The extraction date of a vintage as year, month (1 to 12) and day, from the same rule as the token. */
export function extractionDate(versao: string): { ano: number; mes: number; dia: number } {
  const token = tokenOf(versao)
  return { ano: Number(versao.slice(0, 4)), mes: Number(versao.slice(5)), dia: Number(token.slice(4)) }
}

/** The plan of a dump. Plain data, so that it crosses to worker threads. */
export type Pedido = {
  estabelecimentos: number
  semente: number
  versao: string
  sujeira: boolean
  /** Zips of each big set: 10 in the official dump. */
  partes: number
}

export type Plano = Pedido & {
  empresas: number
  /** The number of the company with very many branches, and how many. */
  maior: number
  filiaisDaMaior: number
  /** Branches of the company of that number, besides its head office. */
  filiais: (numero: number) => number
  reservadas: ReadonlySet<string>
  hoje: { ano: number; mes: number; dia: number }
  vocabulario: Vocabulario
  aleatorio: Aleatorio
}

export type Tipo = 'mei' | 'individual' | 'limitada' | 'anonima' | 'associacao' | 'condominio'

/** The facts of one company that all sets agree on. `numero` is its place in the order of roots, 0-based. */
export type Empresa = { numero: number; raiz: string; tipo: Tipo; filiais: number }

/** 8 branches in each 100 companies: 1.08 establishments a company, as in the official dump. */
const FILIAIS = new Map([
  [13, 1],
  [37, 2],
  [61, 1],
  [89, 4],
])

export function plan(pedido: Pedido): Plano {
  const desejadas =
    pedido.estabelecimentos >= 1_000_000 ? 15_000 : Math.min(120, Math.floor(pedido.estabelecimentos / 20))
  const empresas = Math.max(1, Math.floor((pedido.estabelecimentos - desejadas) / 1.08))
  const maior = Math.floor(empresas / 2)
  let filiais = Math.floor(empresas / 100) * 8
  for (const [resto, quantas] of FILIAIS) if (resto < empresas % 100) filiais += quantas
  filiais -= FILIAIS.get(maior % 100) ?? 0
  const filiaisDaMaior = Math.max(0, pedido.estabelecimentos - empresas - filiais)
  return {
    ...pedido,
    empresas,
    maior,
    filiaisDaMaior,
    filiais: (numero) => (numero === maior ? filiaisDaMaior : (FILIAIS.get(numero % 100) ?? 0)),
    reservadas: new Set(conhecidos.map(({ raiz }) => raiz)),
    hoje: extractionDate(pedido.versao),
    vocabulario: readVocabulario(),
    aleatorio: createAleatorio(pedido.semente),
  }
}

export function empresa(plano: Plano, numero: number): Empresa {
  const filiais = plano.filiais(numero)
  return { numero, filiais, raiz: raiz(plano, numero), tipo: tipo(mix(numero, plano.semente + 1), filiais) }
}

/** Numeric roots fill the top of the eight-digit space, away from the low roots of public bodies. */
function raiz(plano: Plano, numero: number): string {
  const largura = Math.min(90_000_000, Math.max(1_000_000, plano.empresas * 9))
  const passo = largura / plano.empresas
  const inicio = Math.floor(numero * passo)
  const folga = Math.max(1, Math.floor((numero + 1) * passo) - inicio)
  const texto = String(100_000_000 - largura + inicio + (mix(numero, plano.semente) % folga)).padStart(8, '0')
  if (numero % 331 !== 17 && !plano.reservadas.has(texto)) return texto
  plano.aleatorio.seed(numero, 99)
  return pickRaizAlfanumerica(plano.aleatorio)
}

function tipo(sorte: number, filiais: number): Tipo {
  const p = sorte / 0x100000000
  if (filiais > 0) return p < 0.95 ? 'limitada' : 'anonima'
  if (p < 0.53) return 'mei'
  if (p < 0.62) return 'individual'
  if (p < 0.945) return 'limitada'
  if (p < 0.955) return 'anonima'
  return p < 0.985 ? 'associacao' : 'condominio'
}
