import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'
import { telas } from '../families/telas.ts'

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
      nota: 'Sem segunda via: a consulta pública encaminha ao Cadastro Centralizado de Contribuintes, que pede login gov.br.',
    }),
  ],
  cnd: [
    telas('MG', {
      url: 'https://www2.fazenda.mg.gov.br/sol/ctrl/SOL/CDT/SERVICO_829?ACAO=INICIAR',
      charset: 'iso-8859-1',
      form: 'form:has(select)',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF', ie: 'Inscrição Estadual' },
      captcha: 'nenhum',
      envio: { botao: 'Confirmar' },
      passos: [{ botao: 'Confirmar' }, { botao: 'Imprimir Certidão' }],
      naoContribuinte: 'ie',
      certeza: 'desconhecido',
      origem: 'robô de tela, que conhece as palavras e não os campos',
      em: '2026',
      nota: 'As telas são conhecidas (duas confirmações e a impressão); o que elas enviam, não. As fontes discordam sobre haver captcha.',
    }),
  ],
} satisfies Estado
