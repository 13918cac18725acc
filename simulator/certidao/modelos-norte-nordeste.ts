import { type Modelo, porDesfecho } from './modelo.ts'

/**
 * Layouts of the North and the Northeast (AC, AL, AM, AP, TO) of which some lines are known; the other
 * lines are ours.
 */
export const modelosDoNorte = {
  AC: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS COM EFEITOS DE NEGATIVA',
    ),
    texto: porDesfecho(
      'Certificamos que não constam débitos em nome do contribuinte acima identificado.',
      'Certificamos que constam débitos em nome do contribuinte acima identificado.',
      'Certificamos que os débitos em nome do contribuinte acima identificado estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DO ACRE',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      'Certidão: {numero}',
      '{tipo}: {documento}',
      'Nome/Razão Social: {nome}',
      'Inscrição Estadual: {inscricao}',
      '{texto}',
      'Emissão: {emissao} {hora}',
      'Validade: {prazo}, até {validade}',
      'Código de Autenticidade: {codigo}',
    ],
  },
  AL: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS DE TRIBUTOS ESTADUAIS COM EFEITOS DE NEGATIVA',
    ),
    texto: porDesfecho(
      'Certificamos que não constam débitos de tributos estaduais em nome do contribuinte acima identificado.',
      'Certificamos que constam débitos de tributos estaduais em nome do contribuinte acima identificado.',
      'Certificamos que os débitos em nome do contribuinte acima identificado estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DE ALAGOAS',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      '{tipo}: {documento}',
      'Nome/Razão Social: {nome}',
      'CACEAL: {inscricao}',
      '{texto}',
      'Emitida às {hora} do dia {emissao}, válida até {validade}.',
      'Código de controle da certidão: {numero}',
      '- A autenticidade desta certidão deverá ser confirmada em contribuinte.sefaz.al.gov.br/certidao',
    ],
  },
  AM: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS - CND',
      'CERTIDÃO POSITIVA DE DÉBITOS - CPD',
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA - CPN',
    ),
    texto: porDesfecho(
      'Certificamos que não constam débitos inscritos ou não em dívida ativa, de responsabilidade do contribuinte acima.',
      'Certificamos que constam débitos de responsabilidade do contribuinte acima.',
      'Certificamos que os débitos de responsabilidade do contribuinte acima estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# GOVERNO DO ESTADO DO AMAZONAS',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      'Nº {numero}',
      '{tipo}: {documento}',
      'Nome: {nome}',
      '{texto}',
      'Emitida em: {emissao} {hora} Válida até: {validade}',
      'Código de controle: {codigo}',
    ],
  },
  // Head: robot of 2020-05; titles: Portaria Conjunta SEFAZ/PGE 1/2016, annexes I to III.
  AP: {
    titulo: porDesfecho(
      'CERTIDÃO CONJUNTA NEGATIVA DE DÉBITOS RELATIVOS A TRIBUTOS ESTADUAIS E À DÍVIDA ATIVA DO ESTADO',
      'CERTIDÃO CONJUNTA POSITIVA DE DÉBITOS RELATIVOS A TRIBUTOS ESTADUAIS E À DÍVIDA ATIVA DO ESTADO',
      'CERTIDÃO CONJUNTA POSITIVA COM EFEITOS DE NEGATIVA DE DÉBITOS RELATIVOS A TRIBUTOS ESTADUAIS E À DÍVIDA ATIVA DO ESTADO',
    ),
    texto: porDesfecho(
      'Ressalvado o direito de a Fazenda Pública Estadual cobrar o que venha a ser apurado, certificamos que não constam débitos em nome do requerente acima identificado.',
      'Certificamos que constam débitos em nome do requerente acima identificado.',
      'Certificamos que os débitos em nome do requerente acima identificado estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DO AMAPÁ',
      '# PROCURADORIA-GERAL DO ESTADO',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      'Certidão nº: {numero}',
      'Nome: {nome}',
      '{tipo}: {documento}',
      'R.G. : {rg}',
      '{texto}',
      'Emitida em: {emissao} às {hora}',
      'Válida até: {validade}',
      'Código de autenticidade: {codigo}',
    ],
  },
  TO: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS COM EFEITOS DE NEGATIVA',
    ),
    texto: porDesfecho(
      'Certificamos que não constam débitos para com a Fazenda Pública Estadual em nome do requerente.',
      'Certificamos que constam débitos para com a Fazenda Pública Estadual em nome do requerente.',
      'Certificamos que os débitos em nome do requerente estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DO TOCANTINS',
      '# SECRETARIA DA FAZENDA',
      '# {titulo}',
      'CND Nº: {numero}',
      '{tipo}: {documento}',
      'Nome/Razão Social: {nome}',
      '{texto}',
      'Emitida em {emissao} às {hora}. Validade: {validade}.',
    ],
  },
} as const satisfies Record<string, Modelo>
