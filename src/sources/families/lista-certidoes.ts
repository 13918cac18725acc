import type { Uf } from '../../domain/uf.ts'
import { readCertidaoPage } from '../certidao-pagina.ts'
import type { PerguntaCnd, RotaCnd } from '../estado.ts'
import { solveToken } from '../portal/captcha.ts'
import { type Entrega, readEntrega } from '../portal/certidao.ts'
import { parseJson, textAt } from '../portal/json.ts'
import { type PortalOptions, portalCnd } from '../portal/rota.ts'

/** What a state's file says of an API that lists a taxpayer's certificates, the newest first. */
export type ListaCertidoesOptions = PortalOptions &
  Pick<RotaCnd, 'naoContribuinte'> &
  Pick<Entrega, 'layout'> & {
    api: string
    /** The question as JSON, with the captcha's token. */
    preencher: (pergunta: PerguntaCnd, token: string) => unknown
    /** Where the answer has the address of the newest, as `certidoes.0.arquivo`, and what it says where there is none. */
    arquivo: string
    mensagem: string
  }

/** A page of one screen (PR): its site key, the API's list, then the PDF. */
export const listaCertidoes = (uf: Uf, options: ListaCertidoesOptions): RotaCnd =>
  portalCnd('lista-certidoes', uf, options, async (portal, pergunta) => {
    const { url, api, preencher, arquivo, mensagem, layout } = options
    const { source, failure } = portal
    const { documento } = pergunta
    const shell = await portal.get(url)
    const token = await solveToken(portal, shell, 'recaptcha-enterprise')
    const answer = await portal.postJson(api, preencher(pergunta, token))
    const json = parseJson(answer)
    const address = textAt(json, arquivo)
    if (address) return readEntrega(portal, pergunta, await portal.get(address), { layout })
    const said = textAt(json, mensagem)
    if (said) return readCertidaoPage(said, { source, documento, elapsedMs: answer.elapsedMs })
    if (json === undefined) return readEntrega(portal, pergunta, answer, { layout })
    throw failure('parse', 'respondeu sem certidão e sem mensagem')
  })
