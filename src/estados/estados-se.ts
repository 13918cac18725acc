import type { Estado } from '../portal/estado.ts'
import { formulario } from '../portal/families-formulario.ts'
import { camposDoSintegra } from '../portal/inscricao-rotulo.ts'
import { ibusiness } from './se.ts'

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
