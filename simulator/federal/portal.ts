import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { emBrasilia } from '../documento/dia.ts'
import { maskDocumento, sementeDe, tipoDoDocumento } from '../documento/documento.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import { sendWithEfeito } from '../mundo/efeito.ts'
import type { Autoridade, Mensagem, Opcoes, Pedido } from '../platform/autoridade.ts'
import type { Captchas, OpenCaptcha } from '../portal/captcha.ts'
import { type Lido, readPedido, writeJson } from '../portal/mensagem.ts'
import { createSessoes, type Sessao, type Sessoes } from '../portal/pedido.ts'
import { composeFio, composeMensagem } from '../portal/portal.ts'
import { type CertidaoFederal, efeitoFederal, findCenarioFederal } from './cenarios.ts'
import { EM_PROCESSAMENTO, type Livro, recusaDaFilial, recusaDe, type Situacao, situacaoDe } from './livro.ts'
import { octetosDaCertidao } from './papel.ts'

const ESCRITA = { charset: 'utf-8', motor: 'spa' } as const

type Visita = { emissao: string; consultas: Map<string, string> }

type PedidoFederal = {
  campos: Lido['campos']
  ni: string
  sessao: Sessao<Visita> | undefined
  enter: () => Sessao<Visita>
  captcha: ReturnType<OpenCaptcha>
  chaves: readonly string[]
  cabecalhos: Pedido['cabecalhos']
  livro: Livro
  agora: Date
}

const answerJson = (valor: unknown, status = 200): Mensagem => writeJson(ESCRITA, valor, status)

/** The refusal of a captcha's token; with what its absence is called, that of a visitor without session. */
const refuseToken = (statusValidacao: 'CaptchaFalhaValidacao' | 'CaptchaTokenNaoInformado'): Mensagem =>
  answerJson({ statusValidacao, codigo: '023' }, 400)

/** The refusal of a request's token; undefined when it is good. Right or wrong, it is used up. */
function checkCaptcha({ captcha, cabecalhos, chaves }: PedidoFederal): Mensagem | undefined {
  const token = cabecalhos['x-captcha-token']
  if (typeof token !== 'string' || token === '') return refuseToken('CaptchaTokenNaoInformado')
  return captcha.checkToken(token, chaves) ? undefined : refuseToken('CaptchaFalhaValidacao')
}

/** The refusal of a body that names no company; undefined when it does. */
function checkCorpo({ campos, ni }: PedidoFederal): Mensagem | undefined {
  if (campos.get('tipoContribuinte') === 'PJ' && tipoDoDocumento(ni) === 'cnpj') return undefined
  return answerJson({ statusValidacao: 'NiInvalido' }, 400)
}

/** A message as a text, or with its hour: clients met both. The CNPJ chooses. */
function writeMensagem({ ni, agora }: PedidoFederal, texto: string): unknown {
  const { dia, hora } = emBrasilia(agora.getTime())
  return sementeDe(ni) % 2 === 0 ? { texto, data: `${dia}T${hora}` } : texto
}

function banner({ agora }: PedidoFederal, numero: string): string {
  const { dia, hora } = emBrasilia(agora.getTime())
  const quando = `${dia.split('-').reverse().join('/')} ${hora}`
  return `Não foi possível concluir a ação para o contribuinte informado. Por favor, tente novamente dentro de alguns minutos. ${numero} - ${quando}`
}

const CONSULTAS = 16

/** `POST /consulta/validar-contribuinte`: the captcha, and the id of a search. It begins the visit. */
function validate(pedido: PedidoFederal): Mensagem {
  const recusa = checkCaptcha(pedido) ?? checkCorpo(pedido)
  if (recusa) return recusa
  if (findCenarioFederal(pedido.ni)?.portal === 'sistema-fora')
    return answerJson({ status: 'SistemaIndisponivel', mensagem: banner(pedido, '033') })
  const { consultas } = pedido.enter().dados
  const idConsulta = randomUUID()
  consultas.set(idConsulta, pedido.ni)
  const [primeira] = consultas.keys()
  if (consultas.size > CONSULTAS && primeira !== undefined) consultas.delete(primeira)
  return answerJson({ status: 'Sucesso', idConsulta })
}

