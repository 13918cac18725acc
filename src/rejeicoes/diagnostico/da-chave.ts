import { chaveDosCampos } from '../../documento/chave.ts'
import { isCnpj, isCpf } from '../../documento/documento.ts'
import { descer } from '../nota/lugar.ts'
import type { Emenda } from '../rules-laudo.ts'
import type { Exame } from './exame.ts'

const CAMPOS = ['cUF', 'dhEmi', 'mod', 'serie', 'nNF', 'tpEmis', 'cNF'].map((campo) => `ide/${campo}`)

/** Mends of the key: it is made of fields, so it is certain where they are. */
export function emendasDaChave({ erros, achados, nota: { infNFe } }: Exame): Emenda[] {
  const errados = new Set(erros.map(({ caminho }) => caminho))
  const isRuim =
    errados.has('@Id') ||
    errados.has('ide/cDV') ||
    achados.some(({ codigo, resultado }) => (codigo === 502 || codigo === 253) && resultado === 'falha')
  const ler = (caminho: string): string => descer(infNFe, caminho)?.texto ?? ''
  if (!isRuim || CAMPOS.some((campo) => errados.has(campo) || ler(campo) === '')) return []
  const certa = montar(ler)
  if (!certa) return []
  const { Id = '' } = infNFe.atributos
  const cDV = ler('ide/cDV')
  const digito = certa.slice(43)
  return [
    ...(Id && Id !== `NFe${certa}` ? [trocar('@Id', Id, `NFe${certa}`, 502)] : []),
    ...(cDV && cDV !== digito ? [trocar('ide/cDV', cDV, digito, 253)] : []),
  ]
}

/** The key of the fields. Undefined where they make none for certain. */
function montar(ler: (caminho: string) => string): string | undefined {
  const serie = Number(ler('ide/serie'))
  // The tax office's own key is that of its CNPJ, not the issuer's.
  if (serie >= 890 && serie <= 899) return undefined
  const [cnpj, cpf] = [ler('emit/CNPJ'), ler('emit/CPF')]
  const documento = isCnpj(cnpj) && !cpf ? cnpj : isCpf(cpf) && !cnpj ? cpf : undefined
  return documento && chaveDosCampos(ler, documento)
}

const trocar = (caminho: string, de: string, para: string, codigo: number): Emenda => ({
  caminho,
  acao: 'trocar',
  de,
  para,
  motivo: 'A chave de acesso é montada com os campos da nota, e o último algarismo é calculado.',
  codigo,
})
