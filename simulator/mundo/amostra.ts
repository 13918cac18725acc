import { camposDeEmpresa, camposDeEstabelecimento } from '../dados-abertos/linhas.ts'
import { linhasDaSujeira, soilEmpresa, soilEstabelecimento } from '../dados-abertos/parte.ts'
import { conhecidos, type Empresa, empresa, type Plano, plan } from '../dados-abertos/plano.ts'
import type { Contribuinte } from './contribuinte.ts'
import { clean, enderecoDaLinha } from './endereco.ts'
import { dataDe, type Emissor, type Enquadramento, enquadramentoDe, enroll, porteDe } from './inscricoes.ts'

/** One establishment of the sample: its rows in Empresas and Estabelecimentos, and the company drawn. */
export type LinhaDaAmostra = {
  empresa: readonly string[]
  estabelecimento: readonly string[]
  /** Undefined for the known public bodies, which have no partners and no row in Simples. */
  dona: Empresa | undefined
}

export function* linhasDaAmostra(plano: Plano): Generator<LinhaDaAmostra> {
  for (const { raiz, empresa: campos, estabelecimentos } of conhecidos)
    for (const resto of estabelecimentos)
      yield { empresa: [raiz, ...campos], estabelecimento: [raiz, ...resto], dona: undefined }
  for (let numero = 0; numero < plano.empresas; numero++) {
    const dona = empresa(plano, numero)
    if (linhasDaSujeira(plano, dona).estabelecimentos === 0) continue
    const campos = camposDeEmpresa(plano, dona)
    soilEmpresa(plano, dona, campos)
    for (let indice = 0; indice <= dona.filiais; indice++)
      yield { empresa: campos, estabelecimento: linhaDe(plano, dona, indice), dona }
  }
}

export function* contribuintesDaAmostra(plano: Plano, issue: Emissor): Generator<Contribuinte> {
  for (const { empresa: campos, estabelecimento, dona } of linhasDaAmostra(plano))
    yield contribuinte(campos, estabelecimento, dona ? enquadramentoDe(plano, dona) : 'normal', issue)
}

/** The sample's row as it is. If its columns are displaced, the row as it was before. */
function linhaDe(plano: Plano, dona: Empresa, indice: number): readonly string[] {
  const limpa = camposDeEstabelecimento(plano, dona, indice)
  if (indice > 0) return limpa
  const suja = [...limpa]
  soilEstabelecimento(plano, dona, suja)
  return suja[19] === 'EX' || enderecoDaLinha(suja) ? suja : limpa
}

function contribuinte(
  campos: readonly string[],
  linha: readonly string[],
  enquadramento: Enquadramento,
  issue: Emissor,
): Contribuinte {
  const [, nome = '', naturezaJuridica = '', , , porte = ''] = campos
  const [raiz = '', ordem = '', dv = '', , fantasia = '', situacao = '', data = ''] = linha
  const [inicio = '', cnae = ''] = linha.slice(10)
  const documento = raiz + ordem + dv
  const endereco = enderecoDaLinha(linha)
  const emDia: Contribuinte = {
    documento,
    tipoDocumento: 'cnpj',
    nome: clean(nome),
    fantasia: clean(fantasia),
    naturezaJuridica,
    porte: porteDe(porte),
    inscricoes: endereco
      ? enroll(
          {
            documento,
            naturezaJuridica,
            enquadramento,
            cnae,
            endereco,
            situacaoCnpj: situacao,
            inicio: dataDe(inicio) || dataDe(data) || '2000-01-01',
            mudanca: dataDe(data),
          },
          issue,
        )
      : [],
  }
  return documento === DIVERGENTE ? beforeMudanca(emDia) : emDia
}

/** Active for the Receita Federal. RS suspended it, because it moved and did not say so. */
export const DIVERGENTE = '99909625000138'

/** As its state still has it: the base of the Receita Federal has the name and the street of today. */
const beforeMudanca = (emDia: Contribuinte): Contribuinte => ({
  ...emDia,
  nome: emDia.nome.replace(/ (?=LTDA)/, ' E FILHOS '),
  inscricoes: emDia.inscricoes.map((uma) => ({
    ...uma,
    endereco: { ...uma.endereco, logradouro: 'RUA DO ENDERECO ANTIGO', numero: '12', complemento: '' },
  })),
})

let plano: Plano | undefined

/** The plan of `data/cnpj-amostra`: same seed, vintage and size as its README says. */
export function planoDaAmostra(): Plano {
  plano ??= plan({ estabelecimentos: 3500, semente: 1, versao: '2026-10', sujeira: true, partes: 10 })
  return plano
}
