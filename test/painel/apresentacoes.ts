import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { type Linha, pedidoDaLinha } from '../../simulator/roteiro/linha.ts'
import { drawApresentacao } from '../../src/cli/respostas.ts'
import { avisosDitos } from '../../src/painel/consultar/veredito.ts'
import {
  type Apresentacao,
  type Apresentar,
  type ApresentarEstado,
  type EstadoApresentado,
  type Fato,
  type Ficha,
  linesOf,
  type ParteDaResposta,
} from '../../src/platform/pages/apresentacao.ts'
import type { Content } from '../../src/platform/pages/html.ts'
import { onOneLine } from '../../src/platform/texto.ts'
import { trusted } from '../../src/platform/trusted.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { NOW, testOnce } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'

/** A presenter, its endpoint, and the members of the answer that it leaves out, each with the reason. */
export type Alvo = {
  caminho: string
  apresentar: Apresentar
  /** Of an answer that comes state by state. */
  apresentarEstado?: ApresentarEstado
  /** By the path in the answer: `results[].cep`. A path that ends with `.*` is all that it holds. */
  fora: Readonly<Record<string, string>>
}

/** What is of the call itself, or drawn by the page around the presentation. */
export const DA_CHAMADA: Alvo['fora'] = {
  request_id: 'the page links the call itself',
  avisos: 'the page draws the notices below the verdict',
  'results[].avisos': 'the page draws the notices below the verdict',
}

type Dito = { onde: string; kind: 'label' | 'value'; label: string; text: string }

/** What a presentation says, piece by piece, as a reader sees it: without marks, and without quotations. */
export function ditosEm(apresentacao: Apresentacao): Dito[] {
  const { veredito, nome, onde = '', frase, fatos, partes, papel, validade, conferencia } = apresentacao
  const { porEstado = [], respondido } = apresentacao
  return [
    said('veredito', '', veredito),
    said('nome', 'Nome', nome),
    said('onde', '', onde),
    said('frase', '', frase),
    ...fatos.flatMap((fato) => ofFato('fatos', fato)),
    ...partes.flatMap(ofParte),
    ...(papel ? [said('papel', 'papel', papel.nome)] : []),
    ...(validade ? [said('validade', '', validade.titulo)] : []),
    ...(conferencia ? [said('conferencia', '', conferencia.nome)] : []),
    ...(respondido ? [said('respondido', '', respondido.quem)] : []),
    ...porEstado.flatMap(ofEstado),
  ]
}

const ofEstado = ({ uf, palavra, fichas, motivo, validade }: EstadoApresentado): Dito[] => [
  said(uf, '', palavra),
  said(`${uf} motivo`, '', motivo),
  ...(validade ? [said(`${uf} validade`, '', validade.titulo)] : []),
  ...fichas.flatMap((ficha) => ofFicha(uf, ficha)),
]

const ofFato = (onde: string, { rotulo, valor }: Fato): Dito[] => [
  { onde, kind: 'label', label: rotulo, text: rotulo },
  said(onde, rotulo, valor),
]

const ofFicha = (onde: string, { titulo, selo, linha, fatos }: Ficha): Dito[] => [
  said(onde, '', titulo),
  ...(selo ? [said(onde, '', selo.palavra)] : []),
  said(onde, '', linha),
  ...fatos.flatMap((fato) => ofFato(onde, fato)),
]

function ofParte(parte: ParteDaResposta): Dito[] {
  const { titulo } = parte
  const found: Dito[] = [{ onde: titulo, kind: 'label', label: titulo, text: titulo }]
  if ('fatos' in parte) found.push(...parte.fatos.flatMap((fato) => ofFato(titulo, fato)))
  else if ('fichas' in parte) found.push(...parte.fichas.flatMap((ficha) => ofFicha(titulo, ficha)))
  else if ('conteudo' in parte) found.push(said(titulo, titulo, parte.conteudo))
  else {
    const { colunas, linhas } = parte.tabela
    found.push(...colunas.map((text): Dito => ({ onde: titulo, kind: 'label', label: text, text })))
    for (const linha of linhas) {
      assert.equal(linha.length, colunas.length, `${titulo}: a row has as many cells as there are columns`)
      found.push(...linha.map((cell, at) => said(titulo, colunas[at] ?? '', cell)))
    }
  }
  return found
}

