import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Anotacao } from '../platform/wire/leitura.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import { type CertidaoListada, listar, pedirSegundaVia } from './consulta.ts'
import { acompanhar, type Emissao, type FimNoPortal, verificar } from './emissao.ts'
import { fontesDaCertidao } from './fontes.ts'
import { openTempo, type Tempo } from './pausa.ts'
import type { MeiosFederais, PerguntaFederal, RespostaFederal, RotaFederal } from './rota-federal.ts'
import { temSobra } from './rules.ts'
import { isDesde } from './source.ts'
import { openSessao, type Sessao } from './source-sessao.ts'

const { source, captcha } = fontesDaCertidao.portal

/** Says in Portuguese why the portal cannot be asked here. Empty if it can. */
export const semCaptcha = (solver: Pick<CaptchaSolver, 'takes'>): string =>
  solver.takes('BR', captcha.tipo)
    ? ''
    : `${source.nome} pede um captcha (${captcha.tipo}) a cada consulta, e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS).`

/**
 * The route over the API of the public page: it lists, gives a second copy, and issues a new certificate.
 * Open clients mapped the six calls from July to September 2026.
 */
export const rotaPortal: RotaFederal = {
  id: 'portal',
  source,
  emiteNova: true,
  consultar: async (pergunta, meios) => {
    const { guard, deadlineMs, request_id } = meios
    const falta = semCaptcha(meios.captcha)
    if (falta) throw new RotaNaoAtende(falta, { codigo: 'captcha' })
    return guard({ source, deadlineMs, request_id }, async (leftMs, note) => {
      const tempo = openTempo({ ...meios, source, deadlineMs: leftMs })
      const resposta = await converse({ pergunta, meios, tempo })
      note(vaziaOf(resposta))
      return resposta
    })
  },
}

const vaziaOf = (resposta: RespostaFederal): Anotacao => ({
  vazia: resposta.tipo === 'recusa' && resposta.recusa.status === 'positiva',
})

/** An issuance whose session died is taken for unfinished so long. After that a new one is begun. */
const TRABALHA_MS = 15 * 60_000
/** Seconds between two looks for its certificate. Each costs a captcha. */
const PROCURA_S = 20

/** One attempt. */
type Tentativa = { pergunta: PerguntaFederal; meios: MeiosFederais; tempo: Tempo }

/** Goes on with the issuance of an earlier run, or looks for what there is. */
async function converse(tentativa: Tentativa): Promise<RespostaFederal> {
  const { andamento } = tentativa.meios
  const { desde = '', cookies, chave } = andamento?.rota === 'portal' ? andamento : {}
  if (!cookies) return procurar(tentativa, desde, cookies !== undefined)
  const ouvida = chave !== undefined
  // The answer to the question was never heard. If it was the certificate, asking again would issue another.
  const achado = ouvida ? undefined : await listarDesde(tentativa, desde)
  if (achado && 'tipo' in achado) return achado
  const sessao = openSessao(tentativa.meios, tentativa.tempo, cookies)
  const fim = await acompanhar(emissaoOf(tentativa, sessao, desde), { enviada: true, ouvida })
  return fim === 'sessao-perdida' ? procurar(tentativa, desde, true) : respostaOf(fim)
}

/** What the list has: an answer, or a visit in which more can be asked, and the valid certificate if any. */
type Achado = RespostaFederal | { sessao: Sessao; valida: CertidaoListada | undefined }

/** Lists the certificates. One issued since `desde` is ours, and is the answer; so is a refusal. */
async function listarDesde(tentativa: Tentativa, desde: string): Promise<Achado> {
  const { pergunta, meios, tempo } = tentativa
  const sessao = openSessao(meios, tempo)
  const listadas = await listar(sessao, pergunta.cnpj, meios.now())
  if ('dizeres' in listadas) return { tipo: 'recusa', recusa: listadas }
  const ours = listadas.find(({ emissao }) => isDesde(emissao, desde))
  return ours ? entregar(tentativa, sessao, ours, true) : { sessao, valida: listadas[0] }
}

async function entregar(
  { pergunta, meios }: Tentativa,
  sessao: Sessao,
  listada: CertidaoListada,
  emitida: boolean,
): Promise<RespostaFederal> {
  const certidao = await pedirSegundaVia(sessao, listada, pergunta.cnpj, meios.now())
  return { tipo: 'certidao', certidao, emitida }
}

/**
 * Looks for a certificate, and issues one only if none will do. `perdida` says that an issuance may be at
 * work whose session is over: no other is begun for a quarter of an hour.
 */
async function procurar(tentativa: Tentativa, desde: string, perdida: boolean): Promise<RespostaFederal> {
  const { pergunta, meios, tempo } = tentativa
  const achado = await listarDesde(tentativa, desde)
  if ('tipo' in achado) return achado
  const { sessao, valida } = achado
  const now = meios.now()
  if (perdida && now.getTime() - Date.parse(desde) < TRABALHA_MS) {
    await tempo.pause(PROCURA_S)
    return procurar(tentativa, desde, true)
  }
  if (valida && pergunta.emitir !== 'sempre' && temSobra(valida.validade, now))
    return entregar(tentativa, sessao, valida, false)
  const emissao = emissaoOf(tentativa, sessao, now.toISOString())
  const recusa = await verificar(emissao)
  if (recusa) return { tipo: 'recusa', recusa }
  const fim = await acompanhar(emissao)
  return fim === 'sessao-perdida' ? procurar(tentativa, now.toISOString(), true) : respostaOf(fim)
}

const emissaoOf = ({ pergunta, meios }: Tentativa, sessao: Sessao, desde: string): Emissao => ({
  sessao,
  cnpj: pergunta.cnpj,
  now: meios.now,
  anotar: (nota) => meios.anotar({ rota: 'portal', desde, ...nota }),
})

const respostaOf = (fim: Exclude<FimNoPortal, 'sessao-perdida'>): RespostaFederal =>
  'recusa' in fim
    ? { tipo: 'recusa', recusa: fim.recusa }
    : { tipo: 'certidao', certidao: fim.certidao, emitida: true }
