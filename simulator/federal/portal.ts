import type { ServerResponse } from 'node:http'
import type { Efeito } from '../mundo/comportamento.ts'
import { enviarComEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Opcoes, Pedido } from '../platform/autoridade.ts'
import type { Mensagem } from '../platform/mensagem.ts'
import type { AbrirCaptcha, Captchas } from '../portal/captcha.ts'
import { comporFio, comporMensagem } from '../portal/efeito.ts'
import { lerPedido } from '../portal/ler.ts'
import { criarSessoes, type Sessoes } from '../portal/sessao.ts'
import { consultar, darSegundaVia, validar } from './consulta.ts'
import { efeitoFederal } from './efeito.ts'
import { emitir, verificar } from './emissao.ts'
import type { Livro } from './livro.ts'
import { ESCRITA, type PedidoFederal, recusarToken, responderJson, type Visita } from './portal-pedido.ts'

const HOST = 'servicos.receitafederal.gov.br'
const API = '/servico/certidoes/api'
const SESSAO = 'SESSION'

type Meios = Opcoes & { captchas: Captchas; livro: Livro }
/** `abrirCaptchas` has one for each site key, of which the portal shows now this, now that. */
type Casa = {
  meios: Meios
  sessoes: Sessoes<Visita>
  abrirCaptchas: readonly AbrirCaptcha[]
  mostrar: () => number
}

/** The public portal of certificates, as far as the six calls that its own page makes. */
export function criarPortalDeCertidoes(meios: Meios): Autoridade {
  const novaSessao = (): Visita => ({ emissao: '', consultas: new Map() })
  const widget = { tipo: 'hcaptcha', hosts: [HOST], desenho: { invisivel: 'tanto-faz' } } as const
  let vistas = 0
  const casa: Casa = {
    meios,
    sessoes: criarSessoes({ sessao: { em: 'cookie' }, novaSessao }, meios.agora),
    abrirCaptchas: ['BR/certidoes', 'BR/certidoes (outra)'].map((nome) =>
      meios.captchas.doPortal({ nome, ...widget }),
    ),
    mostrar: () => vistas++ % 2,
  }
  return {
    nome: 'Portal de certidões da Receita Federal',
    hosts: [HOST],
    pedeCertificado: false,
    atende: (caminho) => caminho.startsWith(`${API}/`),
    responder: (pedido, resposta) => responder(casa, pedido, resposta),
  }
}

/** The calls that a session is needed for. */
const DE_SESSAO = /^\/(?:Emissao|consulta|consulta\/seg-via\/.*)$/

async function responder(casa: Casa, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const { meios } = casa
  const caminho = cru.caminho.slice(API.length)
  const { pedido, efeito } = montar(casa, cru, resposta)
  const sessaoVelha = efeito?.tipo === 'sessao-velha'
  const mensagem = await comporMensagem(
    {
      ...ESCRITA,
      captcha: 'hcaptcha',
      responder: () => chamar(casa, cru.metodo, caminho, pedido),
      fechada: () => responderJson(FECHADO),
    },
    { expirada: () => recusarToken('CaptchaTokenNaoInformado') },
    sessaoVelha && !DE_SESSAO.test(caminho) ? undefined : efeito,
  )
  const fio = comporFio(efeito, mensagem, ESCRITA)
  enviarComEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

/** Each call finds its own name in it. */
const FECHADO = {
  status: 'SistemaIndisponivel',
  statusEmissao: 'SistemaIndisponivel',
  statusConsulta: 'SistemaIndisponivel',
}

/** The request as the calls see it, and what goes wrong with the company that it is about. */
function montar(
  { meios, sessoes, abrirCaptchas }: Casa,
  cru: Pedido,
  resposta: ServerResponse,
): { pedido: PedidoFederal; efeito: Efeito | undefined } {
  const { campos, cookies } = lerPedido(cru, ESCRITA)
  const id = cookies.get(SESSAO)
  const sessao = id !== undefined && sessoes.existe(id) ? sessoes.abrir(id) : undefined
  const ni = campos.get('ni') ?? [...(sessao?.dados.consultas.values() ?? [])].at(-1) ?? ''
  const efeito = efeitoFederal(ni, 'portal')
  const recusa = (): boolean => efeito?.tipo === 'captcha' && efeito.quando === 'recusado'
  const [captcha, ...outros] = abrirCaptchas.map((abrir) =>
    abrir({ sessao: sessao?.id ?? '', host: cru.host, recusa }),
  )
  if (!captcha) throw new Error('O portal de certidões não tem captcha.')
  const entrar = () => {
    const nova = sessao ?? sessoes.abrir(undefined)
    resposta.setHeader(
      'set-cookie',
      `${SESSAO}=${nova.id}; Path=/servico/certidoes; Secure; HttpOnly; SameSite=Lax`,
    )
    return nova
  }
  const chaves = outros.map(({ chave }) => chave)
  const { cabecalhos } = cru
  const { livro, agora } = meios
  return {
    pedido: { campos, ni, sessao, entrar, captcha, chaves, cabecalhos, livro, agora: agora() },
    efeito,
  }
}

function chamar(
  { mostrar }: Casa,
  metodo: string,
  caminho: string,
  pedido: PedidoFederal,
): Mensagem | Promise<Mensagem> {
  const { captcha, chaves } = pedido
  const segundaVia = /^\/consulta\/seg-via\/([\w-]+)$/.exec(caminho)?.[1]
  if (metodo === 'GET' && segundaVia !== undefined) return darSegundaVia(pedido, segundaVia)
  switch (`${metodo} ${caminho}`) {
    case 'GET /env':
      return responderJson({
        production: true,
        captchaPublicKey: [captcha.chave, ...chaves][mostrar()],
        apiUrl: API,
      })
    case 'POST /Emissao/verificar':
      return verificar(pedido)
    case 'POST /Emissao':
      return emitir(pedido)
    case 'POST /consulta/validar-contribuinte':
      return validar(pedido)
    case 'POST /consulta':
      return consultar(pedido)
    default:
      return responderJson({ status: 404, error: 'Not Found', path: API + caminho }, 404)
  }
}
