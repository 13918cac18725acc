import type { Uf } from '../documento/uf.ts'
import { type CertidaoOptions, certidao } from '../portal/certidao.ts'
import type { Estado, PerguntaCnd, RotaCnd } from '../portal/estado.ts'
import { controleOf, findOpcao, nameOf, pressOf, saltoOf, TEXTO } from '../portal/form.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import { inscricoes } from '../portal/resultado.ts'
import { type Aberto, converse, type PortalOptions, rota } from '../portal/rota.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import { type Campos, failUnknown, type Portal } from '../portal/visita.ts'

type IbusinessOptions = PortalOptions & CertidaoOptions

const FORM = 'form[name=form]'
const BOTAO = `${FORM} [name=okButton]`
const MOST_JUMPS = 4

/** iBusinessPortal frames a form whose answer jumps by script to the report (JasperPDF.jsp). */
function ibusiness(uf: Uf, options: IbusinessOptions): RotaCnd {
  const leitor = certidao(options)
  const passos = converse<PerguntaCnd, Certidao>({
    open: async (portal) => openFrame(portal, await portal.get(options.url)),
    harvest: FORM,
    fill: (aberto) => fill(aberto, options),
    captcha: options.captcha,
    follow: (answer, { portal }) => followTo(portal, answer),
    read: leitor.read,
  })
  return rota('ibusiness', uf, { ...options, leitor }, passos)
}

async function openFrame(portal: Portal, pagina: Pagina): Promise<Pagina> {
  const src = pagina.html()('iframe[src*="process.jsp"], frame[src*="process.jsp"]').first().attr('src')
  if (!src) failUnknown(portal, pagina, 'falta a moldura do formulário')
  return portal.get(new URL(src, pagina.url).href)
}

function fill(
  { portal, pagina, pergunta: { tipo, documento }, ocultos }: Aberto<PerguntaCnd>,
  { documentos }: IbusinessOptions,
): Campos {
  const missing = ['AppName', 'TransId'].find((name) => !ocultos[name])
  if (missing) failUnknown(portal, pagina, `falta o campo ${missing}`)
  const words = documentos[tipo] ?? ''
  const opcao = findOpcao(pagina, FORM, words)
  if (!opcao) failUnknown(portal, pagina, `falta a opção ${words}`)
  const field = nameOf(portal, pagina, `${FORM} ${TEXTO}`)
  return { ...opcao, [field]: documento, ...pressOf(controleOf(portal, pagina, BOTAO)) }
}

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
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral Vigente',
          minimo: 320,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
        },
      }),
      url: 'https://security.sefaz.se.gov.br/SIC/sintegra/index.jsp',
      documentos: { cnpj: '', ie: '' },
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: 'dsImagem',
        imagem: { seletor: 'form:has([name=cdImagem]) img' },
        letras: 'minusculas',
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'AppName e TransId são campos ocultos do formulário e voltam como vieram. Em 08/2026 a página respondia com um erro do SharePoint. Ela aceita também CPF, mas não se sabe em que campo.',
      form: 'form:has([name=cdImagem])',
      destino: 'result.jsp',
      fill: ({ tipo, documento }) => ({
        cdCnpj: tipo === 'cnpj' ? documento : '',
        cdPessoaContribuinte: tipo === 'ie' ? documento : '',
      }),
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
