import type { Estado } from '../estado.ts'
import { formulario } from '../families/formulario.ts'
import { telas } from '../families/telas.ts'

export const estado = {
  uf: 'PA',
  exemplo: '99058865000176',
  ie: [
    formulario('PA', {
      url: 'https://app.sefa.pa.gov.br/sintegra/',
      destino: 'consulta.do',
      documentos: { cnpj: '' },
      preencher: ({ documento }) => ({ CNPJ: documento }),
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre' },
      resposta: { campo: 'CODIGO' },
      certeza: 'desconhecido',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'A página de 2019, que o simulador tem, deu lugar a uma em Angular com Cloudflare Turnstile, cuja API não se conhece.',
    }),
  ],
  cnd: [
    telas('PA', {
      url: 'https://app.sefa.pa.gov.br/emissao-certidao/template.action',
      form: 'form:has(#identificacao)',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF', ie: 'Inscrição Estadual' },
      campo: '#identificacao',
      porInscricao: true,
      captcha: 'nenhum',
      envio: { botao: 'Continuar' },
      passos: [{ botao: 'Visualizar Certidão', perto: /(?<!NAO )TRIBUTARIA/ }],
      layout: {
        // The other certificate of the same taxpayer says "NATUREZA NÃO TRIBUTÁRIA", and is none for us.
        titulo: /CERTIDAO [A-Z ,]{0,60}\bNATUREZA TRIBUTARIA\b/,
        validadeDias: 180,
        verificacao: 'https://app.sefa.pa.gov.br/emissao-certidao/template.action',
      },
      naoContribuinte: 'ie',
      espera: { marca: 'Código de Controle de Autenticidade', minimo: 400 },
      certeza: 'verificado',
      origem: 'código aberto de emissão, por navegador',
      em: '2026-07',
      nota: 'Emite duas certidões, e a entregue é a de natureza tributária. Quem tem inscrição é consultado por ela. Recusa conexões vindas de centros de dados.',
    }),
  ],
} satisfies Estado
