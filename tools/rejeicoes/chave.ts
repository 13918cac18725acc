import { isText } from 'domhandler'
import { chaveDosCampos } from '../../src/documento/chave.ts'
import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { acharElementos, lerTexto } from './lugar.ts'

/**
 * Makes the access key of a note from its fields (MOC 7.0, "Chave de acesso"): `Id`, `cDV` and the key in the
 * QR code. Throws if the fields give no key.
 */
export function recalcularChave(
  xml: string,
  aplicar: (xml: string, mudancas: readonly Mudanca[]) => string,
): string {
  const documento = lerTexto(xml)
  const ler = (caminho: string): string => {
    const texto = acharElementos(documento, caminho)[0]?.children.find(isText)
    return texto?.data ?? ''
  }
  const chave = chaveDosCampos(ler, ler('emit/CNPJ') || ler('emit/CPF'))
  if (chave === undefined) throw new Error('the fields of the note make no key')
  const antiga = acharElementos(documento, 'infNFe')[0]?.attribs.Id?.slice(3) ?? ''
  const qrCode = ler('infNFeSupl/qrCode')
  return aplicar(xml, [
    { campo: '@Id', valor: `NFe${chave}` },
    { campo: 'ide/cDV', valor: chave.slice(-1) },
    ...(qrCode && antiga ? [{ campo: 'infNFeSupl/qrCode', valor: qrCode.replace(antiga, chave) }] : []),
  ])
}
