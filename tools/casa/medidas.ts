import { globSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Node, type ParameterDeclaration, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrowFunction,
  isCallExpression,
  isClassDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isInterfaceDeclaration,
  isLiteralTypeNode,
  isNamedImports,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import type { Medida } from './metas.ts'

/**
 * An import between two files of `src`, with the names that it brings. `statement` is false of `import()` and
 * of a type's `import('…')`.
 */
type Import = { from: string; to: string; names: string[]; statement: boolean }

/** What is counted of one file of `src`. Its path begins with `src/`. */
type Arquivo = {
  path: string
  lines: number
  /** Lines that are not blank, and those of them that have a comment and no code. */
  written: number
  comments: number
  imports: Import[]
  /** Types, interfaces and classes that it declares. */
  types: string[]
  /** Its functions `open…`, each with the name of the type of what it takes, '' where that has none. */
  opens: Map<string, string>
}

const LITERALS = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
])

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** The same text with every letter of it replaced, and its lines where they were. */
const fill = (text: string, letter: string): string => text.replace(/[^\n]/g, letter)

/** The nodes of a file, each before what it holds. */
function* nodesOf(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

/** The text of a file without its comments: two slashes in a string are none. */
function withoutComments(source: SourceFile, nodes: readonly Node[]): string {
  const literals = nodes
    .filter(({ kind }) => LITERALS.has(kind))
    .map((node) => [node.getStart(source), node.end] as const)
    .sort(([a], [b]) => a - b)
  let bare = ''
  let at = 0
  for (const [start, end] of literals) {
    bare += source.text.slice(at, start) + fill(source.text.slice(start, end), 'x')
    at = end
  }
  bare += source.text.slice(at)
  return bare.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, (comment) => fill(comment, ' '))
}

/** The place that a node names, if it imports something. */
function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return node.arguments[0]
  return isImportTypeNode(node) && isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
}

/** What a node imports from `src`, types included: nothing, or one import. */
function importsOf(path: string, node: Node): Import[] {
  const specifier = specifierOf(node)
  if (!specifier || !isStringLiteral(specifier) || !specifier.text.startsWith('.')) return []
  const to = join(dirname(path), specifier.text)
  if (!/^src\/.*\.ts$/.test(to)) return []
  const bindings = isImportDeclaration(node) ? node.importClause?.namedBindings : undefined
  const elements = bindings && isNamedImports(bindings) ? bindings.elements : []
  const names = elements.map(({ propertyName, name }) => (propertyName ?? name).text)
  return [{ from: path, to, names, statement: isImportDeclaration(node) || isExportDeclaration(node) }]
}

/** A function that has a name, as a declaration or as a constant. */
function functionOf(node: Node): { name: Node | undefined; parameters: readonly ParameterDeclaration[] } {
  if (isFunctionDeclaration(node)) return { name: node.name, parameters: node.parameters }
  if (isVariableDeclaration(node) && node.initializer && isArrowFunction(node.initializer))
    return { name: node.name, parameters: node.initializer.parameters }
  return { name: undefined, parameters: [] }
}

/** What a function `open…` takes first, by its name: the name of its type, '' where it has none. */
function opensOf(node: Node): [name: string, type: string][] {
  const {
    name,
    parameters: [first],
  } = functionOf(node)
  if (!first || !name || !isIdentifier(name) || !name.text.startsWith('open')) return []
  const { type } = first
  return [
    [name.text, type && isTypeReferenceNode(type) && isIdentifier(type.typeName) ? type.typeName.text : ''],
  ]
}

function readArquivo(path: string, source: SourceFile): Arquivo {
  const nodes = [...nodesOf(source)]
  const code = linesOf(withoutComments(source, nodes))
  const lines = linesOf(source.text)
  const written = lines.flatMap((line, at) => (line.trim() ? [at] : []))
  const types = nodes.flatMap((node) =>
    (isTypeAliasDeclaration(node) || isInterfaceDeclaration(node) || isClassDeclaration(node)) && node.name
      ? [node.name.text]
      : [],
  )
  return {
    path,
    lines: lines.length,
    written: written.length,
    comments: written.filter((at) => !code[at]?.trim()).length,
    imports: nodes.flatMap((node) => importsOf(path, node)),
    types,
    opens: new Map(nodes.flatMap(opensOf)),
  }
}

/** Parses the files of `src`, without what they import from elsewhere, so no type is checked. */
function readArquivos(root: string): Arquivo[] {
  const paths = globSync('src/**/*.ts', { cwd: root }).sort()
  const config = join(root, 'tsconfig.casa.json')
  const settings = JSON.stringify({
    files: paths.map((path) => join(root, path)),
    compilerOptions: {
      noResolve: true,
      noLib: true,
      types: [],
      noEmit: true,
      allowImportingTsExtensions: true,
    },
  })
  const api = new API({
    cwd: root,
    fs: {
      fileExists: (path) => (path === config ? true : undefined),
      readFile: (path) => (path === config ? settings : undefined),
    },
  })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    return paths.map((path) => {
      const source = project?.program.getSourceFile(join(root, path))
      if (!source) throw new Error(`${path} could not be read`)
      return readArquivo(path, source)
    })
  } finally {
    api.close()
  }
}

/** The room of a file: the first folder of `src`, or itself where it lies beside them. */
export const roomOf = (path: string): string => path.split('/')[1] ?? path

/** The things of a list by a number, the largest first, each as a line. */
const worst = <T>(list: Iterable<T>, sizeOf: (one: T) => number, lineOf: (one: T) => string): string[] =>
  [...list].sort((a, b) => sizeOf(b) - sizeOf(a)).map(lineOf)

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((all, one) => all + of(one), 0)

