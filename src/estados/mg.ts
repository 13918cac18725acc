import { cadastro } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { telas } from '../portal/telas.ts'

export const estado = {
  uf: 'MG',
  exemplo: '99033786000100',
  ie: [
    cadastro('MG', {
      producao: 'https://nfe.fazenda.mg.gov.br/nfe2/services/CadConsultaCadastro4',
      homologacao: 'https://hnfe.fazenda.mg.gov.br/nfe2/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
      nota: 'Sem segunda via: a consulta pública (lista conferida em 2026-09-18) encaminha ao Cadastro Centralizado de Contribuintes, que pede login gov.br.',
    }),
  ],
  cnd: [
    telas('MG', {
      leitor: certidao({
        espera: {
          marca: 'CERTIDÃO DE DÉBITOS TRIBUTÁRIOS',
          minimo: 300,
          titulo: /CERTIDAO DE DEBITOS TRIBUTARIOS/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: {
          debitos: 'ambos',
          origem: 'o papel nomeia a Fazenda e a Advocacia-Geral do Estado (código aberto de 2026)',
        },
        naoContribuinte: 'ie',
        layout: { numero: /\b(?:CODIGO DE CONTROLE D[AE] CERTIDAO|CERTIDAO Nº) ?:? ?(\d[\d./-]*)/ },
        emHtml: true,
      }),
      url: 'https://www2.fazenda.mg.gov.br/sol/ctrl/SOL/CDT/SERVICO_829?ACAO=INICIAR',
      charset: 'iso-8859-1',
      form: 'form[name=formTela]',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      forma: 'mascara',
      acao: 'ACAO',
      captcha: 'nenhum',
      envio: { botao: 'Confirmar' },
      // Both confirmations are links around the same image. On the second screen it has no words
      // (2026-01-19).
      passos: [{ seletor: 'a:has(img[src*="bt_confirmar2.gif"])' }, { botao: 'Imprimir Certidão' }],
      parada: 'Clique aqui para informar endereço',
      quadro: 'frame[src*="/CND/"]',
      certeza: 'verificado',
      origem: 'robô de navegador do governo de MG, em código aberto',
      em: '2026-01-19',
      nota: 'Vistos: os endereços, a ordem das telas, os botões e a certidão em HTML. Os nomes dos campos e as ações (ACAO) não foram vistos: são lidos da página, e a falta deles é falha. Só emite a quem tem endereço no SIARE.',
    }),
  ],
} satisfies Estado
