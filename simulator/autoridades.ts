import { portais } from './estados/estados.ts'
import { createConsultaCnd } from './federal/cnd.ts'
import { consultaCnpj } from './federal/cnpj.ts'
import { createContrato } from './federal/contrato.ts'
import { createLivro as createLivroFederal } from './federal/livro.ts'
import { createPortalDeCertidoes } from './federal/portal.ts'
import { createPortaria } from './federal/token.ts'
import { createCadastros } from './inscricao/cadastro.ts'
import { createCcc } from './inscricao/ccc.ts'
import { CATALOGO_NFE } from './nfe/cenarios.ts'
import { createDistribuicao } from './nfe/distribuicao.ts'
import { createEventos } from './nfe/eventos.ts'
import { createLivroDeEventos, type Livro } from './nfe/nota.ts'
import { createPortalNacional } from './nfe/portal.ts'
import { createEscrivao } from './nfe/proc.ts'
import type { Autoridade, Opcoes } from './platform/autoridade.ts'
import { type Gateway, startGateway } from './platform/gateway.ts'
import { createAssinantes, openIcp, type Sign } from './platform/icp/icp.ts'
import { type Captchas, createCaptchas } from './portal/captcha.ts'
import { createAcervoFundiario } from './rural/acervo-fundiario.ts'
import { createConectorCnir } from './rural/cnir.ts'
import { createGovBr, createSelo, createSigef } from './rural/sigef.ts'
import { createDisponibilidade } from './sefaz/disponibilidade.ts'
import { createSefaz, type Sefaz } from './sefaz/sefaz.ts'
import { createSituacao } from './sefaz/situacao.ts'
import { createStatus } from './sefaz/status.ts'
import { type Cliente, createPaginas } from './site/site.ts'

/** The services of the Receita Federal: the contracted gateway and the portal, with one book. */
export function createReceitaFederal(opcoes: Opcoes & { captchas: Captchas }): readonly Autoridade[] {
  const livro = createLivroFederal(opcoes.agora)
  const portaria = createPortaria(opcoes.agora, opcoes.captchas.resolvedor.token)
  const produtos = [consultaCnpj, createConsultaCnd({ ...opcoes, livro })]
  const contadores = () => ({ emissoes: livro.emissoes() })
  return [
    createContrato({ ...opcoes, portaria, produtos, contadores }),
    createPortalDeCertidoes({ ...opcoes, livro }),
  ]
}

/**
 * The connector to CNIR, SIGEF with its login, the open geodata. Secret and cookies follow from `semente`.
 */
function createRurais(opcoes: Opcoes & { semente: string }): Autoridade[] {
  const selo = createSelo(opcoes.semente)
  return [
    createConectorCnir(opcoes),
    createSigef({ ...opcoes, selo }),
    createGovBr({ ...opcoes, selo }),
    createAcervoFundiario(opcoes),
  ]
}

type OpcoesDeTodas = Opcoes & {
  captchas?: Captchas
  /** Signs the notes. Left out, the signers have a chain of their own. */
  assinante?: Sign
  livro?: Livro
  /** How the authorizers stand. Given by a caller that overrides it, or that has a clock of its own. */
  sefaz?: Sefaz
  /** What the national environment accepts signatures under, in PEM; left out, it accepts none. */
  cadeia?: readonly string[]
}

/** All authorities of the simulator. The portals of `estados/` come last. */
export function createAutoridades(opcoes: OpcoesDeTodas): readonly Autoridade[] {
  const {
    captchas = createCaptchas(opcoes.agora),
    assinante = createAssinantes(),
    livro = createLivroDeEventos(),
    sefaz = createSefaz(opcoes),
  } = opcoes
  const writeNfeProc = createEscrivao(assinante)
  const nacionais = { ...opcoes, captchas, livro, writeNfeProc }
  return [
    ...createCadastros(opcoes),
    ...createStatus(sefaz),
    ...createSituacao(sefaz),
    createDistribuicao(nacionais),
    ...createEventos(nacionais),
    ...createDisponibilidade(sefaz),
    createPortalNacional(nacionais),
    ...createReceitaFederal({ ...opcoes, captchas }),
    ...createRurais({ ...opcoes, semente: opcoes.cadeia?.join('') ?? '' }),
    createCcc().open({ ...opcoes, captchas }),
    ...portais.map((portal) => portal.open({ ...opcoes, captchas })),
  ]
}

type Abertura = {
  pasta: string
  host: string
  porta: number
  ritmo: number
  agora: () => Date
  cliente?: () => Cliente | undefined
}

/** Opens the whole simulator: every authority, its certificates, its captchas and its pages, on one port. */
export async function openSimulador({
  pasta,
  host,
  porta,
  ritmo,
  agora,
  cliente,
}: Abertura): Promise<Gateway> {
  const icp = await openIcp(pasta, agora, CATALOGO_NFE)
  const { assinante, cadeia } = icp
  const captchas = createCaptchas(agora, icp.ca)
  return startGateway({
    porta,
    host,
    icp,
    autoridades: createAutoridades({ agora, ritmo, captchas, assinante, cadeia }),
    paginas: createPaginas(agora, cliente),
    resolvedor: captchas.resolvedor,
    ritmo,
  })
}
