import type { Uf } from '../documento/uf.ts'
import { cadastro } from '../portal/cadastro.ts'
import { solveToken } from '../portal/captcha-resposta.ts'
import { type CertidaoOptions, certidao, inscricaoDe } from '../portal/certidao.ts'
import type { Estado, PerguntaCnd, RotaCnd } from '../portal/estado.ts'
import { findCampo, TEXTO } from '../portal/form.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import type { Pagina } from '../portal/pagina.ts'
import { inscricoes } from '../portal/resultado.ts'
import { converse, type PortalOptions, rota } from '../portal/rota.ts'
import type { Certidao } from '../portal/rules-certidao.ts'
import type { Campos, Portal } from '../portal/visita.ts'

type StrutsOptions = PortalOptions &
  CertidaoOptions & {
    /** The action for taxpayers with a registration, who are asked about by it. `url` is for the others. */
    contribuintes: string
    /** Of the others. In the form for taxpayers it is the text field, whatever its name. */
    campo: string
    envio: Campos
    /** The frame (CSS) that holds the captcha. */
    moldura: string
  }

const FORM = `form:has(${TEXTO})`

/** The form is shown and sent at one address, behind an invisible reCAPTCHA in a frame. */
function struts(uf: Uf, options: StrutsOptions): RotaCnd {
  const { url, contribuintes, campo, envio, moldura } = options
  const leitor = certidao(options)
  const passos = converse<PerguntaCnd, Certidao>({
    open: (portal, pergunta) => portal.get(inscricaoDe(pergunta) ? contribuintes : url),
    harvest: FORM,
    fill: ({ portal, pagina, pergunta }) => {
      const ie = inscricaoDe(pergunta)?.inscricao_estadual
      const name = ie ? findCampo(pagina, `${FORM} ${TEXTO}`) : campo
      if (!name) throw portal.failure('parse', 'mudou de página: falta o campo da inscrição')
      return { [name]: ie ?? pergunta.documento, ...envio }
    },
    captcha: async (portal, pagina) => ({
      'g-recaptcha-response': await solveInFrame(portal, pagina, moldura),
    }),
    // The frame was the last page, but a browser names the page around it.
    send: ({ portal, pagina, pergunta, campos }) =>
      portal.post(inscricaoDe(pergunta) ? contribuintes : url, campos, { headers: { referer: pagina.url } }),
    read: leitor.read,
  })
  return rota('struts', uf, { ...options, leitor }, passos)
}

async function solveInFrame(portal: Portal, pagina: Pagina, moldura: string): Promise<string> {
  const src = pagina.html()(moldura).first().attr('src')
  if (!src) throw portal.failure('parse', 'mudou de página: falta a moldura do captcha')
  const frame = await portal.get(new URL(src, pagina.url).href)
  const drawn = frame.html()('[data-sitekey]').first().attr('data-sitekey')
  // A script draws invisible widgets, and has their key in it.
  return solveToken(portal, frame, 'recaptcha-v2', drawn ?? /\b6L[\w-]{38}\b/.exec(frame.text())?.[0])
}

const EMITIR = 'https://sistemas.sefaz.am.gov.br/GAE/mnt/dividaAtiva/certidaoNegativa/emitirCertidaoNegativa'

// Some lists of addresses leave AM out. The portal's availability page listed its Consulta Cadastro4 as
// working on 2026-06-02.
export const estado = {
  uf: 'AM',
  exemplo: '99099166000174',
  ie: [
    cadastro('AM', {
      producao: 'https://nfe.sefaz.am.gov.br/services2/services/CadConsultaCadastro4',
      homologacao: 'https://homnfe.sefaz.am.gov.br/services2/services/CadConsultaCadastro4',
      refusesCpf: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    formulario('AM', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral Vigente',
          minimo: 410,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
        },
        frases: [{ desfecho: 'captcha-errado', url: 'index.asp?nErr=5' }],
        lista: 'a[href*=".asp?"]:not([href*="index.asp"])',
      }),
      segunda: true,
      url: 'https://online.sefaz.am.gov.br/sintegra/index.asp',
      charset: 'iso-8859-1',
      form: 'form:has([name=cgc])',
      destino: 'sintegra_cnpj.asp',
      documentos: { cnpj: '' },
      fill: ({ documento }) => ({ cgc: documento, B3: 'Consultar' }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'g-recaptcha-response' },
      certeza: 'verificado',
      origem: 'código aberto de raspagem',
      em: '2026',
    }),
  ],
  cnd: [
    struts('AM', {
      url: `${EMITIR}NaoContPortal.do`,
      contribuintes: `${EMITIR}ContPortal.do`,
      charset: 'iso-8859-1',
      documentos: { cnpj: '', cpf: '' },
      campo: 'nrDocumento',
      envio: { csCompleto: 'S', method: 'emitir' },
      moldura: 'iframe[src*="recaptcha"]',
      captcha: {
        tipo: 'recaptcha-v2',
        quando: 'sempre',
        campo: 'g-recaptcha-response',
        widget: { invisivel: true },
      },
      frases: [{ desfecho: 'nao-atende', texto: 'utilize o formulário de contribuintes' }],
      abrange: { debitos: 'desconhecido', origem: '' },
      naoContribuinte: 'ie',
      espera: { marca: 'Válida até', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
      emHtml: true,
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão',
      em: '2026',
      nota: 'O documento vai só com dígitos. A certidão vem em PDF ou como página. Dois dos códigos não conferem o certificado TLS do site: a cadeia dele talvez venha incompleta. Verificado o formulário de não contribuintes; o de contribuintes, pela inscrição estadual, só de endereço.',
    }),
  ],
} satisfies Estado
