import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import {
  type Categoria,
  categorias,
  type Periodo,
  type Rejeicao,
  type VerificacaoDoCatalogo,
  type Vigencia,
} from '../../src/rejeicoes/rules.ts'
import { type Answer, type House, start } from './house.ts'

const entrada = (codigo: number, motivo: string, given: Partial<Rejeicao> = {}): Rejeicao => ({
  codigo,
  titulo: motivo.replace(/^Rejeição: /, ''),
  slug: `rejeicao-${codigo}-de-teste`,
  motivo,
  categoria: 'Outros',
  url_blog: `/blog/rejeicoes/rejeicao-${codigo}-de-teste/`,
  causas: [`Causa de ${codigo}.`],
  solucao_passos: [`Passo de ${codigo}.`],
  verificacoes_analiticas: [],
  tipo: 'rejeicao',
  fontes: ['MOC 7.0 Anexo I'],
  regras: [{ regra: 'A01-10', modelo: '55', documento: 'MOC 7.0 Anexo I' }],
  outro_significado: null,
  campos: ['ide/nNF'],
  ...given,
})

/** A small catalogue, in no order, for tests that want to know every entry of it. */
export const entradas: readonly Rejeicao[] = [
  entrada(539, 'Rejeição: Duplicidade de NF-e, com diferença na Chave de Acesso', {
    categoria: 'Duplicidade',
  }),
  entrada(204, 'Rejeição: Duplicidade de NF-e [nRec:999999999999999]', { categoria: 'Duplicidade' }),
  entrada(233, 'Rejeição: IE do destinatário não cadastrada', { categoria: 'Destinatário' }),
  entrada(234, 'Rejeição: IE do destinatário não vinculada ao CNPJ', { categoria: 'Destinatário' }),
  entrada(610, 'Rejeição: Total da NF difere do somatório dos Valores que compõe o valor Total da NF', {
    categoria: 'Totalização/Valores',
    verificacoes_analiticas: [
      {
        id: '610-vnf',
        titulo: 'vNF fecha',
        descricao: 'Soma os componentes.',
        campos: ['total/ICMSTot/vNF', 'total/ICMSTot/vProd'],
        dependencia: 'xml',
        regra: { fecha: [{ v: 'total/ICMSTot/vNF' }, { v: 'total/ICMSTot/vProd' }], tol: '0.50' },
        mensagem_falha: 'vNF é {total/ICMSTot/vNF}; a soma dá {esperado}.',
        fonte: { documento: 'NT 2023.001 v1.60', regra: 'W16-10' },
        exemplo: { nota: 'venda', errado: [{ campo: 'total/ICMSTot/vNF', valor: '1.00' }] },
        par: { certo: '<NFe/>', errado: '<NFe/>' },
      },
    ],
  }),
  entrada(208, 'Rejeição: CNPJ do destinatário inválido', {
    categoria: null,
    outro_significado: { motivo: 'CNPJ informado inválido, evento ECONF', fonte: 'NT 2024.002' },
  }),
  entrada(1115, 'Rejeição: IBS/CBS não informado', { categoria: 'ICMS/Tributação' }),
]

/** Writes a catalogue file of its own. */
export function writeCatalogo(of: unknown = entradas): {
  arquivo: string
  write: (text: string) => void
  remove: () => void
} {
  const pasta = mkdtempSync(join(tmpdir(), 'catalogo-'))
  const arquivo = join(pasta, 'rejeicoes.json')
  const write = (text: string): void => writeFileSync(arquivo, text)
  write(JSON.stringify(of))
  return { arquivo, write, remove: () => rmSync(pasta, { recursive: true, force: true }) }
}

type Casa = {
  /** Codes that the catalogue has besides the small one's. */
  codigos?: readonly number[]
  env?: Record<string, string>
  now?: () => Date
  /** What the service needs before the first test. */
  prepare?: (house: House) => Promise<void>
}

/** A service on a small catalogue of its own: started before the tests of a file, closed behind them. */
export function useCatalogo({ codigos = [], env, now, prepare }: Casa = {}): () => House {
  const catalogo = writeCatalogo([
    ...entradas,
    ...codigos.map((codigo) => ({ ...entradas[0], codigo, slug: `rejeicao-${codigo}-de-teste` })),
  ])
  let house: House
  before(async () => {
    house = await start({ REJEICOES_FILE: catalogo.arquivo, ...env }, now)
    await prepare?.(house)
  })
  after(async () => {
    await house.close()
    catalogo.remove()
  })
  return () => house
}

export const DIAGNOSTICAR = '/api/v1/rejeicoes/diagnosticar'

/** Sends a note with its options to be diagnosed, as JSON; a text goes as it stands. */
export const postNota = (
  { ask }: House,
  body: Record<string, unknown> | string,
  { key, ...headers }: { key?: string | null } & Record<string, string | null> = {},
): Promise<Answer> =>
  ask(DIAGNOSTICAR, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...Object(headers) },
    ...(key !== undefined && { key }),
  })

