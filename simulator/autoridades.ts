import { portais } from './estados/estados.ts'
import { criarCadastros } from './inscricao/cadastro.ts'
import { criarCcc } from './inscricao/ccc.ts'
import { criarDistribuicao } from './nfe/distribuicao.ts'
import { criarEventos } from './nfe/eventos.ts'
import { criarLivro } from './nfe/livro.ts'
import type { Livro } from './nfe/nota.ts'
import { criarPortalNacional } from './nfe/portal.ts'
import { criarEscrivao } from './nfe/proc.ts'
import type { Autoridade, Opcoes } from './platform/autoridade.ts'
import { type Assinar, criarAssinantes } from './platform/icp/assinante.ts'
import { type Captchas, criarCaptchas } from './portal/captcha.ts'
import { criarReceitaFederal } from './receita-federal.ts'
import { criarRurais } from './rurais.ts'
import { criarDisponibilidade } from './sefaz/disponibilidade.ts'
import { criarSefaz, type Sefaz } from './sefaz/sefaz.ts'
import { criarSituacao } from './sefaz/situacao.ts'
import { criarStatus } from './sefaz/status.ts'

type OpcoesDeTodas = Opcoes & {
  /** Given by a caller that also opens the solver. */
  captchas?: Captchas
  /** Signs the notes. Left out, the signers have a chain of their own. */
  assinante?: Assinar
  /** Given by a caller that reads it. Left out, a new one. */
  livro?: Livro
  /** How the authorizers stand. Given by a caller that overrides it, or that has a clock of its own. */
  sefaz?: Sefaz
  /** What the national environment accepts signatures under, in PEM; left out, it accepts none. */
  cadeia?: readonly string[]
}

/**
 * All authorities of the simulator: the web services, the national portal and register, then the portals of
 * `estados/`.
 */
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
