import type { Estado } from '../estado.ts'
import { cadastro } from '../families/cadastro.ts'
import { mvc, mvcCertidao } from '../families/mvc.ts'
import { writeDocumento } from '../portal/rota.ts'

export const estado = {
  uf: 'MS',
  exemplo: '99414065000140',
  ie: [
    cadastro('MS', {
      producao: 'https://nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      homologacao: 'https://hom.nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      recusaCpf: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    mvc('MS', {
      segunda: true,
      url: 'https://servicos.efazenda.ms.gov.br/consultacci',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'antigo',
      origem: 'código aberto de raspagem',
      em: '2019-06',
      nota: 'É a página de 2019: a de hoje (https://servicos.efazenda.ms.gov.br/consultapublica) é outra, de campos desconhecidos.',
      acao: '/consultacci/Home/Buscar',
      preencher: (pergunta) => ({
        ie: pergunta.tipo === 'ie' ? pergunta.documento : '',
        cnpj: pergunta.tipo === 'cnpj' ? writeDocumento(pergunta, 'mascara') : '',
      }),
      resposta: { campo: 'captcha', imagem: { url: '/consultacci/Home/GetCaptcha' } },
      rotulos: { 'Data da Última Atualização': 'ignorado', 'Motivo da Situação': 'ignorado' },
    }),
  ],
  cnd: [
    mvcCertidao('MS', {
      url: 'https://servicos.efazenda.ms.gov.br/pndfis/Home/Emissao',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: { tipo: 'imagem', quando: 'sempre' },
      certeza: 'verificado',
      origem: 'código aberto de emissão',
      em: '2026-09-04',
      nota: 'Um pagamento aparece na certidão depois de 72 horas.',
      naoContribuinte: 'pagina',
      acao: '/pndfis/Home/Validar',
      tipo: { campo: 'tipoIdentificacao', seletor: 'select[name=Tipo]' },
      preencher: ({ documento }) => ({ numeroIdentificacao: documento }),
      resposta: { campo: 'CaptchaNumero', imagem: { url: '/pndfis/Captcha/Show' } },
      mensagem: '.alert',
      layout: {
        validadeDias: 60,
        verificacao: 'https://servicos.efazenda.ms.gov.br/pndfis/Home/Autenticacao',
      },
    }),
  ],
} satisfies Estado
