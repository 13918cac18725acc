import { Type } from 'typebox'
import { diaOuVazio, OneOf, ouVazio, pdfEmBase64 } from '../platform/http/schemas.ts'

const BRASILEIRA = '[0-9]{2}/[0-9]{2}/[0-9]{4}'
const CODIGO_DE_CONTROLE = '[0-9A-F]{4}([.][0-9A-F]{4}){3}'

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
    validade: ouVazio(BRASILEIRA, 'DD/MM/AAAA; vazio quando não há certidão'),
    validade_iso: diaOuVazio('AAAA-MM-DD; vazio quando não há certidão'),
    emissao: ouVazio(BRASILEIRA, 'DD/MM/AAAA; vazio quando não há certidão'),
    emissao_iso: diaOuVazio('AAAA-MM-DD; vazio quando não há certidão'),
    protocolo: ouVazio(
      CODIGO_DE_CONTROLE,
      'Código de controle, XXXX.XXXX.XXXX.XXXX; vazio quando não há certidão',
    ),
    pdf_base64: pdfEmBase64('O PDF oficial em base64; vazio quando não há certidão'),
    url_verificacao: Type.String({ description: 'Reservado; por ora vazio' }),
    orgao: OneOf(['RFB+PGFN'], 'Sempre RFB+PGFN'),
  },
  {
    title: 'CertidaoFederal',
    description: 'A certidão de débitos federais e da dívida ativa da União, ou o que foi dito no lugar dela',
  },
)
