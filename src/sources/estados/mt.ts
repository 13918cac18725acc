import type { Estado, PerguntaCnd, TipoDocumento } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'
import { formulario } from '../families/formulario.ts'
import { servlet } from '../families/servlet.ts'
import type { Campos } from '../portal/form.ts'

const documentos = { ie: '1', cnpj: '2', cpf: '3' } as const satisfies Record<TipoDocumento, string>
const CADASTRO = 'https://www.sefaz.mt.gov.br/sid/consulta/infocadastral/consultar/publica'

/** What both forms of the certificate's servlet send. */
const comum = ({ tipo, documento }: PerguntaCnd): Campos => ({
  indiceModlCertSelecionado: '19',
  numrDoctFinal: documento,
  tipoDoctSele: tipo === 'cpf' ? '1' : '2',
  codgMenu: '',
  nomeMenu: '',
  barraMenu: '',
  codgTemporario: '',
})

export const estado = {
  uf: 'MT',
  exemplo: '99193480000111',
  ie: [
    cadastro('MT', {
      producao: 'https://nfe.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      homologacao: 'https://homologacao.sefaz.mt.gov.br/nfews/v2/services/CadConsultaCadastro4',
      // SEFAZ-MT asks for it (Java_NFe issue 153, 2019-04-24); without it, "EPR for the Operation not found" (PyNFe issue 192). Other
      // clients in production send a second nfeDadosMsg instead (nfephp-org/sped-nfe, 2026-06-23).
      envolveNaOperacao: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    formulario('MT', {
      segunda: true,
      url: CADASTRO,
      documentos,
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'Em 08/2026 o endereço desta página respondia 404. Da nova (https://www.sefaz.mt.gov.br/cadastro/emissaocartao/emissaocartaocontribuinteacessodireto) não se conhecem os campos.',
      destino: CADASTRO,
      preencher: ({ tipo, documento }) => ({
        opcao: documentos[tipo],
        numero: documento,
        pagn: 'resultado',
        captcha: 'telaComCaptcha',
      }),
      resposta: { campo: 'captchaDigitado', imagem: { seletor: 'img[src*=geradorcaracteres]' } },
      rotulos: {
        'Credenciado de ofício como emissor NF-e': 'situacao_nfe',
        'Data início obrigação': 'ignorado',
        PED: 'ignorado',
        'Simples Nacional': 'ignorado',
        'Data de início no Simples': 'ignorado',
        MEI: 'ignorado',
        'Ultrapassou sublimite estadual': 'ignorado',
      },
    }),
  ],
  cnd: [
    servlet('MT', {
      url: 'https://www.sefaz.mt.gov.br/cnd/certidao/servlet/ServletRotdAberto?origem=60',
      documentos: { cpf: '1', cnpj: '2' },
      // Drawn, but an empty answer was accepted in 2026-09; `sempre` has it solved, the day it is checked.
      captcha: { tipo: 'turnstile', quando: 'desenhado' },
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com testes',
      em: '2026-09-21',
      nota: 'A emissão leva até 2 minutos, em que a página se renova a cada 15 s: a primeira consulta pode esgotar o prazo e a seguinte achar a certidão pronta.',
      naoContribuinte: 'ie',
      servlet: 'ServletRotdAberto',
      token: 'cf-turnstile-response',
      preencher: (pergunta) => ({
        ...comum(pergunta),
        origem: '76',
        tipoDocumento: pergunta.tipo.toUpperCase(),
        numeroDocumento: pergunta.documento,
        botaoSubmit: '     OK     ',
      }),
      vigente: {
        texto: 'Reimprimir Certidão Vigente',
        nova: (pergunta) => ({
          ...comum(pergunta),
          origem: '62',
          numrDoct: '',
          caracteres: '',
          usuario: 'null',
        }),
      },
      processando: ['REQUERIMENTO', 'Aguarde'],
      layout: {
        codigo: /NUMERO DE AUTENTICACAO ?: ?([A-Z0-9]{16})\b/,
        verificacao: 'https://www.sefaz.mt.gov.br/cnd/certidao/servlet/ServletRotdAberto?origem=5',
      },
    }),
  ],
} satisfies Estado
