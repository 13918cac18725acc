import type { TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { controleOf } from '../portal/controle.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import type { Pergunta, RotaIe } from '../portal/estado.ts'
import type { Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import { answerCaptcha, type CampoDoCaptcha } from '../portal/solve.ts'
import { findOpcao } from '../portal/tela.ts'

export type GenexusIeOptions = PortalOptions &
  ResultadoOptions & {
    /** The fields of the kind of document and of its number. */
    campos: { tipo: string; documento: string }
    /** The radios of the kind of document (CSS). The page comes with the one of registrations chosen. */
    tipos: string
    botao: { nome: string; valor: string }
    resposta?: CampoDoCaptcha
  }

/** GeneXus without AJAX: the page, then its whole form with every hidden field. */
export function genexusIe(uf: Uf, options: GenexusIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('genexus', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await ask(portal, pergunta, options), resultado),
  )
}

async function ask(
  portal: Portal,
  { tipo, documento }: Pergunta,
  options: GenexusIeOptions,
): Promise<Pagina> {
  const { url, campos, botao, captcha, resposta } = options
  const pagina = await portal.get(url)
  return portal.post(actionOf(pagina, 'form'), {
    ...harvest(portal, pagina, 'form'),
    [campos.tipo]: kindOf(portal, pagina, tipo, options),
    [campos.documento]: documento,
    ...(await answerCaptcha(portal, pagina, captcha, resposta)),
    [botao.nome]: botao.valor,
  })
}

/** The code of a kind of document: the known one, else that of the page's own radio. */
function kindOf(
  portal: Portal,
  pagina: Pagina,
  tipo: TipoDocumento,
  { documentos, campos, tipos }: GenexusIeOptions,
): string {
  if (documentos[tipo]) return documentos[tipo]
  if (tipo === 'ie')
    return controleOf(portal, pagina, `${tipos} input[type=radio][checked]`).attr('value') ?? ''
  const found = findOpcao(pagina, tipos, tipo)?.[campos.tipo]
  return found ?? failUnknown(portal, pagina, `falta a opção ${tipo.toUpperCase()}`)
}
