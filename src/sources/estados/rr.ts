import type { Estado } from '../estado.ts'
import { desconhecidaCnd } from '../families/desconhecida.ts'
import { genexusIe } from '../families/genexus.ts'

const captcha = { tipo: 'palavras', quando: 'sempre' } as const
const resposta = { campo: '_cfield', imagem: { seletor: '#captchaImage' } }
const campos = { tipo: 'vDMNTIPODOCUMENTOCONTRIBUINTE', documento: 'vDOCUMENTO' }

export const estado = {
  uf: 'RR',
  exemplo: '99296397000178',
  ie: [
    genexusIe('RR', {
      url: 'https://portalweb.sefaz.rr.gov.br/sintegra/servlet/wp_siate_consultasintegra',
      documentos: { ie: '1', cpf: '2', cnpj: '3' },
      captcha,
      resposta,
      campos,
      botao: { nome: 'BTNCONSULTAR', valor: 'Consultar' },
      certeza: 'antigo',
      origem: 'código aberto de raspagem do endereço anterior; o atual está em lista de links',
      em: '2026-09',
    }),
  ],
  cnd: [
    desconhecidaCnd('RR', {
      url: 'https://portalweb.sefaz.rr.gov.br/cnd/servlet/wp_siate_emitircndcentralservicopublica',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'palavras', quando: 'sempre' },
      origem: 'link do próprio portal e Portaria 367/2011',
      em: '2026-08',
      nota: 'Pede o documento (CGF, CNPJ ou CPF) e o nome do contribuinte por extenso. É do mesmo sistema que a consulta de inscrição, e o captcha deve ser o mesmo (uma palavra, na imagem dentro de #captchaImage), mas os nomes dos campos e dos botões ninguém viu.',
    }),
  ],
} satisfies Estado
