import { cadastroSvrs } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { mvc } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { webforms } from '../portal/webforms.ts'

export const estado = {
  uf: 'RS',
  exemplo: '99034721000180',
  ie: [
    cadastroSvrs('RS'),
    mvc('RS', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral Vigente',
          minimo: 250,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'nome_fantasia', 'data_inicio_atividade', 'regime_apuracao_icms'],
        },
        frases: [{ desfecho: 'nao-encontrado', texto: 'Nenhum contribuinte encontrado' }],
      }),
      segunda: true,
      url: 'https://www.sefaz.rs.gov.br/consultas/contribuinte',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: ['recaptchaValor', 'g-recaptcha-response'] },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      acao: '/consultas/contribuinte/Home/Consulta',
      fill: ({ documento }) => ({ CodInscrCnpj: documento, validateButton: 'Pesquisar' }),
    }),
  ],
  cnd: [
    webforms('RS', {
      leitor: certidao({
        espera: {
          marca: 'CERTIDAO DE SITUACAO FISCAL',
          minimo: 200,
          titulo: /CERTIDAO DE SITUACAO FISCAL/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: { debitos: 'ambos', origem: 'Informanet, boletim 22/2001: débitos lançados ou inscritos' },
        naoContribuinte: 'ie',
        layout: {
          numero: /\bCERTIDAO DE SITUACAO FISCAL Nº ?(\d+)/,
          emissao: /\bCERTIFICAMOS QUE, AOS\b/,
          verificacao: 'https://www.sefaz.rs.gov.br/sat/CertidaoSitFiscalConsulta.aspx',
        },
        mensagem: '.alert',
      }),
      url: 'https://www.sefaz.rs.gov.br/sat/CertidaoSitFiscalSolic.aspx',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'altcha', quando: 'sempre', campo: 'altcha' },
      certeza: 'verificado',
      origem: 'três códigos abertos de emissão',
      em: '2026-07-22',
      nota: 'A prova de trabalho (ALTCHA) é resolvida por este serviço, sem terceiros. A de quem não é inscrito no Estado vem sem os dados do contribuinte. O nome do campo de CPF é dedução do de CNPJ.',
      form: 'form:has([name="campoCnpj"])',
      campo: { cnpj: '[name="campoCnpj"]', cpf: '[name="campoCpf"]' },
      forma: 'digitos',
      botao: '#btnEnviar',
    }),
  ],
} satisfies Estado
