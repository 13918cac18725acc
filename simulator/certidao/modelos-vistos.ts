import { type Modelo, porDesfecho } from './modelo.ts'

/**
 * The layouts of certificates that were seen (2026), MT, GO, MA and BA whole; what is between
 * the known lines is ours.
 */
export const modelosVistos = {
  MT: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA',
      'CERTIDÃO POSITIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS',
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA DE DÉBITOS RELATIVOS A CRÉDITOS TRIBUTÁRIOS E NÃO TRIBUTÁRIOS ESTADUAIS GERIDOS PELA PROCURADORIA-GERAL DO ESTADO E PELA SECRETARIA DE ESTADO DE FAZENDA',
    ),
    texto: porDesfecho(
      'CERTIFICAMOS que, até a data e hora em epígrafe, não consta, nas bases informatizadas e integradas ao sistema de processamento de dados da CND, pendência, em nome do sujeito passivo acima indicado.',
      'CERTIFICAMOS que, até a data e hora em epígrafe, constam pendências em nome do sujeito passivo acima indicado.',
      'CERTIFICAMOS que, até a data e hora em epígrafe, as pendências em nome do sujeito passivo acima indicado estão com a exigibilidade suspensa ou garantidas.',
    ),
    linhas: [
      '# ESTADO DE MATO GROSSO',
      '# PROCURADORIA GERAL DO ESTADO',
      '# SECRETARIA DE ESTADO DE FAZENDA',
      '# {titulo}',
      '{sigla} Nº {numero}',
      'Data da emissão: {emissao} Hora da emissão: {hora}',
      '{tipo}: {documento}',
      'Nome: {nome}',
      '{texto}',
      '- A presente certidão não impede a cobrança de débitos que venham a ser apurados.',
      'Certidão válida até: {validade}.',
      'Número de Autenticação: {codigo}',
    ],
  },
  GO: {
    titulo: porDesfecho(
      'CERTIDÃO DE DÉBITO INSCRITO EM DÍVIDA ATIVA - NEGATIVA',
      'CERTIDÃO DE DÉBITO EM DÍVIDA ATIVA - POSITIVA',
      'CERTIDÃO DE DÉBITO EM DÍVIDA ATIVA - POSITIVA COM EFEITO NEGATIVO (PARCELAMENTO)',
    ),
    texto: porDesfecho(
      'DESPACHO (Certidão válida para a matriz e suas filiais): NÃO CONSTA DÉBITO',
      'DESPACHO: POSSUI DÉBITO INSCRITO NA DÍVIDA ATIVA, RELATIVO A 2 PROCESSO(S)',
      'DESPACHO: POSSUI DÉBITO INSCRITO NA DÍVIDA ATIVA, RELATIVO A 1 PROCESSO(S), COM PARCELAMENTO EM DIA',
    ),
    linhas: [
      '# ESTADO DE GOIÁS',
      '# SECRETARIA DE ESTADO DA ECONOMIA',
      '# {titulo}',
      'NR. CERTIDÃO: Nº {numero}',
      'IDENTIFICAÇÃO: {tipo} {documento}',
      'NOME: {nome}',
      '{texto}',
      // The foot is the same in every outcome, and speaks of debt: only title and DESPACHO tell.
      '- FUNDAMENTO LEGAL: Esta certidão é expedida nos termos da Lei 11.651/91. Fica ressalvado o direito de a Fazenda Pública Estadual inscrever em dívida ativa e cobrar débito que venha a ser apurado. A certidão negativa não quita débito, e consta débito quando houver processo inscrito.',
      'SEGURANÇA: VÁLIDA POR 120 DIAS. A autenticidade pode ser verificada em www.sefaz.go.gov.br.',
      'VALIDADOR: {codigo} EMITIDA VIA INTERNET',
      'LOCAL E DATA: GOIANIA, {extenso} HORA: {hora}',
    ],
  },
  MA: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITO',
      'CERTIDÃO POSITIVA DE DÉBITO',
      'CERTIDÃO POSITIVA DE DÉBITO COM EFEITOS DE NEGATIVA',
    ),
    texto: porDesfecho(
      'Certificamos que, após a realização das consultas procedidas no sistema desta Secretaria, não constam débitos relativos aos tributos estaduais, administrados por esta Secretaria, em nome do sujeito passivo acima identificado.',
      'Certificamos que constam débitos relativos aos tributos estaduais em nome do sujeito passivo acima identificado.',
      'Certificamos que constam débitos com a exigibilidade suspensa em nome do sujeito passivo acima identificado.',
    ),
    linhas: [
      '# GOVERNO DO ESTADO DO MARANHÃO',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      'Nº {numero} Data da Emissão: {emissao}',
      'CPF/CNPJ: {documento}',
      'Inscrição Estadual: {inscricao}',
      'Razão Social: {nome}',
      '{naoInscrito}',
      '{texto}',
      'Validade da Certidão: {prazo}: {validade}',
      'Código de autenticidade: {codigo}',
      '- CERTIDÃO EMITIDA GRATUITAMENTE.',
    ],
  },
  BA: {
    titulo: porDesfecho(
      'Certidão Negativa de Débitos Tributários',
      'Certidão Positiva de Débitos Tributários',
      'Certidão Positiva com efeito de Negativa de Débitos Tributários',
    ),
    texto: porDesfecho(
      'Fica certificado que não constam, até a presente data, pendências de responsabilidade da pessoa física ou jurídica acima identificada, relativas aos tributos administrados por esta Secretaria.',
      'Fica certificado que constam, até a presente data, pendências de responsabilidade da pessoa física ou jurídica acima identificada.',
      'Fica certificado que as pendências de responsabilidade da pessoa física ou jurídica acima identificada estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# GOVERNO DO ESTADO DA BAHIA',
      '# SECRETARIA DA FAZENDA',
      'Emissão: {emissao} {minuto}',
      '# {titulo}',
      '- (Emitida para os efeitos dos arts. 113 e 114 da Lei 3.956 de 11 de dezembro de 1981 - Código Tributário do Estado da Bahia)',
      'Certidão Nº: {numero}',
      'RAZÃO SOCIAL {nome}',
      'INSCRIÇÃO ESTADUAL {inscricao}',
      'CNPJ/CPF {documento}',
      '{texto}',
      'Esta certidão é válida por 60 dias, contados a partir da data de sua emissão.',
      '- A AUTENTICIDADE DESTE DOCUMENTO PODE SER COMPROVADA NAS INSPETORIAS FAZENDÁRIAS OU VIA INTERNET, NO ENDEREÇO http://www.sefaz.ba.gov.br',
    ],
  },
} as const satisfies Record<string, Modelo>