/** `POST /consulta`: the certificates of the head office in a period of issue. */
function query(pedido: PedidoFederal): Mensagem {
  const { campos, ni, sessao, livro, agora } = pedido
  const dita = campos.get('idConsulta') ?? ''
  if (sessao?.dados.consultas.get(dita) !== ni) return refuseToken('CaptchaTokenNaoInformado')
  const [inicio, fim] = [diaEm(campos.get('periodoInicio')), diaEm(campos.get('periodoFim'))]
  if (checkCorpo(pedido) || campos.get('tipoPesquisa') !== 'DATA_EMISSAO' || !inicio || !fim)
    return answerJson({ statusValidacao: 'PesquisaInvalida' }, 400)
  const mania = findCenarioFederal(ni)?.portal
  const semLista = (statusConsulta: string): Mensagem =>
    answerJson({
      statusConsulta,
      mensagem: writeMensagem(pedido, banner(pedido, '033')),
      certidoes: [],
    })
  if (mania === 'base-fora') return semLista('BaseIndisponivel')
  const situacao = situacaoDe(ni)
  livro.ask(situacao)
  const todas = situacao.matriz === ni ? livro.certidoes(situacao) : []
  const achadas = todas.filter(({ emissao }) => emissao >= inicio && emissao <= fim)
  if (achadas.length === 0) return answerJson({ statusConsulta: 'CertidaoNaoEncontrada', certidoes: [] })
  const hoje = emBrasilia(agora.getTime()).dia
  return answerJson({
    statusConsulta: mania === 'mais-300' ? 'SucessoMais300' : 'Sucesso',
    certidoes: achadas.map((uma) => linha(uma, hoje, mania !== 'sem-segunda-via')),
  })
}

async function giveSegundaVia(pedido: PedidoFederal, id: string): Promise<Mensagem> {
  const { sessao, livro } = pedido
  if (!sessao) return refuseToken('CaptchaTokenNaoInformado')
  const perguntadas = [...new Set(sessao.dados.consultas.values())]
  const certidao = perguntadas
    .filter((ni) => findCenarioFederal(ni)?.portal !== 'sem-segunda-via')
    .flatMap((ni) => livro.certidoes(situacaoDe(ni)))
    .find((uma) => uma.id === id && !uma.anulada)
  if (!certidao)
    return answerJson({ status: 'CertidaoNaoEncontrada', mensagem: 'A certidão não foi encontrada.' })
  const pdf = (await octetosDaCertidao(certidao)).toString('base64')
  return answerJson({ status: 'Sucesso', pdf, mensagem: null })
}

/** A day out of `YYYY-MM-DD`, with or without an hour; undefined for anything else. */
const diaEm = (texto = ''): string | undefined => /^(\d{4}-\d\d-\d\d)(?:T.*)?$/.exec(texto)?.[1]

const TIPO = {
  negativa: 'Negativa',
  efeitos: 'Positiva com efeitos de negativa',
  positiva: 'Positiva',
} as const

function linha(certidao: CertidaoFederal, hoje: string, hasSegundaVia: boolean): Record<string, unknown> {
  const { id, codigo, tipo, emissao, hora, validade, anulada } = certidao
  return {
    idCertidao: id,
    hasSegundaVia: hasSegundaVia && !anulada,
    numeroControle: codigo,
    tipoCertidao: TIPO[tipo],
    dataEmissao: `${emissao}T${hora}`,
    dataValidade: `${validade}T00:00:00`,
    situacao: anulada ? 'Anulada' : validade < hoje ? 'Vencida' : 'Válida',
  }
}

