import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { diaDe, diaDepois } from '../../documento/dia.ts'
import { arquivoDa, INSTALAVEIS, type Instalavel, instaladaOuNenhuma } from './instaladas.ts'
import { type ArquivoDaNcm, lerNcm, TabelaRecusada } from './ncm.ts'
import { lerTabela } from './nossas.ts'
import { consta, type TabelaDeCodigos } from './tabela.ts'

/** Octets. The official JSON has some 3 MB. */
const MAIOR = 32 * 1024 * 1024

/** The whole NCM has some 10,500 codes; less is a part of it. */
const MENOS_CODIGOS = 9_000

/**
 * The last day on which a code that the file lacks is told as one that does not exist: that of its quarter.
 * The NCM changes with a quarter, and the official file has the codes of its own day alone.
 */
function fimDoTrimestre(dia: string): string {
  const [ano, mes] = dia.split('-').map(Number)
  const depois = new Date(Date.UTC(ano ?? 0, Math.ceil((mes ?? 1) / 3) * 3, 1))
  return diaDepois(depois.toISOString().slice(0, 10), -1)
}

/** Codes of the sale of everyday goods, which every NCM since 2012 has. */
const CONHECIDOS = ['09012100', '10063021', '22030000', '61091000', '84713012', '87032100', '94036000']

/** What may be told of a file that does not tell it. `dia`: of when the table is, AAAA-MM-DD. */
export type OpcoesDaTabela = { dia?: string | undefined; now: () => Date }

/** What was installed, the digest of the file, and the day of the table that it replaced. */
export type TabelaInstalada = { tabela: TabelaDeCodigos; sha256: string; substituida: string | undefined }

/**
 * Installs a table of codes: read whole, tried on known codes, then put in its place at once, for the next
 * diagnosis. Throws TabelaRecusada; what was installed stays as it was then.
 */
export function instalarTabela(
  nome: Instalavel,
  caminho: string,
  { pasta, dia, now }: OpcoesDaTabela & { pasta: string },
): TabelaInstalada {
  const bytes = lerBytes(caminho)
  const arquivo = lerNcm(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  const hoje = diaDe(now().getTime())
  const de = dia ?? (arquivo.de || hoje)
  if (de > hoje) throw new TabelaRecusada(`O dia da tabela (${de}) ainda não chegou: diga o dela com --dia.`)
  const sha256 = hash('sha256', bytes)
  const escrita = escrever(nome, arquivo, { de, sha256, instaladaEm: now().toISOString() })
  const tabela = lerTabela(nome, escrita)
  experimentar(tabela, de)
  const antiga = instaladaOuNenhuma(nome, pasta)
  gravar(arquivoDa(nome, pasta), `${escrita}# fim\n`)
  return { tabela, sha256, substituida: antiga?.de }
}

/** Removes an installed table. Throws TabelaRecusada if it is not there. */
export function removerTabela(nome: Instalavel, pasta: string): void {
  try {
    rmSync(arquivoDa(nome, pasta))
  } catch (cause) {
    throw new TabelaRecusada(`A tabela da ${INSTALAVEIS[nome]} não está instalada: não há o que remover.`, {
      cause,
    })
  }
}

function lerBytes(caminho: string): Buffer {
  const achado = statSync(caminho, { throwIfNoEntry: false })
  if (!achado?.isFile())
    throw new TabelaRecusada(`O arquivo ${caminho} não existe: confira o caminho do arquivo que você baixou.`)
  if (achado.size > MAIOR)
    throw new TabelaRecusada(`O arquivo ${caminho} passa de 32 MiB: a tabela da NCM tem menos de 4 MB.`)
  try {
    return readFileSync(caminho)
  } catch (cause) {
    throw new TabelaRecusada(`O arquivo ${caminho} não pôde ser lido: confira as permissões.`, { cause })
  }
}

function escrever(
  nome: Instalavel,
  { linhas, origem }: ArquivoDaNcm,
  { de, sha256, instaladaEm }: { de: string; sha256: string; instaladaEm: string },
): string {
  const ditas = [
    `# titulo: ${INSTALAVEIS[nome]}`,
    `# origem: ${origem}, instalado em ${instaladaEm}, SHA-256 ${sha256}`,
    `# de: ${de}`,
    `# certa_desde: ${de}`,
    `# certa_ate: ${fimDoTrimestre(de)}`,
    '# inicios: incertos',
    'codigo,de,ate,uTrib',
  ]
  const escritas = linhas.map((linha) => [linha.codigo, linha.de, linha.ate, linha.uTrib].join())
  return `${[...ditas, ...escritas].join('\n')}\n`
}

function experimentar(tabela: TabelaDeCodigos, dia: string): void {
  const quantos = tabela.linhas.size
  if (quantos < MENOS_CODIGOS)
    throw new TabelaRecusada(
      `O arquivo tem ${quantos} códigos de 8 algarismos, e a NCM inteira tem mais de ${MENOS_CODIGOS}: baixe a tabela inteira.`,
    )
  const faltam = CONHECIDOS.filter((codigo) => consta(tabela, codigo, dia) !== true)
  if (faltam.length > 1)
    throw new TabelaRecusada(
      `Faltam no arquivo, em ${dia}, códigos que a NCM tem (${faltam.join(', ')}): não é a tabela vigente, ou está cortada.`,
    )
}

/** Writes beside it and renames, so that there is the old file or the new one, and never a part. */
function gravar(arquivo: string, texto: string): void {
  mkdirSync(dirname(arquivo), { recursive: true, mode: 0o700 })
  const novo = `${arquivo}.${randomUUID()}`
  try {
    writeFileSync(novo, texto, { mode: 0o600, flush: true })
    renameSync(novo, arquivo)
  } finally {
    rmSync(novo, { force: true })
  }
}
