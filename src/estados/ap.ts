import type { Uf } from '../documento/uf.ts'
import { answerCaptcha } from '../portal/captcha-resposta.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado, RotaIe } from '../portal/estado.ts'
import { findOpcao, harvest } from '../portal/form.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { type InscricoesOptions, inscricoes } from '../portal/resultado.ts'
import { desconhecidaCnd, desconhecidaIe, type PortalOptions, rota } from '../portal/rota.ts'
import { telas } from '../portal/telas.ts'
import { failUnknown } from '../portal/visita.ts'

/** `documentos` has the words of the list of kinds of document. `destino` takes the form. */
type SateOptions = PortalOptions & InscricoesOptions & { destino: string }

/** Every function of SATE has these fields: the action, and the place in the history (-1: none). */
const FORM = 'form:has([name=hidAcao])'
const HISTORICO = { hidHistorico: '-1' } as const

/** SATE (the tax system of AP and PB): one form is sent several times, and `hidAcao` names the action. */
function sate(uf: Uf, options: SateOptions): RotaIe {
  const { url, destino, documentos, captcha } = options
  const leitor = inscricoes(options)
  return rota('sate', uf, { ...options, leitor }, async (portal, pergunta) => {
    const target = new URL(destino, url).href
    const inicio = await portal.get(url)
    const hidden = harvest(portal, inicio, FORM)
    const tipo = findOpcao(inicio, FORM, documentos[pergunta.tipo] ?? '')
    if (!tipo) failUnknown(portal, inicio, `falta o tipo de documento (${documentos[pergunta.tipo]})`)
    const acao = { ...HISTORICO, ...tipo }
    const tela = await portal.post(target, { ...hidden, ...acao, hidAcao: 'obterTipoContribuinte' })
    const answer = await portal.post(target, {
      ...harvest(portal, tela, FORM),
      ...acao,
      hidAcao: 'obterDadosContribuinte',
      edtNrDocumento: pergunta.documento,
      ...(await answerCaptcha(portal, tela, captcha)),
    })
    return leitor.read(portal, pergunta, answer)
  })
}

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
      documentos,
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: 'edtCaptchaResponse',
        imagem: { url: '/sate/servicos/JCaptcha' },
      },
      frases: [{ desfecho: 'nao-encontrado', texto: 'Contribuinte inexistente' }],
      certeza: 'antigo',
      origem: 'código aberto de raspagem, que não chegou a ler o resultado',
      em: '2019-06',
      espera: {
        marca: 'Inscrição Estadual',
        minimo: 60,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie'],
        rotulos: [
          ...camposDoSintegra,
          'municipio',
          'data_inicio_atividade',
          'regime_apuracao_icms',
          'situacao_nfe',
        ],
      },
      nota: 'Pergunta pela página do DAR avulso (ARR_305); a da consulta ao cadastro (CAD_011) ninguém automatizou, e em 2020 ela respondia com um PDF. O resultado nunca foi visto: é lido pelos rótulos do SINTEGRA.',
    }),
  ],
  cnd: [
    desconhecidaCnd('AP', {
      abrange: { debitos: 'ambos', origem: 'Portaria Conjunta SEFAZ/PGE 1/2016' },
      url: 'https://virtual.sefaz.ap.gov.br/sefazvirtual/',
      documentos: { cnpj: '', cpf: '' },
      captcha: 'nenhum',
      origem: 'listas de links',
      em: '2026',
      nota: 'É o portal novo, de que só se conhece o endereço; ninguém o automatizou.',
    }),
    telas('AP', {
      leitor: certidao({
        espera: { marca: 'ESTADO DO AMAPÁ', minimo: 200, partes: ['protocolo', 'emissao', 'validade'] },
        abrange: { debitos: 'ambos', origem: 'Portaria Conjunta SEFAZ/PGE 1/2016' },
        naoContribuinte: 'ie',
        layout: {},
        emHtml: true,
      }),
      segunda: true,
      url: `${FUNCAO}DIA_060`,
      charset: 'iso-8859-1',
      form: 'form:has([name=hidAcao])',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      acao: 'hidAcao',
      captcha: 'nenhum',
      envio: { botao: 'Submeter' },
      passos: [],
      certeza: 'antigo',
      origem: 'robô que opera a tela por imagens dela',
      em: '2020-05',
      nota: 'Vistos: as opções, o botão Submeter e o papel, que sai também para quem não tem inscrição. Os nomes dos campos e a ação (hidAcao) são lidos da página, e a falta deles é falha.',
    }),
  ],
} satisfies Estado
