import type { TipoDocumento } from '../documento/documento.ts'
import { cadastro } from '../portal/cadastro.ts'
import { certidao } from '../portal/certidao.ts'
import type { Estado, Pergunta } from '../portal/estado.ts'
import { formulario } from '../portal/formulario.ts'
import { camposDoSintegra } from '../portal/inscricao.ts'
import { inscricoes } from '../portal/resultado.ts'
import { writeDocumento } from '../portal/rota.ts'
import type { Campos } from '../portal/visita.ts'

const documentos = { ie: '1', cnpj: '2', cpf: '3' } as const satisfies Record<TipoDocumento, string>
const campos = { ie: 'tCCE', cnpj: 'tCNPJ', cpf: 'tCPF' } as const satisfies Record<TipoDocumento, string>

/** Writes `10.987.654-7`, `00.000.000/0001-91`, `529.982.247-25`. */
const masked = (pergunta: Pergunta): string =>
  pergunta.tipo === 'ie'
    ? pergunta.documento.replace(/^(\d{2})(\d{3})(\d{3})(\d)$/, '$1.$2.$3-$4')
    : writeDocumento(pergunta, 'mascara')

const question = ({ tipo }: Pergunta, written: string): Campos => ({
  rTipoDoc: documentos[tipo],
  tDoc: written,
  tCCE: '',
  tCNPJ: '',
  tCPF: '',
  [campos[tipo]]: written,
  btCGC: 'Consultar',
  'zion.SystemAction': 'consultarSintegra()',
  'zion.OnSubmited': '',
  'zion.FormElementPosted': 'zionFormID_1',
  zionPostMethod: '',
  zionRichValidator: 'true',
})

/** The parts of GO's certificates that say nothing of the outcome. */
export const moldura = {
  titulo:
    /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA - (?:NEGATIVA|POSITIVA)|COM EFEITO NEGATIVO(?: \([A-Z ]+\))?|DESPACHO\b[^:]{0,80}: (?:NAO CONSTA DEBITO|POSSUI DEBITO INSCRITO NA DIVIDA ATIVA)/,
  // The foot of every certificate speaks of debts (seen in 2026-08), so only the text above it counts.
  rodape: /FUNDAMENTO LEGAL\b|SEGURANCA ?:|\bVALIDADOR ?:/,
}

export const estado = {
  uf: 'GO',
  exemplo: '99050789000152',
  ie: [
    cadastro('GO', {
      producao: 'https://nfe.sefaz.go.gov.br/nfe/services/CadConsultaCadastro4',
      homologacao: 'https://homolog.sefaz.go.gov.br/nfe/services/CadConsultaCadastro4',
      certeza: 'verificado',
      origem: 'Portal Nacional da NF-e, lista de web services',
      em: '2026-09-18',
    }),
    formulario('GO', {
      leitor: inscricoes({
        espera: {
          marca: 'Inscrição Estadual',
          minimo: 330,
          campos: ['inscricao_estadual', 'razao_social', 'situacao_ie', 'municipio', 'cpf_cnpj'],
          rotulos: [
            ...camposDoSintegra,
            'data_inicio_atividade',
            'regime_apuracao_icms',
            'situacao_contribuinte',
            'situacao_nfe',
          ],
        },
        rotulos: {
          'Inscrição Estadual - CCE': 'inscricao_estadual',
          'Inscrição Estadual': 'inscricao_estadual',
          // This is the heading of a block.
          'Atividade Econômica': 'ignorado',
          'Endereço Estabelecimento': 'endereco',
          'Nome da Propriedade': 'ignorado',
          'Contribuinte?': 'situacao_contribuinte',
          'Unidade Auxiliar': 'ignorado',
          'Condição de Uso': 'ignorado',
          'Data Final de Contrato': 'ignorado',
          'Data de Cadastramento': 'data_inicio_atividade',
          'Operações com NF-e': 'situacao_nfe',
          'Cadastro Atualizado em': 'ignorado',
        },
        frases: [
          { desfecho: 'nao-encontrado', texto: 'Não foi encontrado nenhum contribuinte' },
          { desfecho: 'nao-encontrado', texto: 'Não encontrado!' },
          { desfecho: 'captcha', seletor: '[component=captcha]' },
        ],
      }),
      segunda: true,
      url: 'https://appasp.sefaz.go.gov.br/Sintegra/Consulta/default.asp',
      documentos,
      charset: 'iso-8859-1',
      captcha: { tipo: 'imagem', quando: 'as-vezes' },
      paceMs: 3000,
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com testes',
      em: '2026',
      nota: 'O documento vai com máscara, e só com os dígitos se a máscara for respondida com HTTP 500. Algumas respostas vêm em UTF-8, e são lidas assim.',
      destino: 'consultar.asp',
      fill: (pergunta) => question(pergunta, masked(pergunta)),
      // Two clients of 2025 get answers in this way. One of 2026 says that the server reads the text as a
      // number, and answers a mask with HTTP 500.
      fillAgain: (pergunta) => question(pergunta, pergunta.documento),
    }),
  ],
  cnd: [
    formulario('GO', {
      leitor: certidao({
        espera: {
          marca: 'dívida ativa',
          minimo: 400,
          titulo: /CERTIDAO DE DEBITO (?:INSCRITO )?EM DIVIDA ATIVA/,
          partes: ['protocolo', 'emissao', 'validade'],
        },
        abrange: { debitos: 'inscritos', origem: 'o título do papel, 2026-08' },
        naoContribuinte: 'ie',
        layout: {
          ...moldura,
          verificacao: 'https://www.sefaz.go.gov.br/Certidao/Validacao/default.asp',
        },
      }),
      url: 'https://www.sefaz.go.gov.br/Certidao/Emissao/001frmEmiteCertidao_c.asp',
      documentos: { cpf: '1', cnpj: '2' },
      charset: 'iso-8859-1',
      captcha: 'nenhum',
      paceMs: 3000,
      certeza: 'verificado',
      origem: 'código aberto de raspagem, com testes',
      em: '2026-08-28',
      nota: 'A certidão é a de débito inscrito em dívida ativa, que a SEFAZ-GO emite para qualquer CPF ou CNPJ. 299 emissões seguidas, neste ritmo, passaram sem bloqueio. A página abre também em /Certidao/Emissao/.',
      destino: 'certidao.asp',
      fill: ({ tipo, documento }) => ({
        'Certidao.Tipo': '01',
        'Certidao.TipoDocumento': tipo === 'cpf' ? '1' : '2',
        'Certidao.NumeroDocumento': documento,
        [`Certidao.NumeroDocumento${tipo.toUpperCase()}`]: documento,
        'Certidao.Espolio': 'N',
        'Certidao.Render': 'pdf',
        'Certidao.ValidarEmissao_Emitir': '0',
      }),
      confirmacao: {
        texto: 'Confirma o Nome do Contribuinte',
        campos: { 'Certidao.ConfirmaNomeContribuinte': 'Sim' },
      },
    }),
  ],
} satisfies Estado
