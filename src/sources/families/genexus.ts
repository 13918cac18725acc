import { RotaNaoAtende } from '../../domain/rota-nao-atende.ts'
import type { Uf } from '../../domain/uf.ts'
import type { Pergunta, RotaCnd, RotaIe } from '../estado.ts'
import { answerCaptcha, type Resposta } from '../portal/captcha.ts'
import type { Entrega } from '../portal/certidao.ts'
import { actionOf, type Campos, harvest } from '../portal/form.ts'
import { mensagemDe, readCertificado } from '../portal/mensagem.ts'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from '../portal/resultado.ts'
import { type PortalOptions, portalCnd, portalIe } from '../portal/rota.ts'
import type { Portal } from '../portal.ts'

type Comum = PortalOptions & {
  /** The fields of the kind of document and of its number. */
  campos: { tipo: string; documento: string }
  botao: { nome: string; valor: string }
  resposta?: Resposta
}

export type GenexusIeOptions = Comum & ResultadoOptions

export type GenexusCndOptions = Comum &
  Pick<RotaCnd, 'naoContribuinte' | 'emHtml'> &
  Required<Entrega> & {
    /** The field of the taxpayer's name, where the page wants it too. */
    nome?: string
  }

/** GeneXus without AJAX: the page, then the whole form of it with every hidden field. */
export function genexusIe(uf: Uf, options: GenexusIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('genexus', uf, options, async (portal, pergunta) =>
    readResultado(portal, pergunta, await ask(portal, pergunta, options, {}), resultado),
  )
}

/**
 * The same, that answers with a certificate. The name comes from the lookup of registrations; where that did not answer the page is
 * asked without one, and tells whether it is in order itself.
 */
export function genexusCnd(uf: Uf, options: GenexusCndOptions): RotaCnd {
  const { nome, layout, mensagem } = options
  return portalCnd('genexus', uf, options, async (portal, pergunta) => {
    const razao = pergunta.inscricoes?.[0]?.razao_social ?? ''
    const pagina = await ask(portal, pergunta, options, nome ? { [nome]: razao } : {})
    // What it says of a question without a name is no word on the taxpayer.
    if (nome && !razao && normalize(mensagemDe(portal, pagina, mensagem)).includes('NOME'))
      throw new RotaNaoAtende(
        `${portal.source.nome} só emite a certidão a quem informa também o nome do contribuinte, que a consulta da inscrição estadual não deu.`,
      )
    return readCertificado(portal, pergunta, pagina, { layout, mensagem })
  })
}

async function ask(
  portal: Portal,
  { tipo, documento }: Pergunta,
  { url, documentos, campos, botao, captcha, resposta }: Comum,
  named: Campos,
): Promise<Pagina> {
  const pagina = await portal.get(url)
  return portal.post(actionOf(pagina, 'form'), {
    ...harvest(portal, pagina, 'form'),
    [campos.tipo]: documentos[tipo] ?? '',
    [campos.documento]: documento,
    ...named,
    ...(await answerCaptcha(portal, pagina, captcha, resposta)),
    [botao.nome]: botao.valor,
  })
}