/** What a catalogue might hold at its worst, and no page may take for HTML. */
export const MALDADE = '</script><img src=x onerror="alert(1)"> & \'"<b>'

/** A note of the catalogue that no check refuses. */
export const nota = readFileSync(
  new URL('../../data/rejeicoes/notas/venda-interna.xml', import.meta.url),
  'utf8',
)

/** Lines of a note as the catalogue keeps them. */
const trechoDo = (vNF: string): string =>
  `<infNFe>\n  …\n  <total>\n    <ICMSTot>\n      …\n      <vProd>3818.00</vProd>\n      …\n      <vNF>${vNF}</vNF>\n    </ICMSTot>\n    …\n  </total>\n</infNFe>`

const verificacao = (id: string, rest: Partial<VerificacaoDoCatalogo>): VerificacaoDoCatalogo => ({
  id,
  titulo: 'vNF fecha com os componentes do total',
  descricao: 'Refaz total/ICMSTot/vNF a partir das parcelas; aceita R$ 0,50 de diferença.',
  campos: ['total/ICMSTot/vNF', 'total/ICMSTot/vProd', 'total/ICMSTot/vST', 'total/ICMSTot/vFrete'],
  dependencia: 'xml',
  regra: {
    fecha: [
      { v: 'total/ICMSTot/vNF' },
      {
        menos: [
          {
            soma: [{ v: 'total/ICMSTot/vProd' }, { v: 'total/ICMSTot/vFrete' }, { v: 'total/ICMSTot/vST' }],
          },
          { v: 'total/ICMSTot/vDesc' },
        ],
      },
    ],
    tol: '0.50',
  },
  mensagem_falha: 'vNF informado {total/ICMSTot/vNF}; a soma dá {esperado}.',
  fonte: { documento: 'NT 2023.001 v1.60', regra: 'W16-10' },
  exemplo: { nota: 'venda-interna', errado: [{ campo: 'total/ICMSTot/vNF', valor: '9999.99' }] },
  par: { certo: trechoDo('3822.00'), errado: trechoDo('9999.99') },
  ...rest,
})

/** An entry of the kind that most are. */
const comum = (codigo: number, rest: Partial<Rejeicao> = {}): Rejeicao => {
  const titulo = rest.titulo ?? `Campo ${codigo} informado com valor diferente do calculado`
  const slug = `rejeicao-${codigo}-${titulo
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`
  return {
    codigo,
    slug,
    titulo,
    motivo: `Rejeição: ${titulo}`,
    categoria: categorias[codigo % categorias.length] ?? null,
    url_blog: `/blog/rejeicoes/${slug}/`,
    causas: [`O campo det/prod/vProd do código ${codigo} não bate com qCom vezes vUnCom.`],
    solucao_passos: ['Refaça a conta do item.', 'Assine e transmita de novo com o mesmo número.'],
    verificacoes_analiticas: [],
    tipo: 'rejeicao',
    fontes: ['MOC 7.0 Anexo I', 'NT 2013.005 v1.22*', 'tabela-de-terceiros'],
    regras: [{ regra: 'I11-10', modelo: '55/65', documento: 'MOC 7.0 Anexo I' }],
    outro_significado: null,
    campos: ['det/prod/vProd', 'det/prod/qCom'],
    ...rest,
  }
}

const pago =
  '<infNFe>\n  …\n  <pag>\n    <detPag>\n      …\n      <vPag>20.00</vPag>\n    </detPag>\n  </pag>\n</infNFe>'

