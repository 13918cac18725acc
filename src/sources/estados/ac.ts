import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'
import { genexusCnd } from '../families/genexus.ts'

export const estado = {
  uf: 'AC',
  exemplo: '11550217500836',
  ie: [cadastroSvrs('AC', 'Sem a página da SEFAZ-AC como alternativa: os passos dela não são conhecidos.')],
  cnd: [
    genexusCnd('AC', {
      url: 'https://sefazonline.ac.gov.br/sefazonline/app.cndprincipal',
      documentos: { cpf: '1', cnpj: '2' },
      captcha: 'nenhum',
      campos: { tipo: 'vTIPODOCUMENTO', documento: 'vDOCUMENTO' },
      botao: { nome: 'BTNEMITIR', valor: 'Emitir' },
      mensagem: '.gx_ev .ErrorViewerBullet',
      layout: { numero: /\bCERTIDAO ?:? ?(?:Nº)? ?(\d+\/\d{4})\b/ },
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'listas de links, sem data e sem os passos',
      em: '2026-11',
    }),
  ],
} satisfies Estado
