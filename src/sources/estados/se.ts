import type { Estado } from '../estado.ts'
import { formulario } from '../families/formulario.ts'
import { formularioCertidao } from '../families/formulario-certidao.ts'

export const estado = {
  uf: 'SE',
  exemplo: '99105457000128',
  ie: [
    formulario('SE', {
      url: 'https://security.sefaz.se.gov.br/SIC/sintegra/index.jsp',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'Em 08/2026 a página respondia com um erro do SharePoint. Ela aceita também CPF, mas não se sabe em que campo.',
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
    formularioCertidao('SE', {
      url: 'https://www.sefaz.se.gov.br/SitePages/emissao_certidao_negativa.aspx',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'desconhecido',
      origem: 'listas de links',
      em: '2026-09',
      naoContribuinte: 'ie',
      form: 'form:has([name=cdImagem])',
      preencher: ({ tipo, documento }) => ({
        cdCnpj: tipo === 'cnpj' ? documento : '',
        cdCpf: tipo === 'cpf' ? documento : '',
      }),
      resposta: { campo: 'dsImagem', imagem: { seletor: 'form:has([name=cdImagem]) img' }, minusculas: true },
      layout: {},
    }),
  ],
} satisfies Estado
