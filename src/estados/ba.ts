import { cadastro } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado } from '../portal/estado.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { webforms } from '../portal/webforms.ts'

export const estado = {
  uf: 'BA',
  exemplo: '99003575000125',
  ie: [
    cadastro('BA', {
      producao: 'https://nfe.sefaz.ba.gov.br/webservices/CadConsultaCadastro4/CadConsultaCadastro4.asmx',
      homologacao: 'https://hnfe.sefaz.ba.gov.br/webservices/CadConsultaCadastro4/CadConsultaCadastro4.asmx',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    formulario('BA', {
      leitor: inscricoes({
        espera: {
          marca: 'Situação Cadastral',
          minimo: 340,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [...camposDoSintegra, 'data_inicio_atividade', 'regime_apuracao_icms', 'situacao_nfe'],
        },
        // The label is "Regime de Apuração de ICMS", in two pieces.
        rotulos: { Regime: 'ignorado', 'de Apuração de ICMS': 'regime_apuracao_icms' },
        frases: [{ desfecho: 'nao-encontrado', url: 'consulta_vazia.htm' }],
      }),
      segunda: true,
      url: 'https://portal.sefaz.ba.gov.br/scripts/cadastro/cadastroBa/consultaBa.asp',
      documentos: { cnpj: '', ie: '' },
      charset: 'iso-8859-1',
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'diagnóstico dos portais, com consulta respondida',
      em: '2026-08',
      nota: 'O texto do botão decide a consulta (na página tem 8 espaços no fim, que também faltam nos pedidos respondidos). O servidor envia a cadeia do certificado TLS sem a autoridade intermediária: se a conexão falhar por isso, inclua-a no perfil do host. Consulta por CNPJ ou IE; o campo de CPF não é conhecido, nem o que mostra de quem tem várias inscrições.',
      form: 'form',
      destino: 'result.asp',
      // The text of the button decides what is searched by.
      fill: ({ tipo, documento }) => ({
        sefp: '1',
        estado: 'BA',
        ...(tipo === 'ie' ? { IE: documento, B2: 'IE  ->' } : { CGC: documento, B1: 'CNPJ  ->' }),
      }),
    }),
  ],
  cnd: [
    webforms('BA', {
      leitor: certidao({
        espera: { marca: 'Débitos Tributários', minimo: 300, partes: ['protocolo', 'emissao', 'validade'] },
        abrange: { debitos: 'desconhecido', origem: '' },
        naoContribuinte: 'ie',
        layout: { verificacao: 'https://www.sefaz.ba.gov.br' },
      }),
      url: 'https://servicos.sefaz.ba.gov.br/sistemas/DSCRE/Modulos/Publico/EmissaoCertidao.aspx',
      documentos: { cnpj: '', cpf: '' },
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'código aberto de emissão, com testes',
      em: '2026-07-25',
      nota: 'A SEFAZ-BA emite certidão também a quem não é inscrito no Estado (em nome de "XXXX"), e imprime a positiva. Por que não emite diz numa caixa de diálogo.',
      campo: {
        cnpj: '[name="ctl00$PHConteudo$TxtNumCNPJ"]',
        cpf: '[name="ctl00$PHConteudo$TxtNumCPF"]',
        ie: '[name="ctl00$PHConteudo$TxtNumInscricaoEstadual"]',
      },
      forma: 'digitos',
      botao: { alvo: 'ctl00$PHConteudo$btnImprimir' },
      caminho: { relatorio: '/sistemas/DSCRE/Relatorios/Relatorio.aspx' },
    }),
  ],
} satisfies Estado
