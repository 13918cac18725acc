import { readFileSync } from 'node:fs'

/** A public body typed in from public facts: the three sets' fields that are known, the rest left empty. */
export type Conhecido = {
  raiz: string
  /** Fields 1 to 6 of Empresas. */
  empresa: readonly string[]
  /** Whole rows of Estabelecimentos from field 1 on. */
  estabelecimentos: readonly (readonly string[])[]
}

/** The bodies of `conhecidos.json`, which says where each fact comes from. */
export const conhecidos: readonly Conhecido[] = lerConhecidos()

function lerConhecidos(): Conhecido[] {
  const lista: Registro[] = JSON.parse(readFileSync(new URL('./conhecidos.json', import.meta.url), 'utf8'))
  const raizes = [...new Set(lista.map(({ cnpj }) => cnpj.slice(0, 8)))]
  return raizes.map((raiz) => {
    const registros = lista.filter(({ cnpj }) => cnpj.startsWith(raiz))
    const [primeiro] = registros
    if (!primeiro) throw new Error(`conhecidos.json: raiz ${raiz} sem registro`)
    return {
      raiz,
      empresa: camposDaEmpresa(primeiro),
      estabelecimentos: registros.map(camposDoEstabelecimento),
    }
  })
}

type Registro = { cnpj: string } & { [campo: string]: string | undefined }

function camposDaEmpresa(r: Registro): string[] {
  const {
    razao_social = '',
    natureza_juridica = '',
    qualificacao = '',
    capital_social = '',
    porte = '',
    ente = '',
  } = r
  return [razao_social, natureza_juridica, qualificacao, capital_social, porte, ente]
}

function camposDoEstabelecimento(r: Registro): string[] {
  const { nome_fantasia = '', data_situacao = '', inicio = '', cnae = '', cnaes_secundarios = '' } = r
  const { tipo_logradouro = '', logradouro = '', numero = '', complemento = '', bairro = '', cep = '' } = r
  const { uf = '', municipio = '', situacao = '02', motivo = '00' } = r
  const matriz = r.cnpj.slice(8, 12) === '0001' ? '1' : '2'
  const endereco = [tipo_logradouro, logradouro, numero, complemento, bairro, cep, uf, municipio]
  const inscricao = [r.cnpj.slice(8, 12), r.cnpj.slice(12), matriz]
  const cadastro = [nome_fantasia, situacao, data_situacao, motivo, '', '', inicio, cnae, cnaes_secundarios]
  return [...inscricao, ...cadastro, ...endereco, '', '', '', '', '', '', '', '', '']
}
