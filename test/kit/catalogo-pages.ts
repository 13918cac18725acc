import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rejeicao, VerificacaoDoCatalogo } from '../../src/rejeicoes/rules.ts'
import { categorias } from '../../src/rejeicoes/rules.ts'
import { type House, start } from './harness.ts'

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
export async function startComCatalogo(env: Record<string, string> = {}, now?: () => Date): Promise<House> {
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