/** `POST /Emissao/verificar`: the captcha, and whether there is anything to issue. It begins the visit. */
function verify(pedido: PedidoFederal): Mensagem {
  const recusa = checkCaptcha(pedido) ?? checkCorpo(pedido)
  if (recusa) return recusa
  const { ni, livro } = pedido
  const situacao = situacaoDe(ni)
  const say = (status: string, texto?: string): Mensagem =>
    answerJson({ status, ...(texto === undefined ? {} : { mensagem: writeMensagem(pedido, texto) }) })
  const mania = findCenarioFederal(ni)?.portal
  if (mania === 'sistema-fora') return say('SistemaIndisponivel', banner(pedido, '033'))
  const { dados } = pedido.enter()
  dados.emissao = ni
  const negada = refuse(pedido, situacao)
  if (negada && (mania === 'nao-emitida' || recusaCedo(ni))) return say('NaoEmitida', negada)
  livro.ask(situacao)
  return !negada && livro.valida(situacao)
    ? say('Emitida', `Já existe uma certidão válida para o CNPJ ${maskDocumento(ni)}.`)
    : say('ContinuarEmissao')
}

/** `POST /Emissao`: issues, also while another certificate is valid. Asked again while it is under way. */
async function issue(pedido: PedidoFederal): Promise<Mensagem> {
  const { ni, sessao, livro } = pedido
  if (sessao?.dados.emissao !== ni) return refuseToken('CaptchaTokenNaoInformado')
  const recusa = checkCorpo(pedido)
  if (recusa) return recusa
  const situacao = situacaoDe(ni)
  const say = (statusEmissao: string, texto: string, mais: Record<string, unknown> = {}): Mensagem =>
    answerJson({ statusEmissao, mensagem: writeMensagem(pedido, texto), ...mais })
  const mania = findCenarioFederal(ni)?.portal
  if (mania === '033') return say('SistemaIndisponivel', banner(pedido, '033'), { codigo: '033' })
  if (mania === 'base-fora') return say('SistemaIndisponivel', banner(pedido, '033'))
  const negada = refuse(pedido, situacao)
  if (negada) return say('SemDireitoCertidao', negada)
  const certidao = livro.issue(situacao, sessao.id)
  if (!certidao) {
    if (mania === 'sessao-morre') sessao.end()
    return say('EmProcessamento', EM_PROCESSAMENTO.join(' '))
  }
  const { validade, codigo } = certidao
  return say('Sucesso', `A certidão foi emitida com sucesso para o CNPJ ${maskDocumento(ni)}.`, {
    pdf: (await octetosDaCertidao(certidao)).toString('base64'),
    // Both are left out of some answers.
    ...(sementeDe(ni) % 3 === 0 ? {} : { dataValidade: validade, numeroCertidao: codigo }),
  })
}

function refuse({ ni }: PedidoFederal, situacao: Situacao): string | undefined {
  if (situacao.desfecho === 'nao-inscrito') return recusaDe(situacao)
  const deOutra = situacao.matriz !== ni && situacao.matriz.startsWith(ni.slice(0, 8))
  return deOutra ? recusaDaFilial(ni, situacao.matriz) : recusaDe(situacao)
}

/** Whether a refusal is told before the issuance or by it: both are met, and the CNPJ chooses. */
const recusaCedo = (ni: string): boolean => sementeDe(ni) % 5 === 0

const HOST = 'servicos.receitafederal.gov.br'
const API = '/servico/certidoes/api'
const SESSAO = 'SESSION'

type Meios = Opcoes & { captchas: Captchas; livro: Livro }
type Casa = {
  meios: Meios
  sessoes: Sessoes<Visita>
  openCaptchas: readonly OpenCaptcha[]
  show: () => number
}

