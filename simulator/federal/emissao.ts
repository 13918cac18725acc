import { sementeDe } from '../documento/documento.ts'
import { mascararDocumento } from '../documento/mascara.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import { findCenarioFederal } from './cenarios.ts'
import { octetosDaCertidao } from './octetos.ts'
import {
  banner,
  conferirCaptcha,
  conferirCorpo,
  escreverMensagem,
  type PedidoFederal,
  recusarToken,
  responderJson,
} from './portal-pedido.ts'
import { type Situacao, situacaoDe } from './situacao.ts'
import { EM_PROCESSAMENTO, recusaDaFilial, recusaDe } from './textos.ts'

/** `POST /Emissao/verificar`: the captcha, and whether there is anything to issue. It begins the visit. */
export function verificar(pedido: PedidoFederal): Mensagem {
  const recusa = conferirCaptcha(pedido) ?? conferirCorpo(pedido)
  if (recusa) return recusa
  const { ni, livro } = pedido
  const situacao = situacaoDe(ni)
  const dizer = (status: string, texto?: string): Mensagem =>
    responderJson({ status, ...(texto === undefined ? {} : { mensagem: escreverMensagem(pedido, texto) }) })
  const mania = findCenarioFederal(ni)?.portal
  if (mania === 'sistema-fora') return dizer('SistemaIndisponivel', banner(pedido, '033'))
  const { dados } = pedido.entrar()
  dados.emissao = ni
  const negada = recusar(pedido, situacao)
  if (negada && (mania === 'nao-emitida' || recusaCedo(ni))) return dizer('NaoEmitida', negada)
  livro.perguntar(situacao)
  return !negada && livro.valida(situacao)
    ? dizer('Emitida', `Já existe uma certidão válida para o CNPJ ${mascararDocumento(ni)}.`)
    : dizer('ContinuarEmissao')
}

/** `POST /Emissao`: issues, also while another certificate is valid. Asked again while it is under way. */
export async function emitir(pedido: PedidoFederal): Promise<Mensagem> {
  const { ni, sessao, livro } = pedido
  if (sessao?.dados.emissao !== ni) return recusarToken('CaptchaTokenNaoInformado')
  const recusa = conferirCorpo(pedido)
  if (recusa) return recusa
  const situacao = situacaoDe(ni)
  const dizer = (statusEmissao: string, texto: string, mais: Record<string, unknown> = {}): Mensagem =>
    responderJson({ statusEmissao, mensagem: escreverMensagem(pedido, texto), ...mais })
  const mania = findCenarioFederal(ni)?.portal
  if (mania === '033') return dizer('SistemaIndisponivel', banner(pedido, '033'), { codigo: '033' })
  if (mania === 'base-fora') return dizer('SistemaIndisponivel', banner(pedido, '033'))
  const negada = recusar(pedido, situacao)
  if (negada) return dizer('SemDireitoCertidao', negada)
  const certidao = livro.emitir(situacao, sessao.id)
  if (!certidao) {
    if (mania === 'sessao-morre') sessao.encerrar()
    return dizer('EmProcessamento', EM_PROCESSAMENTO.join(' '))
  }
  const { validade, codigo } = certidao
  return dizer('Sucesso', `A certidão foi emitida com sucesso para o CNPJ ${mascararDocumento(ni)}.`, {
    pdf: (await octetosDaCertidao(certidao)).toString('base64'),
    // Both are left out of some answers.
    ...(sementeDe(ni) % 3 === 0 ? {} : { dataValidade: validade, numeroCertidao: codigo }),
  })
}

/** Why there is no certificate for this CNPJ; undefined where there is. */
function recusar({ ni }: PedidoFederal, situacao: Situacao): string | undefined {
  if (situacao.desfecho === 'nao-inscrito') return recusaDe(situacao)
  const deOutra = situacao.matriz !== ni && situacao.matriz.startsWith(ni.slice(0, 8))
  return deOutra ? recusaDaFilial(ni, situacao.matriz) : recusaDe(situacao)
}

/** Whether a refusal is told before the issuance or by it: both are met, and the CNPJ chooses. */
const recusaCedo = (ni: string): boolean => sementeDe(ni) % 5 === 0
