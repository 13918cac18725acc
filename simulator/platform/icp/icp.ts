import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { criarA1 } from './a1.ts'
import { type Assinar, criarAssinantes } from './assinante.ts'
import { type Cadeia, criarCadeia, escreverCadeia, lerCadeia, NOSSOS_NOMES } from './cadeia.ts'
import { CATALOGO, DO_OPERADOR, type ItemA1 } from './catalogo.ts'
import { CATALOGO_NFE } from './catalogo-nfe.ts'
import { pem } from './certificado.ts'
import { type Chaveiro, criarChaveiro } from './chaveiro.ts'
import { criarServidores, type Servidor } from './servidor.ts'

const DIA = 86_400_000

/** How long a new chain stays in force: with the month already past, a year, as an A1 lasts. */
const DURACAO = 335 * DIA

/** A kept chain that ends sooner than this is made anew, and all that hangs from it. */
const FOLGA = 30 * DIA

const itens = new Map([...CATALOGO, ...CATALOGO_NFE].map((item) => [item.nome, item]))

/** The throw-away authority of the simulator, like ICP-Brasil's. */
export type Icp = {
  /** The root, in PEM: all that a client has to trust. */
  ca: string
  /** The root and the intermediate, in PEM. Authorities accept client certificates under them. */
  cadeia: readonly string[]
  /** The files of general use. Those of the NF-e's scenarios are made too, and listed with the scenarios. */
  catalogo: readonly ItemA1[]
  /** The key and the certificates of a server of this name. */
  servidor: (nome: string) => Servidor
  /** The signing keys of the notes' issuers. */
  assinante: Assinar
  /** The A1 file of this name, made at the first call and kept; undefined for other names. */
  certificado: (nome: string) => Promise<{ pfx: Buffer; item: ItemA1 } | undefined>
}

/**
 * Opens the authority kept in a folder, or makes it, with the operator's own A1; one that ends within 30 days
 * is made anew. Its files, `autoridade.pem` and `certificados/<nome>.pfx`, are readable by their owner only.
 */
export async function openIcp(pasta: string, now: () => Date): Promise<Icp> {
  const pastaDosCertificados = join(pasta, 'certificados')
  await mkdir(pastaDosCertificados, { recursive: true, mode: 0o700 })
  const cadeia = await abrirCadeia(pasta, pastaDosCertificados, now)
  const chaveiro = criarChaveiro()
  const pedidos = new Map<string, Promise<Buffer>>()
  const certificado: Icp['certificado'] = async (nome) => {
    const item = itens.get(nome)
    if (!item) return undefined
    const pedido =
      pedidos.get(nome) ?? abrirA1(join(pastaDosCertificados, `${nome}.pfx`), item, cadeia, chaveiro)
    pedidos.set(nome, pedido)
    // A failure, as on a full disk, may not come again.
    pedido.catch(() => pedidos.delete(nome))
    return { pfx: await pedido, item }
  }
  await certificado(DO_OPERADOR.nome)
  return {
    ca: pem(cadeia.raiz.certificado.raw),
    cadeia: [pem(cadeia.raiz.certificado.raw), pem(cadeia.intermediaria.certificado.raw)],
    catalogo: CATALOGO,
    servidor: criarServidores(cadeia, now),
    assinante: criarAssinantes(async () => cadeia, chaveiro),
    certificado,
  }
}

async function abrirCadeia(pasta: string, pastaDosCertificados: string, now: () => Date): Promise<Cadeia> {
  const arquivo = join(pasta, 'autoridade.pem')
  const guardada = lerCadeia((await lerSeHouver(arquivo))?.toString('utf8') ?? '')
  if (guardada && guardada.fim.getTime() - now().getTime() > FOLGA) return guardada
  const nova = await criarCadeia(NOSSOS_NOMES, new Date(now().getTime() + DURACAO))
  await rm(pastaDosCertificados, { recursive: true })
  await mkdir(pastaDosCertificados, { mode: 0o700 })
  await guardar(arquivo, escreverCadeia(nova))
  return nova
}

async function abrirA1(arquivo: string, item: ItemA1, cadeia: Cadeia, chaveiro: Chaveiro): Promise<Buffer> {
  const guardado = await lerSeHouver(arquivo)
  if (guardado) return guardado
  const pfx = await criarA1(item, cadeia, chaveiro)
  await guardar(arquivo, pfx)
  return pfx
}

async function lerSeHouver(arquivo: string): Promise<Buffer | undefined> {
  try {
    return await readFile(arquivo)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all: a simulator that is killed while it writes leaves no half file behind. */
async function guardar(arquivo: string, conteudo: string | Buffer): Promise<void> {
  const rascunho = `${arquivo}.${randomUUID()}`
  try {
    await writeFile(rascunho, conteudo, { mode: 0o600 })
    await rename(rascunho, arquivo)
  } finally {
    await rm(rascunho, { force: true })
  }
}
