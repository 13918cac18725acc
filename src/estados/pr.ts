import type { Campos } from '../portal/campos.ts'
import type { Estado, Pergunta } from '../portal/estado.ts'
import { cadastro } from '../portal/families-cadastro.ts'
import { desconhecidaCnd } from '../portal/families-desconhecida.ts'
import { camposDoEndereco } from '../portal/inscricao-rotulo.ts'
import { writeDocumento } from '../portal/rota.ts'
import { cakephp } from './cakephp.ts'

const data = (campo: string): string => `data[Sintegra1][${campo}]`

/** Producers (CAD/PRO) are searched by their own fields. Their registrations begin with 95 or 96. */
function question(pergunta: Pergunta): Campos {
  const { tipo, documento } = pergunta
  const produtor = tipo === 'cpf' || (tipo === 'ie' && /^9[56]/.test(documento))
  const campo = {
    cnpj: 'Cnpj',
    cpf: 'CnpjCpfProdutor',
    ie: produtor ? 'CadicmsProdutor' : 'Cadicms',
  }[tipo]
  return {
    ...(produtor ? { produtor: 'Consultar Produtor' } : { empresa: 'Consultar Empresa' }),
    [data(campo)]: writeDocumento(pergunta, 'mascara'),
  }
}

export const estado = {
  uf: 'PR',
  exemplo: '99025987000166',
  ie: [
    cadastro('PR', {
      producao: 'https://nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      homologacao: 'https://homologacao.nfe.sefa.pr.gov.br/nfe/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    cakephp('PR', {
      segunda: true,
      url: 'http://www.sintegra.fazenda.pr.gov.br/sintegra/',
      documentos: { cnpj: '', cpf: '', ie: '' },
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'sempre' },
      espera: {
        marca: 'Situação Atual',
        minimo: 270,
        campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
        rotulos: [
          ...camposDoEndereco,
          'cnae_codigo',
          'cnae_descricao',
          'data_inicio_atividade',
          'regime_apuracao_icms',
        ],
      },
      certeza: 'antigo',
      origem: 'código aberto de raspagem, em duas linguagens',
      em: '2019',
      nota: 'Sem TLS. O CNPJ é procurado entre as empresas e o CPF entre os produtores (CAD/PRO); o botão dos produtores não foi visto.',
      preencher: (pergunta) => ({
        _method: 'POST',
        [data('Cnpj')]: '',
        [data('Cadicms')]: '',
        [data('CadicmsProdutor')]: '',
        [data('CnpjCpfProdutor')]: '',
        ...question(pergunta),
      }),
      resposta: { campo: data('CodImage'), imagem: { seletor: 'img[src*=captcha]' } },
      rotulos: {
        'CAD/ICMS': 'inscricao_estadual',
        'CAD/PRO': 'inscricao_estadual',
        'Situação Atual': 'situacao_cadastral',
        'Regime Tributário': 'regime_apuracao_icms',
      },
      motivos: [
        { se: /\/ERRO\/[A-Z]+\/IMAGE/, desfecho: 'captcha-errado' },
        { se: /CADASTRAD[OA] NO CAD/, desfecho: 'nao-encontrado' },
        { se: /(?:CNPJ|CPF|CAD\/?(?:ICMS|PRO)) INV/, desfecho: 'documento-invalido' },
      ],
      proxima: {
        form: `form:has([name="${data('campoAnterior')}"])`,
        url: '/sintegra/sintegra1/consultar',
        botao: 'consultar',
      },
    }),
  ],
  cnd: [
    desconhecidaCnd('PR', {
      abrange: { debitos: 'ambos', origem: 'o título do papel, em 2024, 2025 e 2026' },
      url: 'https://cdwfazenda.paas.pr.gov.br/cdwportal/certidao/automatica',
      documentos: { cnpj: '', cpf: '' },
      captcha: { tipo: 'recaptcha-enterprise', quando: 'sempre' },
      origem: 'código aberto de emissão, num navegador',
      em: '2026',
      nota: 'Conhece-se a tela, não os pedidos que ela faz: um campo ("CPF ou CNPJ do requerente"), o botão "EMITIR CERTIDÃO", a lista das certidões recentes e, para uma nova, "Solicitar nova certidão". O reCAPTCHA Enterprise é invisível e dá nota; um serviço de solução não o resolveu, e o site recusa programas também de endereços de escritório. A página antiga (cdw.fazenda.pr.gov.br) responde 404.',
    }),
  ],
} satisfies Estado