const proprias: Rejeicao[] = [
  comum(205, { titulo: 'NF-e está denegada na base de dados da SEFAZ', tipo: 'denegacao', categoria: null }),
  comum(206, {
    titulo: 'Numeração da NF-e já está inutilizada',
    regras: [],
    causas: [],
    solucao_passos: [],
    campos: [],
  }),
  comum(234, {
    titulo: 'Código com dois motivos',
    outro_significado: { motivo: 'Rejeição: O outro motivo', fonte: 'NT 2019.001 v1.70' },
  }),
  comum(539, {
    titulo: 'Duplicidade de NF-e com diferença na Chave de Acesso',
    motivo: 'Rejeição: Duplicidade de NF-e com diferença na Chave de Acesso [chNFe: 999][nRec: 999]',
    categoria: 'Duplicidade',
    campos: ['ide/serie', 'ide/nNF'],
  }),
  comum(610, {
    titulo: 'Total da NF difere do somatório dos valores que compõem o valor total da NF',
    categoria: 'Totalização/Valores',
    causas: [
      'Frete, seguro, IPI ou ST foram lançados no item e não somados em total/ICMSTot/vNF.',
      'O ICMS desonerado (vICMSDeson) foi descontado em um lugar e não no outro.',
    ],
    solucao_passos: [
      'Refaça a soma com os campos de total/ICMSTot, na ordem da verificação.',
      'Compare cada total com a soma do mesmo campo nos itens.',
      'Corrija a origem da diferença, assine e transmita de novo: o número não foi usado.',
    ],
    campos: ['total/ICMSTot/vNF', 'total/ICMSTot/vProd', 'total/ICMSTot/vST'],
    verificacoes_analiticas: [
      verificacao('610-vnf-fecha', { vigencia: { de: '2026-11-03' } }),
      verificacao('610-troco', {
        titulo: 'vTroco só com pagamento maior',
        mensagem_falha: 'Falta pag/vTroco.',
        regra: { ou: [{ presente: 'pag/vTroco' }, { tabela: ['ie_ativas', { v: 'dest/IE' }] }] },
        campos: ['pag/vTroco', 'dest/IE'],
        modelos: ['65'],
        dependencia: 'tabela:ie_ativas',
        par: { certo: pago.replace('</detPag>', '</detPag><vTroco>10.00</vTroco>'), errado: pago },
      }),
    ],
  }),
  comum(777, {
    titulo: MALDADE,
    motivo: MALDADE,
    causas: [MALDADE],
    solucao_passos: [MALDADE],
    slug: 'rejeicao-777-maldade',
    url_blog: '/blog/rejeicoes/rejeicao-777-maldade/',
    campos: [MALDADE],
    fontes: [MALDADE],
    regras: [{ regra: MALDADE, modelo: '55', documento: MALDADE }],
  }),
]

/** The entries of the catalogue that the tests of the pages have: more than two pages of its list. */
export const rejeicoesDeTeste: readonly Rejeicao[] = [
  ...proprias,
  ...Array.from({ length: 230 }, (_, at) => comum(1000 + at)),
]

/** Starts the service with such a catalogue. */
export async function startCatalogo(env: Record<string, string> = {}, now?: () => Date): Promise<House> {
  const pasta = mkdtempSync(join(tmpdir(), 'catalogo-'))
  const REJEICOES_FILE = join(pasta, 'rejeicoes.json')
  writeFileSync(REJEICOES_FILE, JSON.stringify(rejeicoesDeTeste))
  const house = await start({ REJEICOES_FILE, ...env }, now)
  return {
    ...house,
    close: async () => {
      await house.close()
      rmSync(pasta, { recursive: true, force: true })
    },
  }
}

export const PATH = '/api/v1/rejeicoes'
export const PUBLIC = '/api/v1/public/rejeicoes'

/** A minute after the base notes were issued, and each call has a minute of its own. */
export const clock = { instant: Date.parse('2026-11-10T10:16:00-03:00') }

let house: House
let key: string

/** The service that the tests of a file ask, and the key of an account. */
export const official = (): { house: House; key: string } => ({ house, key })

/** Starts the service that the tests of a file ask, and ends it with them. */
export function useOfficial(): void {
  before(async () => {
    house = await start({}, () => new Date(clock.instant))
    key = (await house.open('enterprise')).key
  })
  after(() => house.close())
}

export type Entrada = Record<'titulo' | 'slug' | 'motivo' | 'url_blog', string> & {
  codigo: number
  categoria: string | null
}
export type Lista = { total: number; page: number; page_size: number; results: Entrada[] }

export async function list(query: Record<string, string>, path = PATH): Promise<Lista> {
  clock.instant += path === PUBLIC ? 61_000 : 0
  const { status, text } = await house.ask(`${path}?${new URLSearchParams(query)}`, {
    key: path === PUBLIC ? null : key,
  })
  assert.equal(status, 200, text.slice(0, 300))
  return JSON.parse(text)
}

export const codesOf = ({ results }: Lista): number[] => results.map(({ codigo }) => codigo)

export const detail = async (codigo: number): Promise<Record<string, unknown>> => {
  const { status, body } = await house.ask(`${PATH}/${codigo}`, { key })
  assert.equal(status, 200)
  return body
}

/** How many codes each category of the specification has. */
export const CATEGORIES: Record<Categoria, number> = {
  'Chave de Acesso': 49,
  Pagamento: 35,
  Evento: 77,
  Destinatário: 60,
  Emitente: 56,
  'Certificado Digital': 28,
  Duplicidade: 15,
  'Schema XML': 22,
  'ICMS/Tributação': 234,
  'Produto/Item': 74,
  Transporte: 32,
  'Autorização/Contingência': 55,
  'Totalização/Valores': 97,
  'Data/Prazo': 26,
  'Número/Série': 12,
  'Operação/Fiscal': 143,
  Outros: 44,
}

export const SEM_DIAS = { de: '', de_talvez: '', ate: '', ate_talvez: '' }

/** The days of production, which are those of homologation where it has none of its own. */
export const soDias = ({ texto, homologacao, ...dias }: Vigencia = {}): Periodo => dias
