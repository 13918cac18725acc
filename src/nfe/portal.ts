import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { Captcha, CaptchaSolver } from '../portal/captcha.ts'
import { controleOf, nameOf, pressOf } from '../portal/form.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { failUnknown, throwRecusa } from '../portal/portal.ts'
import { solveToken } from '../portal/solve.ts'
import { visit } from '../portal/visita.ts'
import { postBack } from '../portal/webforms.ts'
import { fontesNfe } from './fonte.ts'
import type { MeiosNfe } from './meios.ts'
import type { RespostaDoPortal } from './nfe.ts'
import { findFrase, hasResumo, refuseErro } from './portal-pagina.ts'
import { downloadNota } from './source-portal.ts'

/** The captcha that the portal asks for at each query. */
export const captchaDoPortal = { tipo: 'hcaptcha', quando: 'sempre' } as const satisfies Captcha

const { source, enderecos } = fontesNfe.portal

const CONSULTA = 'consultaRecaptcha.aspx?tipoConsulta=resumo&tipoConteudo=7PhJ+gAVw2g='
const CHAVE = '[name$="txtChaveAcessoResumo"]'
const CONTINUAR = '[name$="btnConsultarHCaptcha"]'

/** "NF-e INEXISTENTE na base nacional, favor consultar esta NF-e no site da SEFAZ de origem." */
const NEGADA = /INEXISTENTE|CHAVE DE ACESSO INVALIDA/
/** "Falha na validação do Captcha", or "Código da Imagem inválido" for the image of old. */
const CAPTCHA = /CAPTCHA|CODIGO DA IMAGEM/

/**
 * Downloads a note as a person would: key and captcha, summary, file. Open clients name the controls and
 * words (2012 to 2026), for no document describes the portal; throws SourceError, or RotaNaoAtende, with
 * nothing sent, if nobody solves its captcha.
 */
export async function baixarNoPortal(
  meios: MeiosNfe & { captcha: CaptchaSolver },
  { chave }: { chave: string },
): Promise<RespostaDoPortal> {
  const { tipo } = captchaDoPortal
  if (!meios.captcha.takes('BR', tipo))
    throw new RotaNaoAtende(
      `${source.nome} pede um captcha (${tipo}) a cada consulta, e este serviço está sem quem o resolva (CAPTCHA_WEBHOOK_URL, e BR em CAPTCHA_UFS).`,
      { codigo: 'captcha' },
    )
  const url = enderecos[meios.ambiente] + CONSULTA
  return visit({ uf: 'BR', source, url, captcha: captchaDoPortal }, meios, async (portal) => {
    const resumo = await submitChave(portal, await portal.get(url), chave)
    if (hasResumo(resumo)) return downloadNota(portal, resumo, chave)
    return { tipo: 'negada', texto: readNegada(portal, resumo) }
  })
}

async function submitChave(portal: Portal, pagina: Pagina, chave: string): Promise<Pagina> {
  refuseErro(portal, pagina)
  const campo = nameOf(portal, pagina, CHAVE)
  const botao = pressOf(controleOf(portal, pagina, CONTINUAR))
  const token = await solveToken(portal, pagina, captchaDoPortal.tipo)
  // The widget writes its answer under both names.
  const resposta = { 'h-captcha-response': token, 'g-recaptcha-response': token }
  return postBack(portal, pagina, { [campo]: chave, ...resposta, ...botao })
}

/** Gives the portal's words why there is no summary. Throws unless they say that there is no such note. */
function readNegada(portal: Portal, pagina: Pagina): string {
  refuseErro(portal, pagina)
  const negada = findFrase(portal, pagina, NEGADA)
  if (negada) return negada
  if (CAPTCHA.test(normalize(portal.novidades(pagina).join(' ')))) throw portal.fail('captcha-errado')
  throwRecusa(portal, pagina)
  return failUnknown(portal, pagina, 'falta o resumo da nota')
}
