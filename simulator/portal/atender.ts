import type { ServerResponse } from 'node:http'
import { type Efeito, efeitoEm } from '../mundo/comportamento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Pedido } from '../platform/autoridade.ts'
import { enviar } from '../platform/mensagem.ts'
import type { AbrirCaptcha } from './captcha.ts'
import type { Definicao, MeiosDoPortal } from './definicao.ts'
import { comporFio, comporMensagem } from './efeito.ts'
import { redirecionar } from './mensagem.ts'
import { montarPedido } from './montar.ts'
import { acharComportamento } from './registro.ts'
import type { Sessoes } from './sessao.ts'

/** Which paths are a portal's, and how it answers: session, captcha, misbehaviour and all. */
export function atenderPortal<S>(
  definicao: Definicao<S>,
  sessoes: Sessoes<S>,
  meios: MeiosDoPortal,
): Pick<Autoridade, 'atende' | 'responder'> {
  const { uf, servico, captcha: tipo = 'nenhum', widget: desenho, hosts } = definicao
  const abrirCaptcha = meios.captchas.doPortal({ nome: `${uf}/${servico}`, tipo, hosts, desenho })
  const { atende } = definicao
  return {
    ...(atende ? { atende: (caminho) => atende(separarSessao(definicao, caminho).caminho) } : {}),
    responder: (pedido, resposta) => responder({ definicao, sessoes, meios, abrirCaptcha }, pedido, resposta),
  }
}

type Casa<S> = {
  definicao: Definicao<S>
  sessoes: Sessoes<S>
  meios: MeiosDoPortal
  abrirCaptcha: AbrirCaptcha
}

async function responder<S>(casa: Casa<S>, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const { definicao, sessoes, meios } = casa
  const { caminho, id } = separarSessao(definicao, cru.caminho)
  if (definicao.sessao.em === 'caminho' && (id === undefined || !sessoes.existe(id))) {
    const consulta = cru.consulta.size > 0 ? `?${cru.consulta}` : ''
    enviar(redirecionar(definicao, `${sessoes.abrir(undefined).raiz}${caminho}${consulta}`), resposta)
    return
  }
  let efeito: Efeito | undefined
  const recusa = (): boolean => efeito?.tipo === 'captcha' && efeito.quando === 'recusado'
  const { pedido, cookies } = montarPedido({ ...casa, recusa, id }, { ...cru, caminho })
  const documento = definicao.documento(pedido)
  const comportamento = documento ? acharComportamento(definicao.uf, documento) : undefined
  efeito = efeitoEm(comportamento?.efeito, definicao.uf, definicao.servico)
  const mensagem = await comporMensagem(definicao, pedido, efeito)
  if (cookies.length > 0) resposta.setHeader('set-cookie', cookies)
  const fio = comporFio(efeito, mensagem, definicao)
  enviarComEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

/** Takes the segment of a session out of a path. */
function separarSessao(
  { sessao }: Pick<Definicao, 'sessao'>,
  caminho: string,
): { caminho: string; id: string | undefined } {
  const [, id, resto] = (sessao.em === 'caminho' && /^\/\(S\(([^)/]*)\)\)(\/.*)?$/.exec(caminho)) || []
  return id === undefined ? { caminho, id } : { caminho: resto ?? '/', id }
}
