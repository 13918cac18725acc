import type { Captchas } from '../captcha/captchas.ts'
import type { Autoridade, Opcoes } from '../gateway/autoridade.ts'
import { consultaCnpj } from './cnpj/consulta-cnpj.ts'
import { criarContrato } from './contrato/contrato.ts'
import { criarPortaria } from './contrato/credencial.ts'

/** The services of the Receita Federal: the contracted gateway. */
export function criarReceitaFederal(opcoes: Opcoes & { captchas: Captchas }): readonly Autoridade[] {
  const portaria = criarPortaria(opcoes.agora, opcoes.captchas.resolvedor.token)
  return [criarContrato({ ...opcoes, portaria, produtos: [consultaCnpj], contadores: () => ({}) })]
}
