import type { Captchas } from '../captcha/captchas.ts'
import type { Autoridade, Opcoes } from '../gateway/autoridade.ts'
import { criarLivro } from './certidao/livro.ts'
import { criarConsultaCnd } from './cnd/consulta-cnd.ts'
import { consultaCnpj } from './cnpj/consulta-cnpj.ts'
import { criarContrato } from './contrato/contrato.ts'
import { criarPortaria } from './contrato/credencial.ts'
import { criarPortalDeCertidoes } from './portal/portal.ts'

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
