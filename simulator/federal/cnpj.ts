import { lerMunicipios, lerTabela } from '../dados-abertos/dominio.ts'
import { mix } from '../documento/aleatorio.ts'
import { dvCpf } from '../documento/dados-abertos-documento.ts'
import { sementeDe } from '../documento/documento.ts'
import { dataDe } from '../mundo/empresa.ts'
import { limpar } from '../mundo/endereco.ts'
import type { Cadastro } from './cadastro.ts'

/** The three queries of the product: without partners, with their documents masked, with them whole. */
export type Consulta = 'basica' | 'qsa' | 'empresa'

const tabelas = {
  cnaes: new Map(lerTabela('cnaes')),
  motivos: new Map(lerTabela('motivos')),
  naturezas: new Map(lerTabela('naturezas')),
  paises: new Map(lerTabela('paises')),
  municipios: new Map([
    ...lerMunicipios().map(({ tom, nome }): [string, string] => [tom, nome]),
    ['9707', 'EXTERIOR'],
  ]),
}

type Codigo = { codigo: string; descricao: string }

const codigo = (tabela: keyof typeof tabelas, dito = ''): Codigo => ({
  codigo: dito,
  descricao: tabelas[tabela].get(dito) ?? '',
})

/** The JSON of an establishment. Where clients met two spellings, the CNPJ chooses one. */
export function escreverCadastro(cadastro: Cadastro, consulta: Consulta): Record<string, unknown> {
  const { empresa, estabelecimento, simples } = cadastro
  const [, nome = '', natureza = '', , capital = '', porte = ''] = empresa
  const [raiz, ordem, dv, matriz, fantasia = '', situacao = '', data = '', motivo = ''] = estabelecimento
  const [inicio = '', cnae = '', secundarias = ''] = estabelecimento.slice(10, 13)
  const ni = `${raiz}${ordem}${dv}`
  const sorte = sementeDe(ni)
  const centavos = centavosDe(capital)
  return {
    ni,
    tipoEstabelecimento: matriz,
    nomeEmpresarial: limpar(nome),
    nomeFantasia: limpar(fantasia),
    situacaoCadastral: {
      codigo: String(Number(situacao)),
      data: dataDe(data),
      motivo: motivo === '00' ? '' : (tabelas.motivos.get(motivo) ?? ''),
    },
    naturezaJuridica: codigo('naturezas', natureza),
    dataAbertura: dataDe(inicio),
    cnaePrincipal: codigo('cnaes', cnae),
    cnaeSecundarias: secundarias
      .split(',')
      .filter(Boolean)
      .map((uma) => codigo('cnaes', uma)),
    ...enderecoDe(estabelecimento),
    [mix(sorte, 1) % 2 === 0 ? 'telefone' : 'telefones']: telefonesDe(estabelecimento),
    correioEletronico: estabelecimento[27] ?? '',
    capitalSocial: mix(sorte, 2) % 4 === 0 ? String(centavos) : centavos,
    porte: porte || '00',
    situacaoEspecial: estabelecimento[28] ?? '',
    dataSituacaoEspecial: dataDe(estabelecimento[29] ?? ''),
    informacoesAdicionais: informacoesDe(simples, mix(sorte, 3)),
    ...(consulta === 'basica' ? {} : { socios: cadastro.socios.map((um) => socioDe(um, consulta)) }),
  }
}

/** An amount of the open data (`1061004829,23`), in hundredths. */
function centavosDe(capital: string): number {
  const [inteiros = '0', fracao = ''] = capital.split(',')
  return Number(inteiros + fracao.padEnd(2, '0').slice(0, 2))
}

function enderecoDe(campos: readonly string[]): Record<string, unknown> {
  const [tipo = '', logradouro = '', numero = '', complemento = '', bairro = ''] = campos
    .slice(13, 18)
    .map(limpar)
  const [cep = '', uf = '', municipio = ''] = campos.slice(18, 21)
  const pais = campos[9] || (uf === 'EX' ? '' : '105')
  return {
    endereco: {
      tipoLogradouro: tipo,
      logradouro,
      numero,
      complemento,
      cep: /^\d{7,8}$/.test(cep) ? cep.padStart(8, '0') : '',
      bairro,
      municipio: codigo('municipios', municipio),
      uf,
      pais: codigo('paises', pais),
    },
    municipioJurisdicao: { codigo: `0${municipio}00`.padStart(7, '0'), descricao: '' },
  }
}

function telefonesDe(campos: readonly string[]): { ddd: string; numero: string }[] {
  const [ddd = '', numero = '', segundoDdd = '', segundo = ''] = campos.slice(21, 25)
  return [
    { ddd, numero },
    { ddd: segundoDdd, numero: segundo },
  ].filter((um) => um.numero !== '')
}

function informacoesDe(simples: readonly string[] | undefined, sorte: number): Record<string, unknown> {
  const [, optante = 'N', inicio = '', fim = '', mei = 'N'] = simples ?? []
  const periodos = dataDe(inicio) ? [{ dataInicio: dataDe(inicio), dataFim: dataDe(fim) }] : []
  return {
    optanteSimples: optante === 'S' ? 'S' : 'N',
    optanteMei: mei === 'S' ? 'S' : 'N',
    [sorte % 2 === 0 ? 'listaPeriodosSimples' : 'listaPeriodoSimples']: periodos,
  }
}

/** `qsa` masks the documents of persons, `empresa` does not. */
function socioDe(campos: readonly string[], consulta: Consulta): Record<string, unknown> {
  const [, tipoSocio, nome = '', documento = '', qualificacao, entrada = '', pais = ''] = campos
  const [, , , , , , , cpf = '', representante = '', suaQualificacao = ''] = campos
  const mostrar = (um: string): string => (consulta === 'qsa' ? um : abrir(um))
  return {
    tipoSocio,
    cpf: mostrar(documento),
    nome: limpar(nome),
    qualificacao,
    dataInclusao: dataDe(entrada),
    pais: codigo('paises', pais),
    ...(representante
      ? {
          representanteLegal: {
            cpf: mostrar(cpf),
            nome: limpar(representante),
            qualificacao: suaQualificacao,
          },
        }
      : {}),
  }
}

/** A CPF whose middle the mask shows: `***123456**`. Other documents as they are. */
function abrir(mascarado: string): string {
  const meio = /^\*{3}(\d{6})\*{2}$/.exec(mascarado)?.[1]
  return meio ? `111${meio}${dvCpf(`111${meio}`)}` : mascarado
}
