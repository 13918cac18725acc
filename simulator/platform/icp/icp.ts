import { type KeyObject, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DIA_MS } from '../../documento/dia.ts'
import type { Chamador } from '../autoridade.ts'
import {
  type Cadeia,
  type Chaveiro,
  createCadeia,
  createChaveiro,
  createServidores,
  generateEc,
  generateRsa,
  NOMES_ALHEIOS,
  NOSSOS_NOMES,
  POLITICA_A1,
  readCadeia,
  type Servidor,
  umaVez,
  writeCadeia,
} from './cadeia.ts'
import { CATALOGO, DO_OPERADOR, type ItemA1, nomesDoTitular, PESSOA } from './catalogo.ts'
import {
  type Conteudo,
  type Emissor,
  identificadorDoEmissor,
  identificadorDoSujeito,
  issue,
  type Nome,
  pem,
  politica,
  propositos,
  usoDaChave,
} from './certificado.ts'
import { type Pfx, writePfx } from './pkcs12.ts'

const ANO = 365 * DIA_MS

/** Years between the end of the chain and the end of the certificate. */
const DISTANCIA = { vencida: -1, vigente: 0, futura: 1 } as const

/** The PFX of one item of the catalogue (DOC-ICP-04 v8.1; DOC-ICP-05). */
export async function createA1(item: ItemA1, nossa: Cadeia, comuns: Chaveiro): Promise<Buffer> {
  const { raiz, intermediaria, fim } =
    item.emissor === 'nosso' ? nossa : await createCadeia(NOMES_ALHEIOS, nossa.fim)
  const { rsa, ec } = item.par === 'comum' ? comuns : { rsa: generateRsa, ec: generateEc }
  const { privateKey, publicKey } = await (item.chave === 'rsa' ? rsa() : ec())
  const ultimo = fim.getTime() + DISTANCIA[item.validade] * ANO
  const vigencia = { publica: publicKey, inicio: new Date(ultimo - ANO), fim: new Date(ultimo) }
  const folha = issueToTitular(item, vigencia, intermediaria)
  const cadeia = [intermediaria.certificado.raw, raiz.certificado.raw]
  const outra = item.conteudo === 'dois-titulares' ? await daPessoa(vigencia, intermediaria) : undefined
  return writePfx({
    certificados: {
      'titular-e-cadeia': [folha, ...cadeia],
      'cadeia-e-titular': [...cadeia.toReversed(), folha],
      'so-titular': [folha],
      'dois-titulares': [folha, ...cadeia, ...(outra ? [outra.certificado] : [])],
      'sem-chave': [folha, ...cadeia],
    }[item.conteudo],
    chave: item.conteudo === 'sem-chave' ? undefined : { privada: privateKey, certificado: folha },
    outra,
    apelido: item.titular.nome,
    senha: item.senha,
    protecao: item.protecao,
  })
}

async function daPessoa(vigencia: Vigencia, intermediaria: Emissor): Promise<Pfx['outra']> {
  const { privateKey, publicKey } = await generateEc()
  const fim = new Date(vigencia.fim.getTime() - DIA_MS)
  const quem = { titular: PESSOA, documento: 'oids', valores: 'octetos' } as const
  const certificado = issueToTitular(quem, { ...vigencia, publica: publicKey, fim }, intermediaria)
  return { privada: privateKey, certificado }
}

type Vigencia = Pick<Conteudo, 'publica' | 'inicio' | 'fim'>

type DoTitular = Pick<ItemA1, 'titular' | 'documento' | 'valores'>

function issueToTitular(quem: DoTitular, vigencia: Vigencia, intermediaria: Emissor): Buffer {
  const extensoes = [
    identificadorDoEmissor(intermediaria.publica),
    identificadorDoSujeito(vigencia.publica),
    usoDaChave('digitalSignature', 'nonRepudiation', 'keyEncipherment'),
    propositos('clientAuth', 'emailProtection'),
    politica(POLITICA_A1),
    ...(quem.documento === 'oids' ? [nomesDoTitular(quem.titular, quem.valores)] : []),
  ]
  return issue({ nome: nomeDoTitular(quem), ...vigencia, extensoes }, intermediaria)
}

const nomeDoTitular = ({ titular, documento }: DoTitular): Nome => [
  ['C', 'BR'],
  ['O', 'ICP-Brasil'],
  ['ST', 'SP'],
  ['L', 'SAO PAULO'],
  ['OU', 'Secretaria da Receita Federal do Brasil - RFB'],
  ['OU', titular.tipo === 'cnpj' ? 'RFB e-CNPJ A1' : 'RFB e-CPF A1'],
  ['CN', documento === 'ausente' ? titular.nome : `${titular.nome}:${titular.documento}`],
]

/** The key and the certificate by which a holder signs documents. The certificate is in DER. */
export type Assinante = { privada: KeyObject; certificado: Buffer }

