/** Texts of the codes that the authorities answer with (MOC 7.0, Anexo I, table of cStat), as published, without the word before rejections. */
const textos = new Map<number, string>([
  [108, 'Serviço Paralisado Momentaneamente (curto prazo)'],
  [109, 'Serviço Paralisado sem Previsão'],
  [111, 'Consulta cadastro com uma ocorrência'],
  [112, 'Consulta cadastro com mais de uma ocorrência'],
  [215, 'Falha no schema XML'],
  [239, 'Versão do arquivo XML não suportada'],
  [243, 'XML Mal Formado'],
  [252, 'Ambiente informado diverge do Ambiente de recebimento'],
  [257, 'Solicitante não habilitado para emissão da NF-e'],
  [258, 'CNPJ da consulta inválido'],
  [259, 'CNPJ da consulta não cadastrado como contribuinte na UF'],
  [260, 'IE da consulta inválida'],
  [261, 'IE da consulta não cadastrada como contribuinte na UF'],
  [262, 'UF não fornece consulta por CPF'],
  [263, 'CPF da consulta inválido'],
  [264, 'CPF da consulta não cadastrado como contribuinte na UF'],
  [265, 'Sigla da UF da consulta difere da UF do Web Service'],
  [289, 'Código da UF informada diverge da UF solicitada'],
  [402, 'XML da área de dados com codificação diferente de UTF-8'],
  [404, 'Uso de prefixo de namespace não permitido'],
  [516, 'Falha no schema XML - inexiste a tag raiz esperada para a mensagem'],
  [517, 'Falha no schema XML - inexiste atributo versao na tag raiz da mensagem'],
  [587, 'Usar somente o namespace padrão da NF-e'],
  [
    588,
    'Não é permitida a presença de caracteres de edição no início/fim da mensagem ou entre as tags da mensagem',
  ],
  [656, 'Consumo indevido pelo aplicativo da empresa'],
  [999, 'Erro não catalogado'],
])

/** `xMotivo` of a code: rejections (200 and up) begin with "Rejeição: ". Without accents for the authorities that strip them (AN, SVRS). */
export function motivo(cStat: number, acentos: boolean): string {
  const texto = `${cStat < 200 ? '' : 'Rejeição: '}${textos.get(cStat) ?? 'Erro não catalogado'}`
  return acentos ? texto : texto.normalize('NFD').replace(/\p{M}/gu, '')
}