/** How many of them each room has, the largest first. */
export const byRoom = (paths: readonly string[]): string[] =>
  worst(
    Map.groupBy(paths, roomOf),
    ([, list]) => list.length,
    ([room, list]) => `${room}: ${list.length}`,
  )

/**
 * The types that hand on parts of something larger: those named Recursos…, Meios…, Deps or …Deps, and those
 * of what the rooms' faces take. A face is a function `open…` that the top of src imports from a room; its
 * type counts where that room declares it or where it has no name.
 */
function narrowing(files: readonly Arquivo[]): string[] {
  const named = files.flatMap(({ path, types }) =>
    types.filter((name) => /^(?:Recursos|Meios|Deps)|Deps$/.test(name)).map((name) => `${name} in ${path}`),
  )
  const imported = files.filter(({ path }) => dirname(path) === 'src').flatMap(({ imports }) => imports)
  const faces = imported.flatMap(({ to, names }) => {
    const { opens = new Map<string, string>() } = files.find(({ path }) => path === to) ?? {}
    return names.flatMap((face) => {
      const type = opens.get(face)
      if (type === undefined) return []
      if (type === '') return [`what ${face} takes in ${to}`]
      const home = files.find((file) => roomOf(file.path) === roomOf(to) && file.types.includes(type))
      return home ? [`${type} in ${home.path}`] : []
    })
  })
  return [...new Set([...named, ...faces])]
}

/** The pairs of rooms that import each other, the more tangled first, each with imports of the rarer way. */
function circles(imports: readonly Import[]): string[] {
  const ways = Map.groupBy(imports, ({ from, to }) => `${roomOf(from)} ${roomOf(to)}`)
  const pairs = [...ways].flatMap(([way, there]) => {
    const [a = '', b = ''] = way.split(' ')
    const back = ways.get(`${b} ${a}`)
    return a !== b && back && (there.length > back.length || (there.length === back.length && a < b))
      ? [{ a, b, there, back }]
      : []
  })
  return worst(
    pairs,
    ({ back }) => back.length,
    ({ a, b, there, back }) =>
      `${a} → ${b} ${there.length}, back ${back.length}: ${back
        .slice(0, 2)
        .map(({ from, to }) => `${from} → ${to}`)
        .join(', ')}`,
  )
}

/** The rows of the table under "## Words". */
function glossary(root: string): string[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const words = /^## Words$([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? ''
  return words
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
}

/** The middle of sorted numbers, or what lies between the two in the middle. */
function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2
}

/** The files of the simulator, with the lines of those that are code or prose: the others are data. */
const readSimulator = (root: string): { path: string; lines: number }[] =>
  globSync('simulator/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const isText = /\.(?:ts|md)$/.test(file)
      return { path: relative(root, file), lines: isText ? linesOf(readFileSync(file, 'utf8')).length : 0 }
    })

/** Measures the tree of a repository, without running it. The worst of each measure come first. */
export function measureTree(folder: string): Medida[] {
  const root = realpathSync(resolve(folder))
  const files = readArquivos(root)
  const imports = files.flatMap((file) => file.imports)
  const statements = imports.filter(({ statement }) => statement)
  const statementsOf = (file: Arquivo): number => file.imports.filter(({ statement }) => statement).length
  const importers = Map.groupBy(statements, ({ to }) => to)
  const alone = [...importers].flatMap(([to, list]) => {
    const from = new Set(list.map((one) => one.from))
    return from.size === 1 ? [{ to, from: list[0]?.from ?? '' }] : []
  })
  const lineCount = new Map(files.map(({ path, lines }) => [path, lines]))
  const narrow = narrowing(files)
  const pairs = circles(imports)
  const words = glossary(root)
  const simulator = readSimulator(root)
  const written = sum(files, (file) => file.written)
  const longest = (list: readonly { path: string; lines: number }[]): string[] =>
    worst(
      list,
      ({ lines }) => lines,
      ({ path, lines }) => `${path}: ${lines}`,
    )
  return [
    { nome: 'files', now: files.length, worst: byRoom(files.map(({ path }) => path)) },
    { nome: 'lines', now: sum(files, ({ lines }) => lines), worst: longest(files) },
    { nome: 'median file', now: medianOf(files.map(({ lines }) => lines)), worst: longest(files).reverse() },
    {
      nome: 'imports',
      now: statements.length,
      worst: worst(files, statementsOf, (file) => `${file.path}: ${statementsOf(file)}`),
    },
    {
      nome: 'one importer',
      now: alone.length,
      worst: worst(
        alone,
        ({ to }) => -(lineCount.get(to) ?? 0),
        ({ to, from }) => `${to} (${lineCount.get(to) ?? 0} lines), only for ${from}`,
      ),
    },
    { nome: 'narrowing types', now: narrow.length, worst: narrow },
    { nome: 'circles of rooms', now: pairs.length, worst: pairs },
    {
      nome: 'glossary',
      now: words.length,
      worst: worst(
        words,
        ({ length }) => length,
        (row) => row.slice(0, 80),
      ),
    },
    {
      nome: 'comments',
      now: written && sum(files, ({ comments }) => comments) / written,
      worst: worst(
        files,
        (file) => file.comments - file.written * 0.08,
        (file) => `${file.path}: ${file.comments} of ${file.written} lines`,
      ),
    },
    { nome: 'simulator files', now: simulator.length, worst: byRoom(simulator.map(({ path }) => path)) },
    { nome: 'simulator lines', now: sum(simulator, ({ lines }) => lines), worst: longest(simulator) },
  ]
}