export type Sign = (titular: Chamador) => Promise<Assinante>

/**
 * Signers of one RSA key. Their certificates began three years before the chain ends, so old documents hold.
 */
export function createAssinantes(
  openCadeia: () => Promise<Cadeia> = () => createCadeia(NOSSOS_NOMES, new Date(Date.now() + ANO)),
  { rsa }: Chaveiro = createChaveiro(),
): Sign {
  const feitos = new Map<string, Promise<Assinante>>()
  const cadeia = umaVez(openCadeia)
  const create = async (titular: Chamador): Promise<Assinante> => {
    const [{ intermediaria, fim }, { privateKey, publicKey }] = await Promise.all([cadeia(), rsa()])
    const certificado = issueToTitular(
      { titular, documento: 'oids', valores: 'octetos' },
      { publica: publicKey, inicio: new Date(fim.getTime() - 3 * ANO), fim },
      intermediaria,
    )
    return { privada: privateKey, certificado }
  }
  return (titular) => {
    const assinante = feitos.get(titular.documento) ?? create(titular)
    feitos.set(titular.documento, assinante)
    return assinante
  }
}

const DURACAO = 335 * DIA_MS

/** A kept chain that ends sooner than this is made anew, and all that hangs from it. */
const FOLGA = 30 * DIA_MS

export type Icp = {
  /** The root, in PEM: all that a client has to trust. */
  ca: string
  /** The root and the intermediate, in PEM. Authorities accept client certificates under them. */
  cadeia: readonly string[]
  /** The files of general use. The others are made too, and listed elsewhere. */
  catalogo: readonly ItemA1[]
  servidor: (nome: string) => Servidor
  assinante: Sign
  /** The A1 file of this name, made at the first call and kept; undefined for other names. */
  certificado: (nome: string) => Promise<{ pfx: Buffer; item: ItemA1 } | undefined>
}

/** Opens the authority kept in a folder, or makes it; one that ends within 30 days is made anew. */
export async function openIcp(pasta: string, now: () => Date, outros: readonly ItemA1[]): Promise<Icp> {
  const itens = new Map([...CATALOGO, ...outros].map((item) => [item.nome, item]))
  const pastaDosCertificados = join(pasta, 'certificados')
  await mkdir(pastaDosCertificados, { recursive: true, mode: 0o700 })
  const cadeia = await openCadeia(pasta, pastaDosCertificados, now, outros)
  const chaveiro = createChaveiro()
  const pedidos = new Map<string, Promise<Buffer>>()
  const certificado: Icp['certificado'] = async (nome) => {
    const item = itens.get(nome)
    if (!item) return undefined
    const pedido =
      pedidos.get(nome) ?? openA1(join(pastaDosCertificados, `${nome}.pfx`), item, cadeia, chaveiro)
    pedidos.set(nome, pedido)
    pedido.catch(() => pedidos.delete(nome))
    return { pfx: await pedido, item }
  }
  await certificado(DO_OPERADOR.nome)
  return {
    ca: pem(cadeia.raiz.certificado.raw),
    cadeia: [pem(cadeia.raiz.certificado.raw), pem(cadeia.intermediaria.certificado.raw)],
    catalogo: CATALOGO,
    servidor: createServidores(cadeia, now),
    assinante: createAssinantes(async () => cadeia, chaveiro),
    certificado,
  }
}

async function openCadeia(
  pasta: string,
  pastaDosCertificados: string,
  now: () => Date,
  outros: readonly ItemA1[],
): Promise<Cadeia> {
  const arquivo = join(pasta, 'autoridade.pem')
  const guardada = readCadeia((await readSeHouver(arquivo))?.toString('utf8') ?? '', outros)
  if (guardada && guardada.fim.getTime() - now().getTime() > FOLGA) return guardada
  const nova = await createCadeia(NOSSOS_NOMES, new Date(now().getTime() + DURACAO))
  await rm(pastaDosCertificados, { recursive: true })
  await mkdir(pastaDosCertificados, { mode: 0o700 })
  await keep(arquivo, writeCadeia(nova, outros))
  return nova
}

async function openA1(arquivo: string, item: ItemA1, cadeia: Cadeia, chaveiro: Chaveiro): Promise<Buffer> {
  const guardado = await readSeHouver(arquivo)
  if (guardado) return guardado
  const pfx = await createA1(item, cadeia, chaveiro)
  await keep(arquivo, pfx)
  return pfx
}

async function readSeHouver(arquivo: string): Promise<Buffer | undefined> {
  try {
    return await readFile(arquivo)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all: a simulator that is killed while it writes leaves no half file behind. */
async function keep(arquivo: string, conteudo: string | Buffer): Promise<void> {
  const rascunho = `${arquivo}.${randomUUID()}`
  try {
    await writeFile(rascunho, conteudo, { mode: 0o600 })
    await rename(rascunho, arquivo)
  } finally {
    await rm(rascunho, { force: true })
  }
}
