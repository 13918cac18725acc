import { dataBrasileira, mask, maskDocumento } from '../documento/documento.ts'
import type { Ocorrencia, Situacao } from '../mundo/contribuinte.ts'
import type { Mensagem } from '../platform/autoridade.ts'
import type { Par } from './html.ts'
import type { PedidoPortal } from './pedido.ts'

export type Palavras = Readonly<Record<Situacao, string>>

/** Two of the vocabularies seen on the states' pages (HABILITADO, ATIVO, BAIXADO, SUSPENSO, CANCELADO). */
export const ativo: Palavras = {
  habilitado: 'ATIVO',
  suspenso: 'SUSPENSO',
  baixado: 'BAIXADO',
  cancelado: 'CANCELADO',
}
export const habilitado: Palavras = { ...ativo, habilitado: 'HABILITADO' }

/** A registration as pages print it: masked, in capitals, dates dd/mm/aaaa, empty where there is nothing. */
export type Ficha = {
  tipo: 'cnpj' | 'cpf'
  documento: string
  ie: string
  nome: string
  fantasia: string
  logradouro: string
  numero: string
  complemento: string
  bairro: string
  municipio: string
  uf: string
  cep: string
  atividade: string
  atividadeComMascara: string
  inicio: string
  situacao: string
  dataDaSituacao: string
  regime: string
  pagamento: string
  /** Since when it issues NF-e; empty when it does not. */
  nfeDesde: string
}

/** Reads a registration for a page; without a mask its number goes bare. */
export function readFicha({ contribuinte, inscricao }: Ocorrencia, palavras: Palavras, mascara = ''): Ficha {
  const { endereco, situacao, inicio } = inscricao
  const atividade = inscricao.cnaeDescricao.toUpperCase()
  return {
    tipo: contribuinte.tipoDocumento,
    documento: maskDocumento(contribuinte.documento),
    ie: mascara ? mask(mascara, inscricao.ie) : inscricao.ie,
    nome: contribuinte.nome,
    fantasia: contribuinte.fantasia,
    logradouro: endereco.logradouro,
    numero: endereco.numero,
    complemento: endereco.complemento,
    bairro: endereco.bairro,
    municipio: endereco.municipio,
    uf: endereco.uf,
    cep: endereco.cep && mask('00.000-000', endereco.cep),
    atividade: `${inscricao.cnae} - ${atividade}`,
    atividadeComMascara: `${mask('0000-0/00', inscricao.cnae)} - ${atividade}`,
    inicio: dataBrasileira(inicio),
    situacao: palavras[situacao],
    dataDaSituacao: dataBrasileira(inscricao.ultimaSituacao),
    regime: inscricao.regimeApuracao,
    pagamento: inscricao.regimePagamento,
    nfeDesde: [1, 2, 3].includes(inscricao.credenciamentoNfe) ? dataBrasileira(maisTarde(inicio)) : '',
  }
}

/** NF-e was not compulsory for most before December 2010 (Protocolo ICMS 42/2009). */
const maisTarde = (inicio: string): string => (inicio > '2010-12-01' ? inicio : '2010-12-01')

/** A page's labels in their order, each with what stands beside it. `{tipo}` in a label is CPF or CNPJ. */
export type Leiaute = readonly (readonly [rotulo: string, campo: keyof Ficha | undefined])[]

/** Fills a layout in. A label without a field stays empty. */
export const fill = (leiaute: Leiaute, ficha: Ficha): Par[] =>
  leiaute.map(([rotulo, campo]) => [
    rotulo.replace('{tipo}', ficha.tipo.toUpperCase()),
    campo === undefined ? '' : ficha[campo],
  ])

type PaginaDeFichas<S> = {
  titulo: string
  palavras: Palavras
  /** Of the registration's number, or by it; none when left out. */
  mascara?: string | ((ie: string) => string)
  bloco: (ficha: Ficha, pedido: PedidoPortal<S>) => string
  entre?: string
  antes?: string
  depois?: string
}

export function paginaDeFichas<S>({
  titulo,
  palavras,
  mascara = '',
  bloco,
  entre = '\n',
  antes = '',
  depois = '',
}: PaginaDeFichas<S>): (pedido: PedidoPortal<S>, achadas: readonly Ocorrencia[]) => Mensagem {
  const mascaraDe = typeof mascara === 'string' ? () => mascara : mascara
  return (pedido, achadas) => {
    const blocos = achadas.map((achada) =>
      bloco(readFicha(achada, palavras, mascaraDe(achada.inscricao.ie)), pedido),
    )
    return pedido.pagina(titulo, antes + blocos.join(entre) + depois)
  }
}

type Bloco = { titulo: string; pares: readonly Par[] }

export const ENDERECO: Leiaute = [
  ['Logradouro:', 'logradouro'],
  ['Número:', 'numero'],
  ['Complemento:', 'complemento'],
  ['Bairro:', 'bairro'],
  ['Município:', 'municipio'],
  ['UF:', 'uf'],
  ['CEP:', 'cep'],
]

const PADRAO: readonly { titulo: string; leiaute: Leiaute }[] = [
  {
    titulo: 'IDENTIFICAÇÃO',
    leiaute: [
      ['{documento}', 'documento'],
      ['Inscrição Estadual:', 'ie'],
      ['Razão Social:', 'nome'],
    ],
  },
  {
    titulo: 'ENDEREÇO',
    leiaute: [...ENDERECO, ['Endereço Eletrônico:', undefined], ['Telefone:', undefined]],
  },
  {
    titulo: 'INFORMAÇÕES COMPLEMENTARES',
    leiaute: [
      ['Atividade Econômica:', 'atividadeComMascara'],
      ['Data da Inscrição Estadual:', 'inicio'],
      ['Situação Cadastral Vigente:', 'situacao'],
      ['Data desta Situação Cadastral:', 'dataDaSituacao'],
      ['Regime de Apuração de ICMS:', 'regime'],
      ['Emitente de NFe desde:', 'nfeDesde'],
    ],
  },
]

/** The standard page of SINTEGRA. `documento` is the state's label for CNPJ and CPF. */
export const blocosDoSintegra = (ficha: Ficha, documento = 'CPF/CNPJ:'): readonly Bloco[] =>
  PADRAO.map(({ titulo, leiaute }) => ({
    titulo,
    pares: fill(leiaute, ficha).map(([rotulo, valor]) => [rotulo.replace('{documento}', documento), valor]),
  }))

export const paresDoSintegra = (ficha: Ficha): readonly Par[] =>
  blocosDoSintegra(ficha).flatMap(({ pares }) => pares)

export const OBSERVACAO =
  'Observação: Os dados acima estão baseados em informações fornecidas pelos próprios contribuintes cadastrados. Não valem como certidão de sua efetiva existência de fato e de direito.'
