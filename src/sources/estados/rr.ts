import type { Estado } from '../estado.ts'
import { genexusCnd, genexusIe } from '../families/genexus.ts'

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
    genexusCnd('RR', {
      url: 'https://portalweb.sefaz.rr.gov.br/cnd/servlet/wp_siate_emitircndcentralservicopublica',
      documentos: { cpf: '2', cnpj: '3' },
      captcha,
      resposta,
      campos,
      nome: 'vNOME',
      botao: { nome: 'BTNEMITIR', valor: 'Emitir' },
      mensagem: '.gx_ev .ErrorViewerBullet',
      layout: {},
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'listas de links, sem data, e Portaria 367/2011; os passos não são conhecidos',
      em: '2026-11',
      nota: 'Pede também o nome do contribuinte, que vem da consulta da inscrição estadual.',
    }),
  ],
} satisfies Estado
