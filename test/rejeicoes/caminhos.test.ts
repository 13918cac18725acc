import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lerTabela } from '../../tools/rejeicoes/tabelas.ts'
import { verificacoes } from '../kit/rejeicoes.ts'

/** Every place of the layout, with the groups that hold it. */
const lugares = new Set(
  lerTabela('campos.csv', ['caminho', 'rotulo']).flatMap(({ caminho }) =>
    caminho.split('/').map((_, i, passos) => passos.slice(0, i + 1).join('/')),
  ),
)

const lista = [...lugares]

function existe(caminho: string): boolean {
  if (!caminho.includes('*')) return lugares.has(caminho)
  const passos = caminho.split('/').map((passo) => (passo === '*' ? '[^/]+' : passo))
  const padrao = new RegExp(`^${passos.join('/')}$`)
  return lista.some((lugar) => padrao.test(lugar))
}

const juntar = (base: string, caminho: string): string =>
  caminho.startsWith('.') ? (base + caminho.slice(1)).replace(/^\//, '') : caminho

/** The paths that a part of a check names, from `infNFe`. */
function* caminhosDe(parte: unknown, base: string): Generator<string> {
  if (Array.isArray(parte)) for (const uma of parte) yield* caminhosDe(uma, base)
  if (typeof parte !== 'object' || parte === null || Array.isArray(parte)) return
  const membros = new Map<string, unknown>(Object.entries(parte))
  const ler = (nome: string): string | undefined => {
    const valor = membros.get(nome)
    return typeof valor === 'string' ? valor : undefined
  }
  const [deQuem] = ['em', 'todos', 'algum', 'unicos'].map(ler).filter((uma) => uma !== undefined)
  const sob = deQuem === undefined ? base : juntar(base, deQuem)
  if (sob !== '') yield sob
  for (const nome of ['v', 'presente', 'ausente', 'conta', 'soma', 'por']) {
    const caminho = ler(nome)
    if (caminho !== undefined) yield juntar(sob, caminho)
  }
  for (const valor of membros.values()) yield* caminhosDe(valor, sob)
}

test('every field that a check names, in its exceptions too, is of the layout', () => {
  const errados = verificacoes.flatMap(({ id, escopo = '', campos, quando, exceto, regra }) =>
    [...campos, ...caminhosDe([quando, exceto, regra], escopo)]
      .filter((caminho) => caminho !== '' && !existe(caminho))
      .map((caminho) => `${id}: ${caminho}`),
  )
  assert.deepEqual(errados, [])
})

test('a field that is misspelt is found', () => {
  assert.ok(existe('det/imposto/ICMS/*/CST'))
  assert.equal(existe('det/imposto/ICMS/*/CTS'), false)
  assert.deepEqual(
    [...caminhosDe({ algum: 'det', sa: { presente: './prod/CFPO' } }, '')],
    ['det', 'det', 'det/prod/CFPO'],
  )
})
