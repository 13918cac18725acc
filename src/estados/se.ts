import type { Uf } from '../documento/uf.ts'
import { type Entrega, readEntrega } from '../portal/certidao.ts'
import type { Estado, PerguntaCnd, RotaCnd } from '../portal/estado.ts'
import { actionOf, controleOf, findOpcao, harvest, nameOf, pressOf, saltoOf, TEXTO } from '../portal/form.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from '../portal/rota.ts'
import { failUnknown, type Portal } from '../portal/visita.ts'

/** The options of a page of iBusinessPortal. `documentos` has the words of each kind of document. */
export type IbusinessOptions = PortalOptions & DaCertidao & Pick<RotaCnd, 'emHtml'> & Entrega

/** The form and the button that the software draws. */
const FORM = 'form[name=form]'
const BOTAO = `${FORM} [name=okButton]`
/** The most pages between an answer and its document. */
const MOST_JUMPS = 4

/**
 * Certificates of iBusinessPortal (SE), whose page tells the names of the fields. It frames a form with
 * AppName and TransId, whose answer jumps by script to the report (JasperPDF.jsp).
 */
export const ibusiness = (uf: Uf, options: IbusinessOptions): RotaCnd =>
  portalCnd('ibusiness', uf, options, async (portal, pergunta) => {
    const form = await openFrame(portal, await portal.get(options.url))
    const answer = await submit(portal, form, pergunta, options)
    return readEntrega(portal, pergunta, await followTo(portal, answer), options)
  })

async function openFrame(portal: Portal, pagina: Pagina): Promise<Pagina> {
  const src = pagina.html()('iframe[src*="process.jsp"], frame[src*="process.jsp"]').first().attr('src')
  if (!src) failUnknown(portal, pagina, 'falta a moldura do formulário')
  return portal.get(new URL(src, pagina.url).href)
}

function submit(
  portal: Portal,
  pagina: Pagina,
  { tipo, documento }: PerguntaCnd,
  { documentos }: IbusinessOptions,
): Promise<Pagina> {
  const hidden = harvest(portal, pagina, FORM)
  const missing = ['AppName', 'TransId'].find((name) => !hidden[name])
  if (missing) failUnknown(portal, pagina, `falta o campo ${missing}`)
  const words = documentos[tipo] ?? ''
  const opcao = findOpcao(pagina, FORM, words)
  if (!opcao) failUnknown(portal, pagina, `falta a opção ${words}`)
  const field = nameOf(portal, pagina, `${FORM} ${TEXTO}`)
  const button = pressOf(controleOf(portal, pagina, BOTAO))
  return portal.post(actionOf(pagina, FORM), { ...hidden, ...opcao, [field]: documento, ...button })
}

/** Follows the jumps of an answer to the page or the paper at their end. */
async function followTo(portal: Portal, answer: Pagina): Promise<Pagina> {
  let pagina = answer
  for (let jumps = 0; jumps < MOST_JUMPS && !isPdf(pagina); jumps++) {
    const next = saltoOf(portal, pagina) ?? reportOf(pagina)
    if (!next) break
    pagina = await portal.get(new URL(next, pagina.url).href)
  }
  return pagina
}

const reportOf = (pagina: Pagina): string | undefined => {
  const holder = pagina.html()('[src*="JasperPDF.jsp"], [href*="JasperPDF.jsp"], [data*="JasperPDF.jsp"]')
  return holder.attr('src') ?? holder.attr('href') ?? holder.attr('data')
}

export const estado = {
  uf: 'SE',
  exemplo: '99105457000128',
  ie: [
    formulario('SE', {
      url: 'https://security.sefaz.se.gov.br/SIC/sintegra/index.jsp',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 320,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'AppName e TransId são campos ocultos do formulário e voltam como vieram. Em 08/2026 a página respondia com um erro do SharePoint. Ela aceita também CPF, mas não se sabe em que campo.',
      form: 'form:has([name=cdImagem])',
      destino: 'result.jsp',
      preencher: ({ tipo, documento }) => ({
        cdCnpj: tipo === 'cnpj' ? documento : '',
        cdPessoaContribuinte: tipo === 'ie' ? documento : '',
      }),
      resposta: {
        campo: 'dsImagem',
        imagem: { seletor: 'form:has([name=cdImagem]) img' },
        minusculas: true,
      },
    }),
  ],
  cnd: [
    ibusiness('SE', {
      url: 'https://www.sefaz.se.gov.br/SitePages/certidoes.aspx',
      charset: 'iso-8859-1',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: 'nenhum',
      mensagem: 'font.fontRequiredMsg',
      layout: {},
      espera: { marca: 'Certidão', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
      emHtml: true,
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem:
        'imagens da tela de 2020 e clientes de 2026 do mesmo sistema (iBusinessPortal); o endereço, de listas de links de 2026',
      em: '2020',
      nota: 'O formulário está numa moldura de security.sefaz.se.gov.br, que traz AppName, TransId e os nomes dos campos: o que ela não trouxer é falha. Nenhum captcha foi visto. Há também o endereço emissao_certidao_negativa.aspx.',
    }),
  ],
} satisfies Estado
