import type { Estado } from '../estado.ts'
import { desconhecidaIe } from '../families/desconhecida.ts'
import { sate } from '../families/sate.ts'
import { telas } from '../families/telas.ts'

const FUNCAO = 'https://www.sefaz.ap.gov.br/sate/seg/SEGf_AcessarFuncao.jsp?cdFuncao='
const documentos = { cnpj: 'CNPJ', cpf: 'CPF', ie: 'Inscrição Estadual' } as const

export const estado = {
  uf: 'AP',
  exemplo: '99620017000109',
  ie: [
    desconhecidaIe('AP', {
      url: 'https://virtual.sefaz.ap.gov.br/sefazvirtual/cadastro-de-contribuintes/consultas/dados-do-contribuinte',
      documentos: { cnpj: '' },
      captcha: 'nenhum',
      origem: 'listas de links',
      em: '2026',
      nota: 'É o portal novo, de que só se conhece o endereço; ninguém o automatizou.',
    }),
    sate('AP', {
      segunda: true,
      url: `${FUNCAO}ARR_305`,
      destino: '/sate/arr/ARRf_DarInternetEmitir.do',
      imagem: '/sate/servicos/JCaptcha',
      documentos,
      captcha: { tipo: 'imagem', quando: 'sempre' },
      frases: [{ desfecho: 'nao-encontrado', texto: 'Contribuinte inexistente' }],
      certeza: 'antigo',
      origem: 'código aberto de raspagem, que não chegou a ler o resultado',
      em: '2019-06',
      espera: {
        marca: 'Inscrição Estadual',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
      },
      nota: 'Pergunta pela página do DAR avulso (ARR_305); a da consulta ao cadastro (CAD_011) ninguém automatizou, e em 2020 ela respondia com um PDF. O resultado nunca foi visto: é lido pelos rótulos do SINTEGRA.',
    }),
  ],
  cnd: [
    telas('AP', {
      url: `${FUNCAO}DIA_060`,
      form: 'form:has([name=hidAcao])',
      documentos,
      captcha: 'nenhum',
      envio: { botao: 'Avançar', campos: { hidAcao: 'avancar', hidHistorico: '-1' } },
      passos: [{ botao: 'Imprimir', campos: { hidAcao: 'imprimir', hidHistorico: '-1' } }],
      // The number of days that a robot of 2019 took for granted.
      layout: { validadeDias: 60 },
      naoContribuinte: 'pagina',
      certeza: 'desconhecido',
      origem: 'robô de tela, que conhece as palavras e não os campos',
      em: '2019',
      nota: 'As telas são conhecidas (Avançar; "gerado sem pendência", "com débito", "inexistente"); o que elas enviam, não.',
    }),
  ],
} satisfies Estado
