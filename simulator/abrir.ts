import { portais } from './estados/estados.ts'
import { criarConsultaCnd } from './federal/cnd.ts'
import { consultaCnpj } from './federal/cnpj.ts'
import { criarContrato } from './federal/contrato.ts'
import { criarLivro as criarLivroFederal } from './federal/livro.ts'
import { criarPortalDeCertidoes } from './federal/portal.ts'
import { criarPortaria } from './federal/token.ts'
import { criarCadastros } from './inscricao/cadastro.ts'
import { criarCcc } from './inscricao/ccc.ts'
import { criarDistribuicao } from './nfe/distribuicao.ts'
import { criarEventos } from './nfe/eventos.ts'
import { criarLivro, type Livro } from './nfe/nota.ts'
import { criarPortalNacional } from './nfe/portal.ts'
import { criarEscrivao } from './nfe/proc.ts'
import type { Autoridade, Opcoes } from './platform/autoridade.ts'
import { type Gateway, startGateway } from './platform/gateway.ts'
import { type Assinar, criarAssinantes, openIcp } from './platform/icp/icp.ts'
import { type Captchas, criarCaptchas } from './portal/captcha.ts'
import { criarAcervoFundiario } from './rural/acervo-fundiario.ts'
import { criarConectorCnir } from './rural/cnir.ts'
import { criarGovBr, criarSelo, criarSigef } from './rural/sigef.ts'
import { criarDisponibilidade } from './sefaz/disponibilidade.ts'
import { criarSefaz, type Sefaz } from './sefaz/sefaz.ts'
import { criarSituacao } from './sefaz/situacao.ts'
import { criarStatus } from './sefaz/status.ts'
import { type Cliente, criarPaginas } from './site/site.ts'

/** The services of the Receita Federal: the contracted gateway and the portal, with one book. */
export function criarReceitaFederal(opcoes: Opcoes & { captchas: Captchas }): readonly Autoridade[] {
  const livro = criarLivroFederal(opcoes.agora)
  const portaria = criarPortaria(opcoes.agora, opcoes.captchas.resolvedor.token)
  const produtos = [consultaCnpj, criarConsultaCnd({ ...opcoes, livro })]
  const contadores = () => ({ emissoes: livro.emissoes() })
  return [
    criarContrato({ ...opcoes, portaria, produtos, contadores }),
    criarPortalDeCertidoes({ ...opcoes, livro }),
  ]
}

/**
 * The connector to CNIR, SIGEF with its login, the open geodata. Secret and cookies follow from `semente`.
 */
function criarRurais(opcoes: Opcoes & { semente: string }): Autoridade[] {
  const selo = criarSelo(opcoes.semente)
  return [
    criarConectorCnir(opcoes),
    criarSigef({ ...opcoes, selo }),
    criarGovBr({ ...opcoes, selo }),
    criarAcervoFundiario(opcoes),
  ]
}

type OpcoesDeTodas = Opcoes & {
  captchas?: Captchas
  /** Signs the notes. Left out, the signers have a chain of their own. */
  assinante?: Assinar
  livro?: Livro
  /** How the authorizers stand. Given by a caller that overrides it, or that has a clock of its own. */
  sefaz?: Sefaz
  /** What the national environment accepts signatures under, in PEM; left out, it accepts none. */
  cadeia?: readonly string[]
}

/** All authorities of the simulator. The portals of `estados/` come last. */
export function criarAutoridades(opcoes: OpcoesDeTodas): readonly Autoridade[] {
  const {
    captchas = criarCaptchas(opcoes.agora),
    assinante = criarAssinantes(),
    livro = criarLivro(),
    sefaz = criarSefaz(opcoes),
  } = opcoes
  const escreverNfeProc = criarEscrivao(assinante)
  const nacionais = { ...opcoes, captchas, livro, escreverNfeProc }
  return [
    ...criarCadastros(opcoes),
    ...criarStatus(sefaz),
    ...criarSituacao(sefaz),
    criarDistribuicao(nacionais),
    ...criarEventos(nacionais),
    ...criarDisponibilidade(sefaz),
    criarPortalNacional(nacionais),
    ...criarReceitaFederal({ ...opcoes, captchas }),
    ...criarRurais({ ...opcoes, semente: opcoes.cadeia?.join('') ?? '' }),
    criarCcc().abrir({ ...opcoes, captchas }),
    ...portais.map((portal) => portal.abrir({ ...opcoes, captchas })),
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
export async function abrirSimulador({
  pasta,
  host,
  porta,
  ritmo,
  agora,
  cliente,
}: Abertura): Promise<Gateway> {
  const icp = await openIcp(pasta, agora)
  const { assinante, cadeia } = icp
  const captchas = criarCaptchas(agora, icp.ca)
  return startGateway({
    porta,
    host,
    icp,
    autoridades: criarAutoridades({ agora, ritmo, captchas, assinante, cadeia }),
    paginas: criarPaginas(agora, cliente),
    resolvedor: captchas.resolvedor,
    ritmo,
  })
}
