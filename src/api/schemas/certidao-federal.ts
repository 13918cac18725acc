import { Type } from 'typebox'
import { OneOf } from './closed.ts'

/** Federal CND result (specification, "Resources and their fields"). */
export const CertidaoFederalResult = Type.Object(
  {
    tipo: OneOf(['cnd_federal'], 'Sempre cnd_federal'),
    status: OneOf(
      ['negativa', 'positiva', 'positiva_com_efeitos_de_negativa', 'nao_contribuinte', 'erro'],
      'positiva, em geral sem PDF: a Receita Federal não emite pela Internet por pendências ou pela situação no CNPJ; ' +
        'nao_contribuinte: o CNPJ não consta do cadastro; erro: o pedido foi recusado (como o de uma filial), ou o PDF não foi aceito',
    ),
    status_raw: Type.String({
      description:
        'O título da certidão, ou o que a Receita Federal disse no lugar dela; em erro, o que ela disse ou por que o papel dela não foi aceito',
    }),
    modo: OneOf(
      ['', 'consulta', 'emissao'],
      'consulta: a certidão já existia; emissao: foi emitida por esta consulta; vazio quando não há certidão na resposta',
    ),
    validade: Type.String({ description: 'DD/MM/AAAA' }),
    validade_iso: Type.String({ description: 'AAAA-MM-DD' }),
    emissao: Type.String({ description: 'DD/MM/AAAA' }),
    emissao_iso: Type.String({ description: 'AAAA-MM-DD' }),
    protocolo: Type.String({ description: 'Código de controle, XXXX.XXXX.XXXX.XXXX' }),
    pdf_base64: Type.String({ description: 'O PDF oficial em base64; vazio quando não há certidão' }),
    url_verificacao: Type.String({ description: 'Reservado; por ora vazio' }),
    orgao: OneOf(['RFB+PGFN'], 'Sempre RFB+PGFN'),
  },
  {
    title: 'CertidaoFederal',
    description: 'A certidão de débitos federais e da dívida ativa da União, ou o que foi dito no lugar dela',
  },
)
