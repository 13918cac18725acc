import type { Estado } from '../portal/estado.ts'
import { camposDoEndereco } from '../portal/inscricao-rotulo.ts'
import { primeFacesPedido } from './pi.ts'
import { primeFaces } from './primefaces.ts'

export const estado = {
  uf: 'PI',
  exemplo: '99034210000168',
  ie: [
    primeFaces('PI', {
      url: 'http://webas.sefaz.pi.gov.br/SintegraConsultaPublica/',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      campos: { cnpj: 'cnpj', ie: 'ie' },
      imagem: 'img[src*="primefaces_image"]',
      resposta: 'captcha',
      botao: 'Consultar',
      rotulos: { 'Data da Última Atualização': 'data_situacao', 'Motivo da Situação': 'ignorado' },
      certeza: 'antigo',
      espera: {
        marca: 'Situação Cadastral',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
        rotulos: [...camposDoEndereco, 'municipio', 'data_inicio_atividade', 'data_situacao'],
      },
      origem: 'biblioteca aberta de consultas (2018) e outro código aberto, que confirma os campos',
      em: '2018-03',
      nota: 'O estado encaminha as consultas para o Cadastro Centralizado de Contribuintes (CCC), que exige login gov.br. A página aceita também CPF, mas não se sabe em que campo.',
    }),
  ],
  cnd: [
    primeFacesPedido('PI', {
      url: 'https://webas.sefaz.pi.gov.br/certidaonft-web/index.xhtml',
      documentos: { cnpj: '0', cpf: '1' },
      captcha: 'nenhum',
      menu: { form: 'mainMenuForm', barra: 'mainMenuForm:mainMenuBar', item: 2 },
      consulta: { entrada: 1, form: ':certidaoSituacaoTv:formConsultar', botao: 'buscarBtn' },
      solicitacao: { entrada: 2, form: ':formSolicitar', botao: 'solicitarBtn' },
      campos: { tipo: 'tipoPessoa', documento: 'contribuinteCpfCnpjId' },
      grade: { corpo: 'resultsDataTable_data', situacao: 3 },
      registrada: 'Solicitação registrada',
      processando: 'Em processamento',
      intervaloMs: 5_000,
      mensagem: '[id$="messages"]',
      layout: {
        forma: /\d{16}/,
      },
      // "Certidão Negativa de Débitos" since 2026-02-26 at the latest; the older name is of a robot's menu.
      espera: {
        marca: 'CERTIDÃO',
        minimo: 200,
        titulo: /CERTIDAO (?:NEGATIVA|POSITIVA)[^.:;]{0,40}DE DEBITOS|CERTIDAO DE SITUACAO FISCAL/,
        partes: ['protocolo', 'emissao', 'validade'],
      },
      abrange: {
        debitos: 'nao-inscritos',
        origem: 'a dos inscritos é outra (papel de 2026-04-08)',
        resto: 'a Procuradoria-Geral do Estado (Certidão Negativa de Dívida Ativa)',
      },
      naoContribuinte: 'ie',
      certeza: 'antigo',
      origem: 'código aberto que opera as telas, sem data',
      em: '2026-11',
      nota: 'Entrega a Certidão de Situação Fiscal e Tributária, pedida agora e buscada depois: pode levar minutos. A de Dívida Ativa é outra, no mesmo portal. Vistos: o menu, as abas, os campos e a situação na grade; as palavras dela e o botão que baixa, não.',
    }),
  ],
} satisfies Estado