/** The public portal of certificates, as far as the six calls that its own page makes. */
export function createPortalDeCertidoes(meios: Meios): Autoridade {
  const novaSessao = (): Visita => ({ emissao: '', consultas: new Map() })
  const widget = { tipo: 'hcaptcha', hosts: [HOST], desenho: { invisivel: 'tanto-faz' } } as const
  let vistas = 0
  const casa: Casa = {
    meios,
    sessoes: createSessoes({ sessao: { em: 'cookie' }, novaSessao }, meios.agora),
    openCaptchas: ['BR/certidoes', 'BR/certidoes (outra)'].map((nome) =>
      meios.captchas.doPortal({ nome, ...widget }),
    ),
    show: () => vistas++ % 2,
  }
  return {
    nome: 'Portal de certidões da Receita Federal',
    hosts: [HOST],
    asksCertificado: false,
    serves: (caminho) => caminho.startsWith(`${API}/`),
    answer: (pedido, resposta) => answer(casa, pedido, resposta),
  }
}

const DE_SESSAO = /^\/(?:Emissao|consulta|consulta\/seg-via\/.*)$/

async function answer(casa: Casa, cru: Pedido, resposta: ServerResponse): Promise<void> {
  const { meios } = casa
  const caminho = cru.caminho.slice(API.length)
  const { pedido, efeito } = build(casa, cru, resposta)
  const sessaoVelha = efeito?.tipo === 'sessao-velha'
  const mensagem = await composeMensagem(
    {
      ...ESCRITA,
      captcha: 'hcaptcha',
      answer: () => callPortal(casa, cru.metodo, caminho, pedido),
      fechada: () => answerJson(FECHADO),
    },
    { expirada: () => refuseToken('CaptchaTokenNaoInformado') },
    sessaoVelha && !DE_SESSAO.test(caminho) ? undefined : efeito,
  )
  const fio = composeFio(efeito, mensagem, ESCRITA)
  sendWithEfeito(fio.efeito, fio.mensagem, resposta, cru.conexao, meios.ritmo)
}

/** Each call finds its own name in it. */
const FECHADO = {
  status: 'SistemaIndisponivel',
  statusEmissao: 'SistemaIndisponivel',
  statusConsulta: 'SistemaIndisponivel',
}

function build(
  { meios, sessoes, openCaptchas }: Casa,
  cru: Pedido,
  resposta: ServerResponse,
): { pedido: PedidoFederal; efeito: Efeito | undefined } {
  const { campos, cookies } = readPedido(cru, ESCRITA)
  const id = cookies.get(SESSAO)
  const sessao = id !== undefined && sessoes.exists(id) ? sessoes.open(id) : undefined
  const ni = campos.get('ni') ?? [...(sessao?.dados.consultas.values() ?? [])].at(-1) ?? ''
  const efeito = efeitoFederal(ni, 'portal')
  const recusa = (): boolean => efeito?.tipo === 'captcha' && efeito.quando === 'recusado'
  const [captcha, ...outros] = openCaptchas.map((open) =>
    open({ sessao: sessao?.id ?? '', host: cru.host, recusa }),
  )
  if (!captcha) throw new Error('O portal de certidões não tem captcha.')
  const enter = () => {
    const nova = sessao ?? sessoes.open(undefined)
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
    pedido: { campos, ni, sessao, enter, captcha, chaves, cabecalhos, livro, agora: agora() },
    efeito,
  }
}

function callPortal(
  { show }: Casa,
  metodo: string,
  caminho: string,
  pedido: PedidoFederal,
): Mensagem | Promise<Mensagem> {
  const { captcha, chaves } = pedido
  const segundaVia = /^\/consulta\/seg-via\/([\w-]+)$/.exec(caminho)?.[1]
  if (metodo === 'GET' && segundaVia !== undefined) return giveSegundaVia(pedido, segundaVia)
  switch (`${metodo} ${caminho}`) {
    case 'GET /env':
      return answerJson({
        production: true,
        captchaPublicKey: [captcha.chave, ...chaves][show()],
        apiUrl: API,
      })
    case 'POST /Emissao/verificar':
      return verify(pedido)
    case 'POST /Emissao':
      return issue(pedido)
    case 'POST /consulta/validar-contribuinte':
      return validate(pedido)
    case 'POST /consulta':
      return query(pedido)
    default:
      return answerJson({ status: 404, error: 'Not Found', path: API + caminho }, 404)
  }
}
