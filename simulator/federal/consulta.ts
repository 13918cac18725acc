import { randomUUID } from 'node:crypto'
import type { Mensagem } from '../platform/mensagem.ts'
import { findCenarioFederal } from './cenarios.ts'
import { type CertidaoFederal, emBrasilia } from './certidao.ts'
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
import { situacaoDe } from './situacao.ts'

/** How many searches of a visitor are remembered. */
const CONSULTAS = 16

/** `POST /consulta/validar-contribuinte`: the captcha, and the id of a search. It begins the visit. */
export function validar(pedido: PedidoFederal): Mensagem {
  const recusa = conferirCaptcha(pedido) ?? conferirCorpo(pedido)
  if (recusa) return recusa
  if (findCenarioFederal(pedido.ni)?.portal === 'sistema-fora')
    return responderJson({ status: 'SistemaIndisponivel', mensagem: banner(pedido, '033') })
  const { consultas } = pedido.entrar().dados
  const idConsulta = randomUUID()
  consultas.set(idConsulta, pedido.ni)
  const [primeira] = consultas.keys()
  if (consultas.size > CONSULTAS && primeira !== undefined) consultas.delete(primeira)
  return responderJson({ status: 'Sucesso', idConsulta })
}

/** `POST /consulta`: the certificates of the head office in a period of issue. */
export function consultar(pedido: PedidoFederal): Mensagem {
  const { campos, ni, sessao, livro, agora } = pedido
  const dita = campos.get('idConsulta') ?? ''
  if (sessao?.dados.consultas.get(dita) !== ni) return recusarToken('CaptchaTokenNaoInformado')
  const [inicio, fim] = [diaEm(campos.get('periodoInicio')), diaEm(campos.get('periodoFim'))]
  if (conferirCorpo(pedido) || campos.get('tipoPesquisa') !== 'DATA_EMISSAO' || !inicio || !fim)
    return responderJson({ statusValidacao: 'PesquisaInvalida' }, 400)
  const mania = findCenarioFederal(ni)?.portal
  const semLista = (statusConsulta: string): Mensagem =>
    responderJson({
      statusConsulta,
      mensagem: escreverMensagem(pedido, banner(pedido, '033')),
      certidoes: [],
    })
  if (mania === 'base-fora') return semLista('BaseIndisponivel')
  const situacao = situacaoDe(ni)
  livro.perguntar(situacao)
  const todas = situacao.matriz === ni ? livro.certidoes(situacao) : []
  const achadas = todas.filter(({ emissao }) => emissao >= inicio && emissao <= fim)
  if (achadas.length === 0) return responderJson({ statusConsulta: 'CertidaoNaoEncontrada', certidoes: [] })
  const hoje = emBrasilia(agora.getTime()).dia
  return responderJson({
    statusConsulta: mania === 'mais-300' ? 'SucessoMais300' : 'Sucesso',
    certidoes: achadas.map((uma) => linha(uma, hoje, mania !== 'sem-segunda-via')),
  })
}

/** `GET /consulta/seg-via/{idCertidao}`: the file of a certificate that the visitor's searches found. */
export async function darSegundaVia(pedido: PedidoFederal, id: string): Promise<Mensagem> {
  const { sessao, livro } = pedido
  if (!sessao) return recusarToken('CaptchaTokenNaoInformado')
  const perguntadas = [...new Set(sessao.dados.consultas.values())]
  const certidao = perguntadas
    .filter((ni) => findCenarioFederal(ni)?.portal !== 'sem-segunda-via')
    .flatMap((ni) => livro.certidoes(situacaoDe(ni)))
    .find((uma) => uma.id === id && !uma.anulada)
  if (!certidao)
    return responderJson({ status: 'CertidaoNaoEncontrada', mensagem: 'A certidão não foi encontrada.' })
  const pdf = (await octetosDaCertidao(certidao)).toString('base64')
  return responderJson({ status: 'Sucesso', pdf, mensagem: null })
}

/** A day out of `YYYY-MM-DD`, with or without an hour; undefined for anything else. */
function diaEm(texto = ''): string | undefined {
  return /^(\d{4}-\d\d-\d\d)(?:T.*)?$/.exec(texto)?.[1]
}

const TIPO = {
  negativa: 'Negativa',
  efeitos: 'Positiva com efeitos de negativa',
  positiva: 'Positiva',
} as const

function linha(certidao: CertidaoFederal, hoje: string, temSegundaVia: boolean): Record<string, unknown> {
  const { id, codigo, tipo, emissao, hora, validade, anulada } = certidao
  return {
    idCertidao: id,
    hasSegundaVia: temSegundaVia && !anulada,
    numeroControle: codigo,
    tipoCertidao: TIPO[tipo],
    dataEmissao: `${emissao}T${hora}`,
    dataValidade: `${validade}T00:00:00`,
    situacao: anulada ? 'Anulada' : validade < hoje ? 'Vencida' : 'Válida',
  }
}
