import { tipoDoDocumento } from '../documento/documento.ts'
import { OUTRO_DOCUMENTO } from '../mundo/comportamento.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { acharCadastro } from './cadastro.ts'
import { findCenarioFederal } from './cenarios.ts'
import { type Consulta, escreverCadastro } from './cnpj.ts'
import type { Produto } from './contrato.ts'
import { efeitoFederal } from './efeito.ts'
import { emJson, erroDoGateway } from './mensagem.ts'

const CAMINHO = '/consulta-cnpj-df/v2/'
const PERGUNTA = /^\/consulta-cnpj-df\/v2\/(basica|qsa|empresa)\/([0-9A-Z]{1,14})$/

/** SERPRO's Consulta CNPJ v2. HTTP tells its refusals; the words of their bodies are not known. */
export const consultaCnpj: Produto = {
  caminhos: [CAMINHO],
  documento: ({ caminho }) => PERGUNTA.exec(caminho)?.[2],
  responder: (pedido) => {
    if (pedido.metodo !== 'GET') return erroDoGateway('metodo-errado')
    if (pedido.caminho === `${CAMINHO}status`) return emJson(200, { status: 'UP' })
    const [, dita, ni = ''] = PERGUNTA.exec(pedido.caminho) ?? []
    const consulta = (['basica', 'qsa', 'empresa'] as const).find((uma) => uma === dita)
    return consulta ? responder(consulta, ni) : erroDoGateway('sem-recurso')
  },
}

function responder(consulta: Consulta, ni: string): Mensagem {
  const cenario = findCenarioFederal(ni)?.cnpj
  if (tipoDoDocumento(ni) !== 'cnpj' || cenario === 'invalido')
    return emJson(400, { mensagem: 'CNPJ inválido.' })
  const outro = efeitoFederal(ni, 'contrato')?.tipo === 'outro'
  const cadastro = acharCadastro(outro ? OUTRO_DOCUMENTO : ni)
  if (!cadastro) return emJson(404, { mensagem: 'CNPJ não encontrado.' })
  const { socios, informacoesAdicionais, endereco, ...resto } = escreverCadastro(cadastro, consulta)
  const omite = cenario === 'sem-socios' || cenario === 'empresario'
  const deSocios = omite || socios === undefined ? {} : { socios }
  // Which members may be missing from a partial answer is not known: those that other systems may keep.
  if (cenario === 'sem-simples') return emJson(206, { ...resto, endereco, ...deSocios })
  if (cenario === 'sem-endereco') return emJson(206, { ...resto, informacoesAdicionais, ...deSocios })
  return emJson(200, { ...resto, endereco, informacoesAdicionais, ...deSocios })
}
