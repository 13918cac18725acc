import { isText } from 'domhandler'
import { digitoDaChave } from '../../src/domain/documento/chave.ts'
import type { Mudanca } from '../../src/domain/rejeicoes/verificacao.ts'
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
  const dhEmi = ler('ide/dhEmi')
  const emitente = (ler('emit/CNPJ') || ler('emit/CPF')).padStart(14, '0')
  const inicio = [
    ler('ide/cUF'),
    dhEmi.slice(2, 4),
    dhEmi.slice(5, 7),
    emitente,
    ler('ide/mod'),
    ler('ide/serie').padStart(3, '0'),
    ler('ide/nNF').padStart(9, '0'),
    ler('ide/tpEmis'),
    ler('ide/cNF'),
  ].join('')
  const digito = digitoDaChave(inicio)
  if (digito === undefined) throw new Error(`${inicio} is no beginning of a key`)
  const antiga = acharElementos(documento, 'infNFe')[0]?.attribs.Id?.slice(3) ?? ''
  const qrCode = ler('infNFeSupl/qrCode')
  return aplicar(xml, [
    { campo: '@Id', valor: `NFe${inicio}${digito}` },
    { campo: 'ide/cDV', valor: digito },
    ...(qrCode && antiga
      ? [{ campo: 'infNFeSupl/qrCode', valor: qrCode.replace(antiga, inicio + digito) }]
      : []),
  ])
}
