import type { Uf } from '../../domain/uf.ts'
import type { Pergunta, RotaIe } from '../estado.ts'
import { answerCaptcha, type Resposta } from '../portal/captcha.ts'
import { actionOf, harvest } from '../portal/form.ts'
import type { Pagina } from '../portal/pagina.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type PortalOptions, portalIe } from '../portal/rota.ts'
import type { Portal } from '../portal.ts'

export type GenexusIeOptions = PortalOptions &
  ResultadoOptions & {
    /** The fields of the kind of document and of its number. */
    campos: { tipo: string; documento: string }
    botao: { nome: string; valor: string }
    resposta?: Resposta
  }

/** GeneXus without AJAX: the page, then the whole form of it with every hidden field. */
export function genexusIe(uf: Uf, options: GenexusIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('genexus', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await ask(portal, pergunta, options), resultado),
  )
}

async function ask(
  portal: Portal,
  { tipo, documento }: Pergunta,
  { url, documentos, campos, botao, captcha, resposta }: GenexusIeOptions,
): Promise<Pagina> {
  const pagina = await portal.get(url)
  return portal.post(actionOf(pagina, 'form'), {
    ...harvest(portal, pagina, 'form'),
    [campos.tipo]: documentos[tipo] ?? '',
    [campos.documento]: documento,
    ...(await answerCaptcha(portal, pagina, captcha, resposta)),
    [botao.nome]: botao.valor,
  })
}