const said = (onde: string, label: string, content: Content): Dito => ({
  onde,
  kind: 'value',
  label,
  text: readable(content),
})

/** The words of an authority, in `<q>`, and addresses stay as they came. */
function readable(content: Content): string {
  if (content === undefined || content === false) return ''
  const text = Array.isArray(content) ? content.map(readable).join('') : String(content)
  return text
    .replace(/<q>.*?<\/q>|“.*?”|https?:\/\/[^\s<)"]+/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:quot|#39);/g, '"')
    .replace(/&amp;/g, '&')
}

/** Numbers that an authority gives a paper have no form that is known, and a name is as it was registered. */
const AS_GIVEN = /^(?:Número|Código|Protocolo|Nome|papel$)/

const UNFORMATTED: readonly (readonly [name: string, wrong: RegExp])[] = [
  ['a number without its mask', /(?<![\d./-])\d{7,}(?![\d./-])/],
  [
    'a CNPJ with letters and without its mask',
    /(?<![\w./-])(?=\w*[A-Z])(?=\w*\d)[A-Z\d]{12}\d{2}(?![\w./-])/,
  ],
  ['a mask over a mask', /\d\.\d\.\d\.|[./-]{2,}\d/],
  ['a day as programs write it', /\d{4}-\d{2}-\d{2}/],
  ['an instant as programs write it', /\d{2}T\d{2}:\d{2}/],
  ['a number with a decimal point', /(?<![\d.v])\d+\.\d{1,2}(?![\d./-])/],
  ['an id of a source', /\b[A-Z]{2}\/[a-z]/],
  ['a word of programs', /\b(?:[Pp]arâmetros?|undefined|null|NaN|true|false|Invalid Date)\b|\[object/],
  ['a name of a member or a code', /\b[a-z]+_[a-z_]+\b|\b[A-Z]+_NAO_[A-Z_]+\b/],
]

/** Words of names of members that Portuguese writes with accents, and those of English. */
const UNWRITTEN =
  /\b(?:apuracao|area|atualizacao|autenticacao|cartorio|certidao|certidoes|certificacao|codigo|condominos|creditos|descaracterizacao|descricao|emissao|endereco|extracao|imoveis|imovel|inicio|inscricao|inscricoes|juridica|manifestacao|matricula|municipio|negociacao|numero|orgao|periodo|preco|proprietario|qsa|qualificacao|razao|secundarios|situacao|solucao|tributarios|verificacao|versao|document|type|status|raw|result|results|cached|url|page|size|code)\b/i

/** Names of members that are also how people say it. */
const SAID_SO = ['capital social', 'nome fantasia']

/** The faults of what is said, each in a line. `names` are those of the answer's members. */
export function faultsIn(
  ditos: readonly Dito[],
  names: ReadonlySet<string>,
  reference: readonly string[],
): string[] {
  const labels = ditos.filter(({ kind }) => kind === 'label')
  const values = ditos.filter(({ kind }) => kind === 'value')
  const tell = ({ onde, label, text }: Dito, what: string) =>
    `${onde} · ${label}: ${text.slice(0, 120)} (${what})`
  return [
    ...labels.filter(({ text }) => text.trim() === '').map((one) => tell(one, 'an empty label')),
    ...labels.filter(({ text }) => isDerived(text, names)).map((one) => tell(one, 'derived from a name')),
    ...values
      .filter(
        ({ onde, label, text }) =>
          label !== '' && onde !== 'nome' && text.trim() === '' && !OF_QUOTES.test(label),
      )
      .map((one) => tell(one, 'an empty value')),
    ...values.flatMap((one) =>
      UNFORMATTED.filter(([, wrong]) => !AS_GIVEN.test(one.label) && wrong.test(one.text)).map(([name]) =>
        tell(one, name),
      ),
    ),
    ...ditos.flatMap((one) =>
      reference
        .filter((clause) => fold(one.text).includes(clause))
        .map((clause) => tell(one, `the reference says: ${clause}`)),
    ),
  ]
}

/** What stands there is an authority's own words alone. */
const OF_QUOTES = /^Nas palavras d/

function isDerived(label: string, names: ReadonlySet<string>): boolean {
  const plain = label.toLowerCase()
  if (SAID_SO.includes(plain)) return false
  return (
    plain.includes('_') ||
    UNWRITTEN.test(label) ||
    (plain.includes(' ') && names.has(plain.replaceAll(' ', '_')))
  )
}

const fold = (text: string): string => text.toLowerCase().replace(/[`*]/g, '').replace(/\s+/g, ' ').trim()

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  format?: string
  pattern?: string
}

type Documento = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: Record<string, { schema: Schema }> }> }>
  >
  components: { schemas: Record<string, Schema> }
}

/** Every sentence of four words and more that the document of the API says to programmers. */
export function referenceOf(documento: unknown): string[] {
  const found = new Set<string>()
  const look = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && (key === 'description' || key === 'summary')) {
      for (const clause of value.split(/[.:;]\s|\n|[.]$/)) {
        const plain = fold(clause)
        if (plain.split(' ').length >= 4 && plain.length >= 20) found.add(plain)
      }
    }
    if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) look(one, name)
  }
  look(documento)
  return [...found]
}

/** A member of an answer that holds a value, by its path, with its schema. */
type Membro = { path: string; schema: Schema }

/** The members of what an endpoint answers that hold values; lists and objects are looked into. */
function membrosDe(documento: Documento, caminho: string): Membro[] {
  const methods = Object.values(documento.paths[caminho] ?? {})
  const schema = methods[0]?.responses['200']?.content['application/json']?.schema
  assert.ok(schema, `the document has no answer of ${caminho}`)
  const walk = (given: Schema, path: string): Membro[] => {
    const one = resolve(documento, given)
    if (one.items) return walk(one.items, `${path}[]`)
    if (!one.properties) return [{ path, schema: one }]
    return Object.entries(one.properties).flatMap(([name, inner]) =>
      walk(inner, path === '' ? name : `${path}.${name}`),
    )
  }
  return walk(schema, '')
}

function resolve(documento: Documento, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined)
    return resolve(documento, { ...documento.components.schemas[name], ...without(schema) })
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (!parts) return schema
  const resolved = parts.map((one) => resolve(documento, one))
  const properties = Object.assign({}, ...resolved.map((one) => one.properties))
  return Object.assign({}, ...resolved, Object.keys(properties).length > 0 && { properties })
}

const without = ({ $ref: _, ...others }: Schema): Schema => others

/** Another value of the member's kind than the one that it has. */
function another(schema: Schema, now: unknown, path: string): unknown {
  if (schema.enum) return schema.enum.find((one) => one !== now && one !== '' && one !== null)
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (type === 'boolean') return now !== true
  if (type === 'integer' || type === 'number') return Number(now) + 7
  if (schema.format === 'date-time' || /T\[0-9\]/.test(schema.pattern ?? ''))
    return '2026-03-09T11:22:33.000Z'
  if (/\{4\}-\[0-9\]\{2\}-/.test(schema.pattern ?? '') || /^\d{4}-\d\d-\d\d$/.test(String(now)))
    return '2031-05-17'
  if (/url|endereco$/.test(path)) return 'https://exemplo.example/conferir'
  const digits = /^\^?\(?\[0-9\]\{(\d+)\}\)?\??\$$/.exec(schema.pattern ?? '')?.[1]
  if (digits !== undefined) return '9876543210'.slice(0, Number(digits))
  if (/\[[.]\]\[0-9\]\{2,\}/.test(schema.pattern ?? '')) return '765.43'
  return 'Outro texto'
}

/** The answer with another value at each place of a path; undefined where it has no such place. */
function changed(body: unknown, { path, schema }: Membro): unknown {
  const copy: unknown = structuredClone(body)
  let places = 0
  const put = (holder: unknown, [step = '', ...rest]: string[]): void => {
    const isList = step.endsWith('[]')
    const name = isList ? step.slice(0, -2) : step
    if (typeof holder !== 'object' || holder === null) return
    const value: unknown = Reflect.get(holder, name)
    if (isList && Array.isArray(value)) {
      if (rest.length > 0) for (const one of value) put(one, rest)
      else if (value.length > 0)
        places += Number(
          Reflect.set(
            holder,
            name,
            value.map((one) => another(schema, one, path)),
          ),
        )
      return
    }
    if (isList) return
    if (rest.length > 0) put(value, rest)
    else places += Number(Reflect.set(holder, name, another(schema, value, path)))
  }
  put(copy, path.split('.'))
  return places > 0 ? copy : undefined
}

/** All that a presentation holds, as text: two are the same if nothing that is shown differs. */
const wholeOf = (apresentacao: Apresentacao): string =>
  JSON.stringify(apresentacao, (_, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) !== Object.prototype
      ? String(value)
      : value,
  )

/** The members of which another value changes no presentation: nobody sees them. */
function membersUnseen(
  { apresentar, fora }: Alvo,
  membros: readonly Membro[],
  bodies: readonly unknown[],
): string[] {
  const asked = membros.filter(({ path }) => !isLeftOut(path, fora))
  return asked
    .filter((membro) =>
      bodies.every((body) => {
        const other = changed(body, membro)
        return other === undefined || wholeOf(apresentar(other, NOW)) === wholeOf(apresentar(body, NOW))
      }),
    )
    .map(({ path }) => path)
}

const isLeftOut = (path: string, fora: Alvo['fora']): boolean =>
  Object.keys(fora).some(
    (one) => one === path || `${one}[]` === path || (one.endsWith('.*') && path.startsWith(one.slice(0, -1))),
  )

/** How a row is asked; a POST brings its own. */
type Perguntar = (house: House, linha: Linha) => Promise<{ status: number; body: Record<string, unknown> }>

const byGet: Perguntar = (house, linha) => house.ask(pedidoDaLinha(linha))

/**
 * Asks every row of these endpoints of the simulator's list that is answered with HTTP 200, presents what
 * came, and looks at it: at each answer alone, and at all of them for members that nobody sees.
 */
export function testApresentacoes(
  alvos: readonly Alvo[],
  linhas: readonly Linha[],
  { perguntar = byGet, env = {} }: { perguntar?: Perguntar; env?: Record<string, string> } = {},
): void {
  describe('what answers say to people', () => {
    let house: House
    let simulator: Awaited<ReturnType<typeof openSimulatorAt>>
    let documento: Documento
    before(async () => {
      simulator = await openSimulatorAt(() => NOW, { ritmo: 0 })
      house = await start({ SIMULATOR_URL: simulator.endereco, CND_FEDERAL_SECONDS: '5', ...env })
      const answer = await fetch(`${house.address}/openapi.json`)
      documento = trusted<Documento>(await answer.json())
    })
    after(async () => {
      await house.close()
      await simulator.close()
    })

    for (const alvo of alvos) {
      describe(alvo.caminho, () => {
        const bodies: unknown[] = []
        for (const linha of linhas.filter(
          ({ endpoint, espera }) => endpoint === alvo.caminho && espera.http === 200,
        ))
          test(`${pedidoDaLinha(linha)} (${linha.nota})`, async () => {
            const { status, body } = await perguntar(house, linha)
            assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
            bodies.push(body)
            const apresentacao = alvo.apresentar(body, NOW)
            const names = new Set(
              membrosDe(documento, alvo.caminho).map(({ path }) => path.split('.').at(-1) ?? ''),
            )
            const avisos = avisosDitos(body).map(({ aviso }) => said('aviso', 'aviso', aviso))
            const ditos = [...ditosEm(apresentacao), ...avisos]
            assert.deepEqual(faultsIn(ditos, names, referenceOf(documento)), [])
            checkForm(apresentacao)
            checkTerminal(apresentacao)
            checkPieces(alvo, body, apresentacao)
          })

        testOnce('every member of the answer is shown, or left out for a reason', () => {
          const membros = membrosDe(documento, alvo.caminho)
          assert.deepEqual(membersUnseen(alvo, membros, bodies), [])
          const paths = membros.map(({ path }) => path)
          const unknown = Object.keys(alvo.fora).filter(
            (one) => !paths.some((path) => isLeftOut(path, { [one]: '' })),
          )
          assert.deepEqual(unknown, [], 'what is left out is a member of the answer')
        })
      })
    }
  })
}

/** The verdict is a few words, at most six facts stand with it, and every state is there once. */
function checkForm({ veredito, fatos, porEstado, validade, papel }: Apresentacao): void {
  assert.match(veredito, /^\p{Lu}|^\d/u)
  assert.ok(veredito.length > 0 && veredito.length <= 60, veredito)
  assert.ok(fatos.length <= 6, `${fatos.length} facts stand with the verdict`)
  if (porEstado) assert.equal(new Set(porEstado.map(({ uf }) => uf)).size, 27)
  for (const { uf, desfecho, fichas, motivo, palavra } of porEstado ?? []) {
    assert.notEqual(palavra, '', uf)
    assert.equal(fichas.length > 0, desfecho === 'achado' || desfecho === 'pendencia', uf)
    assert.equal(motivo !== '', desfecho === 'falhou' || desfecho === 'nao_conectado', uf)
  }
  if (validade) assert.match(validade.dia, /^\d{4}-\d{2}-\d{2}$/)
  if (papel) assert.match(papel.nome, /^[a-z0-9-]+\.(?:pdf|xml)$/i)
}

/** How a verdict of each tone begins where there is colour: bold, then green, yellow, red, or dim. */
const CORES = { bom: 32, nota: 33, lento: 33, ruim: 31, neutro: 2 } as const

/** A terminal says the same verdict with the same colour, and every fact that does not stand in a fold. */
function checkTerminal(apresentacao: Apresentacao): void {
  const { FORCE_COLOR } = process.env
  process.env.FORCE_COLOR = '1'
  const drawn = drawApresentacao(apresentacao, { consulta: '', custo: [], deUmEstado: undefined, agora: NOW })
  if (FORCE_COLOR === undefined) delete process.env.FORCE_COLOR
  else process.env.FORCE_COLOR = FORCE_COLOR
  const { tom, veredito, frase, fatos, partes, porEstado = [] } = apresentacao
  assert.ok(drawn.startsWith(`\x1b[1m\x1b[${CORES[tom]}m${veredito}\x1b[`), drawn.slice(0, 100))
  const plain = onOneLine(stripVTControlCharacters(drawn))
  assert.doesNotMatch(plain, /<\/?[a-z]+[ >]|&(?:amp|lt|gt|quot|#39);/)
  const fichas = [...partes.flatMap((parte) => ('fichas' in parte && !parte.dobrada ? parte.fichas : []))]
  const noEstado = porEstado.flatMap((one) => one.fichas)
  const said: Content[] = [
    frase,
    ...partes.map(({ titulo }) => titulo),
    ...[...fatos, ...partes.flatMap((parte) => ('fatos' in parte ? parte.fatos : []))].flatMap(sayings),
    ...[...fichas, ...(noEstado.length > 3 ? [] : noEstado)].flatMap((ficha) => [
      ficha.titulo,
      ...ficha.fatos.flatMap(sayings),
    ]),
    ...porEstado.map(({ uf }) => uf),
  ]
  for (const line of said.flatMap(linesOf)) assert.ok(plain.includes(line), `${line}\n${plain}`)
}

const sayings = ({ rotulo, valor }: Fato): Content[] => [rotulo, valor]

/** A state that comes before the others is said as in the whole. */
function checkPieces(
  { apresentarEstado }: Alvo,
  { results }: Record<string, unknown>,
  { porEstado = [] }: Apresentacao,
): void {
  if (!apresentarEstado || !Array.isArray(results)) return
  const said = results.map((entrada) => apresentarEstado(entrada, NOW))
  const of = ({ uf, desfecho, palavra, motivo }: EstadoApresentado) => ({ uf, desfecho, palavra, motivo })
  assert.deepEqual(said.map(of), porEstado.map(of))
}
