import { cadastroSvrs } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { jsonCertidao } from '../portal/json.ts'

export const estado = {
  uf: 'ES',
  exemplo: '99330486000193',
  ie: [
    cadastroSvrs(
      'ES',
      'A página do SINTEGRA do ES saiu do ar (em 08/2026 o nome não existia mais no DNS; uma lista de 2026 dá https://app.sefaz.es.gov.br/Sintegra, de que só se conhece o endereço): não há outra via.',
    ),
  ],
  cnd: [
    jsonCertidao('ES', {
      leitor: certidao({
        espera: { marca: 'Certidão', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
        abrange: {
          debitos: 'ambos',
          origem: 'Fale Conosco da SEFAZ-ES: CND e CPEN abarcam a totalidade dos débitos',
        },
        naoContribuinte: 'ie',
        layout: {},
      }),
      url: 'https://s2-internet.sefaz.es.gov.br/certidao/cnd',
      documentos: { cpf: '', cnpj: '' },
      // The form has the first field. A client in use (2026) sends the token as the second.
      captcha: { tipo: 'turnstile', quando: 'sempre', campo: ['cf-turnstile-response', 'captcha'] },
      certeza: 'verificado',
      origem: 'códigos abertos de emissão, um deles documentado',
      em: '2026-09-08',
      nota: 'Cookies grandes demais são respondidos com HTTP 400. A validade é a que a certidão diz: as fontes divergem (60 ou 90 dias).',
      antes: { url: '/certidao/renderiza', campos: { passo: 'R1' } },
      ask: ({ documento }, resposta) => ({
        url: '/certidao/emitir-certidao-internet',
        campos: { numIdentificacao: documento, ...resposta },
      }),
      pdf: 'data.blbCertidao',
      mensagem: 'message',
    }),
  ],
} satisfies Estado
