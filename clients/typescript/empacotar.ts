import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const aqui = import.meta.dirname

/**
 * Builds the package in a folder of its own and packs it into `destino`; returns the tarball's path. The
 * workspace itself exports TypeScript, which Node runs everywhere but inside node_modules.
 */
export function empacotar(destino: string): string {
  const pasta = mkdtempSync(join(tmpdir(), 'cliente-'))
  try {
    compilar(join(pasta, 'dist'))
    cpSync(join(aqui, 'openapi.d.ts'), join(pasta, 'dist/openapi.d.ts'))
    cpSync(join(aqui, 'README.md'), join(pasta, 'README.md'))
    const { name, version, description, type, license } = JSON.parse(
      readFileSync(join(aqui, 'package.json'), 'utf8'),
    )
    const entrada = { types: './dist/cliente/index.d.ts', default: './dist/cliente/index.js' }
    const manifesto = {
      name,
      version,
      description,
      type,
      license,
      sideEffects: false,
      engines: { node: '>=20.3' },
      exports: { '.': entrada },
      files: ['dist'],
    }
    writeFileSync(join(pasta, 'package.json'), `${JSON.stringify(manifesto, null, 2)}\n`)
    mkdirSync(destino, { recursive: true })
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destino]
    const [{ filename }] = JSON.parse(
      execFileSync('npm', args, { cwd: pasta, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    )
    return join(destino, filename)
  } finally {
    rmSync(pasta, { recursive: true, force: true })
  }
}

/** JavaScript and declarations, by the workspace's own compiler. */
function compilar(destino: string): void {
  const { compilerOptions } = JSON.parse(readFileSync(join(aqui, 'tsconfig.json'), 'utf8'))
  const opcoes = {
    ...compilerOptions,
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: aqui,
    outDir: destino,
  }
  mkdirSync(destino, { recursive: true })
  const projeto = join(destino, 'tsconfig.json')
  writeFileSync(projeto, JSON.stringify({ compilerOptions: opcoes, files: [join(aqui, 'cliente/index.ts')] }))
  const tsc = join(aqui, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '--project', projeto], { stdio: ['ignore', 'inherit', 'inherit'] })
  rmSync(projeto)
}

if (import.meta.main) process.stdout.write(`${empacotar(process.argv[2] ?? join(aqui, '../..'))}\n`)
