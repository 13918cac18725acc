import { criarConsultaCnd } from './federal/cnd.ts'
import { consultaCnpj } from './federal/consulta-cnpj.ts'
import { criarContrato } from './federal/contrato.ts'
import { criarPortaria } from './federal/credencial.ts'
import { criarLivro } from './federal/livro.ts'
import { criarPortalDeCertidoes } from './federal/portal.ts'
import type { Autoridade, Opcoes } from './platform/autoridade.ts'
import type { Captchas } from './portal/captcha.ts'

/** The services of the Receita Federal: the contracted gateway and the portal, with one book. */
export function criarReceitaFederal(opcoes: Opcoes & { captchas: Captchas }): readonly Autoridade[] {
  const livro = criarLivro(opcoes.agora)
  const portaria = criarPortaria(opcoes.agora, opcoes.captchas.resolvedor.token)
  const produtos = [consultaCnpj, criarConsultaCnd({ ...opcoes, livro })]
  const contadores = () => ({ emissoes: livro.emissoes() })
  return [
    criarContrato({ ...opcoes, portaria, produtos, contadores }),
    criarPortalDeCertidoes({ ...opcoes, livro }),
  ]
}
