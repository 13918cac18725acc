import type { Familia } from './familia.ts'

/**
 * A certificate that the authority refuses. Parameters: `papel` (`transmissao` or `assinatura`), `defeito`
 * (what is wrong with it), `conserto` (the steps, a list).
 */
export const familia: Familia = (ficha) => {
  const isAssinatura = ficha.um('papel') === 'assinatura'
  const qual = isAssinatura
    ? 'O {Signature/KeyInfo/X509Data/X509Certificate}'
    : 'O certificado da conexão com a SEFAZ, que pode não ser o {Signature/KeyInfo/X509Data/X509Certificate},'
  return {
    causas: [
      `${qual} ${ficha.um('defeito')}.`,
      isAssinatura
        ? 'O problema está no certificado, não nos dados da nota: eles não precisam mudar.'
        : 'A recusa vem antes da leitura da nota e alcança qualquer pedido feito com este certificado.',
    ],
    passos: [
      ...ficha.lista('conserto'),
      ...(isAssinatura
        ? ['Se trocar o certificado, confira antes de assinar se o novo é do CNPJ ou CPF do emitente.']
        : [
            'Teste o certificado com a consulta de situação do serviço.',
            'Transmita de novo o mesmo XML: nada foi gravado e o número da nota continua livre.',
          ]),
    ],
  }
}
