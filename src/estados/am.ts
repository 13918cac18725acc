import type { Estado } from '../portal/estado.ts'
import { cadastro } from '../portal/families-cadastro.ts'
import { formulario } from '../portal/families-formulario.ts'
import { camposDoSintegra } from '../portal/inscricao-rotulo.ts'
import { struts } from './struts.ts'

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
      recusaCpf: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    formulario('AM', {
      segunda: true,
      url: 'https://online.sefaz.am.gov.br/sintegra/index.asp',
      charset: 'iso-8859-1',
      form: 'form:has([name=cgc])',
      destino: 'sintegra_cnpj.asp',
      documentos: { cnpj: '' },
      preencher: ({ documento }) => ({ cgc: documento, B3: 'Consultar' }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre' },
      resposta: { campo: 'g-recaptcha-response' },
      lista: 'a[href*=".asp?"]:not([href*="index.asp"])',
      frases: [{ desfecho: 'captcha-errado', url: 'index.asp?nErr=5' }],
      espera: {
        marca: 'Situação Cadastral Vigente',
        minimo: 410,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
      },
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
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', widget: { invisivel: true } },
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
