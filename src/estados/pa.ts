import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { desconhecidaIe } from '../portal/rota.ts'
import { telas } from '../portal/telas.ts'

export const estado = {
  uf: 'PA',
  exemplo: '99058865000176',
  ie: [
    desconhecidaIe('PA', {
      url: 'https://app.sefa.pa.gov.br/sintegra/',
      documentos: { cnpj: '' },
      captcha: { tipo: 'turnstile', quando: 'sempre' },
      origem: 'diagnóstico dos portais e listas de links',
      em: '2026-09',
      nota: 'Aplicação em Angular com Cloudflare Turnstile, cuja API ninguém viu; a página de 2019 (consulta.do) não existe mais. A ficha cadastral está em https://app.sefa.pa.gov.br/consulta-fic/.',
    }),
  ],
  cnd: [
    telas('PA', {
      leitor: certidao({
        // The taxpayer's other certificate says "NATUREZA NÃO TRIBUTÁRIA". We do not want that one.
        espera: {
          marca: 'Código de Controle de Autenticidade',
          minimo: 400,
          titulo: /CERTIDAO [A-Z ,]{0,60}\bNATUREZA TRIBUTARIA\b/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: { debitos: 'ambos', origem: 'papel de 2026-07-10: "inscritos ou não na Dívida Ativa"' },
        naoContribuinte: 'ie',
        layout: {
          forma: /\d{15}-\d/,
          verificacao: 'https://app.sefa.pa.gov.br/emissao-certidao/template.action',
        },
      }),
      url: 'https://app.sefa.pa.gov.br/emissao-certidao/template.action',
      form: 'form:has(#identificacao)',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF', ie: 'Inscrição Estadual' },
      campo: '#identificacao',
      porInscricao: true,
      captcha: 'nenhum',
      envio: { botao: 'Continuar' },
      passos: [{ botao: 'Visualizar Certidão', perto: /(?<!NAO )TRIBUTARIA/ }],
      certeza: 'verificado',
      origem: 'código aberto de emissão, por navegador',
      em: '2026-07',
      nota: 'Emite duas certidões, e a entregue é a de natureza tributária. Quem tem inscrição só a recebe pela inscrição, que a consulta do PA hoje não diz. Recusa conexões vindas de centros de dados.',
    }),
  ],
} satisfies Estado
