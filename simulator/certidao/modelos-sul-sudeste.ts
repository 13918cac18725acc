import { type Modelo, porDesfecho } from './modelo.ts'

/**
 * Layouts of the South and the Southeast (MG, RJ, RS, SC) of which some lines are known; the other lines
 * are ours.
 */
export const modelosDoSul = {
  // Name and the words of the outcome: robot of the government of MG, 2026-01-19.
  MG: {
    titulo: porDesfecho('NEGATIVA', 'POSITIVA', 'POSITIVA COM EFEITO DE NEGATIVA'),
    texto: porDesfecho(
      'é certificado que não constam débitos relativos a tributos administrados pela Fazenda Pública Estadual e/ou pela Advocacia-Geral do Estado.',
      'é certificado que constam débitos relativos a tributos administrados pela Fazenda Pública Estadual e/ou pela Advocacia-Geral do Estado.',
      'é certificado que os débitos relativos a tributos administrados pela Fazenda Pública Estadual e/ou pela Advocacia-Geral do Estado estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# SECRETARIA DE ESTADO DE FAZENDA DE MINAS GERAIS',
      '# CERTIDÃO DE DÉBITOS TRIBUTÁRIOS',
      '# {titulo}',
      'CERTIDÃO EMITIDA EM: {emissao}',
      'CERTIDÃO VÁLIDA ATÉ: {validade}',
      'NOME/NOME EMPRESARIAL: {nome}',
      'INSCRIÇÃO ESTADUAL: {inscricao}',
      'CNPJ/CPF: {documento}',
      'Ressalvado o direito de a Fazenda Pública Estadual cobrar e inscrever quaisquer dívidas de responsabilidade do sujeito passivo acima identificado que vierem a ser apuradas, {texto}',
      '- A autenticidade desta certidão deverá ser confirmada em www.fazenda.mg.gov.br',
      'CÓDIGO DE CONTROLE DE CERTIDÃO: {codigo}',
    ],
  },
  // Names of the certificate: Resolução SEFAZ 109/2017, annexes I (CND) and II (CPN); it tells the
  // registration, too.
  RJ: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS - CND',
      'CERTIDÃO POSITIVA DE DÉBITOS',
      'CERTIDÃO POSITIVA DE DÉBITOS COM EFEITOS DE NEGATIVA - CPN',
    ),
    texto: porDesfecho(
      'Certificamos que não constam débitos perante a Receita Estadual em nome do requerente acima identificado.',
      'Certificamos que constam débitos perante a Receita Estadual em nome do requerente acima identificado.',
      'Certificamos que os débitos perante a Receita Estadual em nome do requerente acima identificado estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# GOVERNO DO ESTADO DO RIO DE JANEIRO',
      '# SECRETARIA DE ESTADO DE FAZENDA',
      '# {titulo}',
      'Certidão nº: {numero}',
      '{tipo}: {documento}',
      'Nome/Razão Social: {nome}',
      'Estabelecimento inscrito no CAD-ICMS: {inscricao}',
      '{texto}',
      '- A dívida ativa é certificada pela Procuradoria-Geral do Estado.',
      'Emitida em: {emissao} às {hora}',
      'Válida até: {validade}',
      'Código de autenticidade: {codigo}',
    ],
  },
  RS: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA',
      'CERTIDÃO POSITIVA',
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA',
    ),
    texto: porDesfecho(
      'Certificamos que, aos {emissao}, não constam débitos em nome do titular abaixo.',
      'Certificamos que, aos {emissao}, constam débitos em nome do titular abaixo.',
      'Certificamos que, aos {emissao}, os débitos em nome do titular abaixo estão com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DO RIO GRANDE DO SUL',
      '# SECRETARIA DA FAZENDA - RECEITA ESTADUAL',
      '# Certidão de Situação Fiscal nº {numero}',
      '# {titulo}',
      'Identificação do titular da certidão:',
      'Nome: {nome}',
      '{tipo}: {documento}',
      '{texto}',
      '- Esta certidão NÃO É VÁLIDA para comprovar a quitação de tributos devidos mensalmente.',
      'Esta certidão é válida até {validade}.',
      'Autenticação: {codigo}',
      '- A autenticidade deste documento deverá ser confirmada em https://www.sefaz.rs.gov.br/sat/CertidaoSitFiscalConsulta.aspx',
    ],
  },
  SC: {
    titulo: porDesfecho(
      'CERTIDÃO NEGATIVA DE DÉBITOS ESTADUAIS',
      'CERTIDÃO POSITIVA DE DÉBITOS ESTADUAIS',
      'CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA DE DÉBITOS ESTADUAIS',
    ),
    texto: porDesfecho(
      'Esta certidão é válida para o contribuinte acima, em nome do qual não constam débitos pendentes.',
      'Constam débitos pendentes em nome do contribuinte acima.',
      'Constam débitos em nome do contribuinte acima, todos com a exigibilidade suspensa.',
    ),
    linhas: [
      '# ESTADO DE SANTA CATARINA',
      '# SECRETARIA DE ESTADO DA FAZENDA',
      '# {titulo}',
      'Nome (razão social): {nome}',
      'CNPJ/CPF: {documento}',
      '{texto}',
      'Número da certidão: {numero}',
      'Data de emissão: {emissao} {hora}',
      'Validade (Lei nº 3938/66, Art. 158): {validade}',
      '- A autenticidade desta certidão deverá ser confirmada em http://www.sef.sc.gov.br',
    ],
  },
} as const satisfies Record<string, Modelo>
