import { cadastro } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { mvc } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'

export const estado = {
  uf: 'MS',
  exemplo: '99414065000140',
  ie: [
    cadastro('MS', {
      producao: 'https://nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      homologacao: 'https://hom.nfe.sefaz.ms.gov.br/ws/CadConsultaCadastro4',
      refusesCpf: true,
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    mvc('MS', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral',
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
        rotulos: { 'Data da Última Atualização': 'ignorado', 'Motivo da Situação': 'ignorado' },
        frases: [{ desfecho: 'nao-encontrado', url: '/Home/Index' }],
      }),
      segunda: true,
      url: 'https://servicos.efazenda.ms.gov.br/consultapublica/',
      documentos: { cnpj: '', ie: '' },
      captcha: { tipo: 'recaptcha-v2', quando: 'sempre', campo: 'g-recaptcha-response' },
      certeza: 'verificado',
      origem: 'código aberto de raspagem',
      em: '2026',
      nota: 'Se o CNPJ vai com ou sem máscara não se sabe: vai sem. Vistos os rótulos da inscrição, do nome e da situação; os outros são lidos pelos do SINTEGRA. De quem não é inscrito ela só diz com a volta à primeira página (/Home/Index), sem mensagem.',
      acao: '/consultapublica/Home/Consulta',
      fill: ({ tipo, documento }) => ({
        documentoIE: tipo === 'ie' ? documento : '',
        documentoCNPJ: tipo === 'cnpj' ? documento : '',
      }),
      erro: { seletor: 'input#error', captcha: /\bROBO|MARQUE|CAPTCHA/ },
    }),
  ],
  cnd: [
    mvc('MS', {
      leitor: certidao({
        // "Certidão Tributária", with its outcome (2026-09). The words of its title were not seen.
        espera: {
          marca: 'Certidão',
          minimo: 200,
          titulo: /CERTIDAO (?:TRIBUTARIA|NEGATIVA|POSITIVA)(?! (?:DE|DA) DIVIDA)/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: { debitos: 'ambos', origem: 'Resolução Conjunta SEFAZ/PGE: débitos inscritos ou não' },
        naoContribuinte: 'pagina',
        layout: {
          verificacao: 'https://servicos.efazenda.ms.gov.br/pndfis/Home/Autenticacao',
        },
        mensagem: '.alert',
      }),
      url: 'https://servicos.efazenda.ms.gov.br/pndfis/Home/Emissao',
      documentos: { cnpj: 'CNPJ', cpf: 'CPF' },
      captcha: {
        tipo: 'imagem',
        quando: 'sempre',
        campo: 'CaptchaNumero',
        imagem: { url: '/pndfis/Captcha/Show' },
      },
      certeza: 'verificado',
      origem: 'código aberto de emissão',
      em: '2026-09-04',
      nota: 'Um pagamento aparece na certidão depois de 72 horas.',
      acao: '/pndfis/Home/Validar',
      tipo: { campo: 'tipoIdentificacao', seletor: 'select[name=Tipo]' },
      fill: ({ documento }) => ({ numeroIdentificacao: documento }),
    }),
  ],
} satisfies Estado
