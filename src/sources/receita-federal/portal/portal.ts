import { temSobra } from '../../../domain/cnd-federal/decisao.ts'
import type { Anotacao } from '../../../domain/fonte/leitura.ts'
import { RotaNaoAtende } from '../../../domain/fonte/rota-nao-atende.ts'
import type { CaptchaSolver } from '../../captcha/captcha.ts'
import { isDesde } from '../conferencia.ts'
import { fontesDaCertidao } from '../fontes.ts'
import { openTempo, type Tempo } from '../pausa.ts'
import type { MeiosFederais, PerguntaFederal, RespostaFederal, RotaFederal } from '../rota-federal.ts'
import { type CertidaoListada, listar, pedirSegundaVia } from './consulta.ts'
import { acompanhar, type Emissao, type FimNoPortal, verificar } from './emissao.ts'
import { openSessao, type Sessao } from './sessao.ts'

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
  const { desde = '', cookies } = andamento?.rota === 'portal' ? andamento : {}
  if (!cookies) return procurar(tentativa, desde, cookies !== undefined)
  const sessao = openSessao(tentativa.meios, tentativa.tempo, cookies)
  const fim = await acompanhar(emissaoOf(tentativa, sessao, desde), true)
  return fim === 'sessao-perdida' ? procurar(tentativa, desde, true) : respostaOf(fim)
}

/**
 * Lists the certificates, and issues one only if none will do; one issued since `desde` is ours. `perdida`
 * says that an issuance may be at work whose session is over: no other is begun for a quarter of an hour.
 */
async function procurar(tentativa: Tentativa, desde: string, perdida: boolean): Promise<RespostaFederal> {
  const { pergunta, meios, tempo } = tentativa
  const { cnpj, emitir } = pergunta
  const sessao = openSessao(meios, tempo)
  const listadas = await listar(sessao, cnpj, meios.now())
  if ('dizeres' in listadas) return { tipo: 'recusa', recusa: listadas }
  const entregar = async (listada: CertidaoListada, emitida: boolean): Promise<RespostaFederal> => {
    const certidao = await pedirSegundaVia(sessao, listada, cnpj, meios.now())
    return { tipo: 'certidao', certidao, emitida }
  }
  const ours = listadas.find(({ emissao }) => isDesde(emissao, desde))
  if (ours) return entregar(ours, true)
  const now = meios.now()
  if (perdida && now.getTime() - Date.parse(desde) < TRABALHA_MS) {
    await tempo.pause(PROCURA_S)
    return procurar(tentativa, desde, true)
  }
  const [valida] = listadas
  if (valida && emitir !== 'sempre' && temSobra(valida.validade, now)) return entregar(valida, false)
  const emissao = emissaoOf(tentativa, sessao, now.toISOString())
  const recusa = await verificar(emissao)
  if (recusa) return { tipo: 'recusa', recusa }
  const fim = await acompanhar(emissao, false)
  return fim === 'sessao-perdida' ? procurar(tentativa, now.toISOString(), true) : respostaOf(fim)
}

const emissaoOf = ({ pergunta, meios }: Tentativa, sessao: Sessao, desde: string): Emissao => ({
  sessao,
  cnpj: pergunta.cnpj,
  now: meios.now,
  anotar: (cookies) => meios.anotar({ rota: 'portal', desde, ...(cookies !== undefined && { cookies }) }),
})

const respostaOf = (fim: Exclude<FimNoPortal, 'sessao-perdida'>): RespostaFederal =>
  'recusa' in fim
    ? { tipo: 'recusa', recusa: fim.recusa }
    : { tipo: 'certidao', certidao: fim.certidao, emitida: true }
