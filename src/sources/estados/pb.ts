import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'
import { formulario } from '../families/formulario.ts'
import { telas } from '../families/telas.ts'

const CERTIDAO = 'https://www.sefaz.pb.gov.br/servirtual/certidoes/emissao-de-certidao-de-debitos-'

/** The code of each kind of document, and the page's own word for it. */
const tipos = {
  ie: { tpDocumento: '1', tipoDoc: 'IE' },
  cnpj: { tpDocumento: '2', tipoDoc: 'CNPJ' },
  cpf: { tpDocumento: '3', tipoDoc: 'CPF' },
} as const

export const estado = {
  uf: 'PB',
  exemplo: '99076200000195',
  ie: [
    cadastroSvrs('PB'),
    formulario('PB', {
      segunda: true,
      url: 'https://www4.sefaz.pb.gov.br/sintegra/SINf_ConsultaSintegra.jsp',
      charset: 'iso-8859-1',
      form: 'form:has([name=nrDocumento])',
      destino: 'SINf_ConsultaSintegra',
      documentos: { cnpj: tipos.cnpj.tpDocumento, cpf: tipos.cpf.tpDocumento, ie: tipos.ie.tpDocumento },
      preencher: ({ tipo, documento }) => ({ nrDocumento: documento, ...tipos[tipo] }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre' },
      resposta: { campo: 'g-recaptcha-response' },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'Em agosto de 2026 derrubava as conexões vindas de centros de dados.',
    }),
  ],
  cnd: [
    telas('PB', {
      url: `${CERTIDAO}empresa`,
      enderecos: { cpf: `${CERTIDAO}cidadao` },
      moldura: 'iframe[src*="DIAf_EmitirCertidaoDebito"]',
      form: 'form:has(#tbCertidao)',
      documentos: { cnpj: '', cpf: '', ie: '' },
      campo: '#tbCertidao input:not([type=hidden])',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      imagem: '#tbCaptcha',
      envio: { campos: { hidAcao: 'emitir', hidHistorico: '-1' } },
      passos: [],
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'robô de navegador, que conhece a página e não os campos',
      em: '2026',
      nota: 'Que captcha a página pede e o que ela envia não se sabe.',
    }),
  ],
} satisfies Estado
