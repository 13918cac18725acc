import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeZip } from '../../simulator/dados-abertos/zip.ts'
import { digitsMatch } from '../../src/cnpj/base/bytes.ts'

/** A new folder that is removed with the test. */
export function tempFolder(t: { after: (done: () => void) => void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'importar-cnpj-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The root and order, followed by their check digits. */
export function withDigits(doze: string): string {
  const bytes = Buffer.from(`${doze}00`, 'latin1')
  for (let dv = 0; dv < 100; dv++) {
    bytes.write(String(dv).padStart(2, '0'), 12, 'latin1')
    if (digitsMatch(bytes, 0, 12)) return bytes.toString('latin1')
  }
  throw new Error(`${doze} has no check digits`)
}

export type Campos = Record<number, string>

const quoted = (fields: string[]): string => `${fields.map((field) => `"${field}"`).join(';')}\n`

const fill = (base: string[], campos: Campos): string => quoted(base.map((field, i) => campos[i] ?? field))

/** A line of Estabelecimentos; `campos` replaces columns by number. */
export function estabelecimento(doze: string, campos: Campos = {}): string {
  const cnpj = withDigits(doze)
  const base = [
    cnpj.slice(0, 8),
    cnpj.slice(8, 12),
    cnpj.slice(12),
    doze.endsWith('0001') ? '1' : '2',
    'LOJA',
  ]
  const rest = ['02', '20200115', '00', '', '', '20200115', '6204000', '6201501,6202300', 'RUA', 'DAS FLORES']
  const local = ['10', 'SALA 2', 'CENTRO', '01310100', 'SP', '7107']
  return fill([...base, ...rest, ...local, ...Array.from({ length: 9 }, () => '')], campos)
}

/** A line of Empresas. */
export const empresa = (raiz: string, campos: Campos = {}): string =>
  fill([raiz, `EMPRESA ${raiz} LTDA`, '2062', '49', '1000,00', '01', ''], campos)

/** A line of Socios. */
export const socio = (raiz: string, campos: Campos = {}): string =>
  fill(
    [raiz, '2', 'MARIA DA SILVA', '***123456**', '49', '20200115', '', '***000000**', '', '00', '4'],
    campos,
  )

const TABELAS = {
  Cnaes: [
    'CNAECSV',
    '"6204000";"Consultoria em TI"\n"6201501";"Desenvolvimento"\n"6202300";"Licenciamento"\n',
  ],
  Motivos: ['MOTICSV', '"00";"SEM  MOTIVO"\n"01";"EXTINCAO"\n'],
  Municipios: ['MUNICCSV', '"7107";"SAO PAULO"\n"9707";"EXTERIOR"\n'],
  Naturezas: ['NATJUCSV', '"2062";"Sociedade Empresária Limitada"\n"2135";"Empresário (Individual)"\n'],
  Qualificacoes: ['QUALSCSV', '"49";"Sócio-Administrador"\n'],
} as const

export type Pasta = {
  empresas?: string[]
  estabelecimentos?: string[]
  socios?: string[]
  simples?: string[]
  token?: string
  partes?: number
  zip64?: boolean
}

const BASES = [
  ['Empresas', 'EMPRECSV', 'empresas'],
  ['Estabelecimentos', 'ESTABELE', 'estabelecimentos'],
  ['Socios', 'SOCIOCSV', 'socios'],
] as const

/** Writes a folder in the official layout; lines go to the parts in turn. */
export async function writePasta(dir: string, pasta: Pasta): Promise<string> {
  const { token = 'D61010', partes = 1, zip64 = false } = pasta
  const zip = (arquivo: string, nome: string, texto: string) =>
    writeZip(join(dir, arquivo), [{ nome, conteudo: Buffer.from(texto, 'latin1') }], { zip64 })
  for (const [set, suffix, key] of BASES) {
    const lines = pasta[key] ?? []
    for (let parte = 0; parte < partes; parte++) {
      const mine = lines.filter((_, i) => i % partes === parte).join('')
      await zip(
        `${set}${parte}.zip`,
        token === '' ? `${set}${parte}` : `K3241.K03200Y${parte}.${token}.${suffix}`,
        mine,
      )
    }
  }
  for (const [set, [suffix, texto]] of Object.entries(TABELAS)) {
    await zip(`${set}.zip`, token === '' ? set : `F.K03200$Z.${token}.${suffix}`, texto)
  }
  if (pasta.simples) await zip('Simples.zip', `F.K03200$W.SIMPLES.CSV.${token}`, pasta.simples.join(''))
  return dir
}
