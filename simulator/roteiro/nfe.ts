import { DIA_MS } from '../documento/dia.ts'
import { CATALOGO_NFE, comCenario } from '../nfe/cenarios.ts'
import { chaveDo } from '../nfe/nota.ts'
import { CATALOGO, type ItemA1 } from '../platform/icp/catalogo.ts'
import { readTable } from '../platform/table.ts'
import { type Envio, type Espera, type Linha, recusado } from './linha.ts'

/** A row of `esperas.json`; `corpo` has the fields of the body besides the key. */
type Tentativa = readonly [
  cenario: string,
  status: string,
  manifestacao: string | null,
  cstat: string,
  corpo?: Partial<Envio['corpo']>,
]

const { nfe } = readTable<{ nfe: Readonly<Record<'fluxo' | 'papeis', readonly Tentativa[]>> }>(
  './esperas.json',
  import.meta.url,
)

const itens = new Map([...CATALOGO, ...CATALOGO_NFE].map((item) => [item.nome, item]))

/**
 * The notes are as old at `agora` as their scenarios say: each second has keys of its own, without events.
 */
export function linhasDeConsultarNfeXml(agora: Date): Linha[] {
  const dosArquivos = arquivos().map(([nome, espera, nota, senha], indice) => {
    // A key for each, or the second answer would come from the first one's cache.
    const autorizacao = new Date(autorizacaoDe('a1', agora).getTime() - (indice + 1) * 1000)
    const item = comArquivo(nome)
    return linha('a1', senha === undefined ? item : { ...item, senha }, autorizacao, espera, nota)
  })
  return [
    ...group(
      'O fluxo: consulta, manifestação, portal',
      nfe.fluxo.map((tentativa) => doCenario(tentativa, agora)),
    ),
    ...group(
      'Quem pergunta, e o que dá errado',
      nfe.papeis.map((tentativa) => doCenario(tentativa, agora)),
    ),
    ...group('Os arquivos A1', dosArquivos),
  ]
}

const group = (grupo: string, linhas: readonly Linha[]): Linha[] =>
  linhas.map((linha) => ({ ...linha, grupo }))

function doCenario([nome, status, manifestacao, cstat, corpo]: Tentativa, agora: Date): Linha {
  const { nota } = comCenario(nome)
  const espera = esperaDe(status, manifestacao, cstat)
  return linha(nome, comArquivo(`nfe-${nome}`), autorizacaoDe(nome, agora), espera, nota, corpo)
}

function linha(
  cenario: string,
  { nome, senha }: Pick<ItemA1, 'nome' | 'senha'>,
  autorizacao: Date,
  espera: Espera,
  nota: string,
  corpo: Partial<Envio['corpo']> = {},
): Linha {
  const chave = chaveDo(comCenario(cenario), autorizacao)
  const envio = { cenario, certificado: nome, senha, corpo: { chave, ...corpo } }
  return { endpoint: '/api/consultar-nfe-xml', parametros: {}, envio, espera, nota }
}

const autorizacaoDe = (cenario: string, agora: Date): Date =>
  new Date(agora.getTime() - comCenario(cenario).idadeDias * DIA_MS)

function comArquivo(nome: string): ItemA1 {
  const item = itens.get(nome)
  if (!item) throw new Error(`O simulador não tem o certificado ${nome}.`)
  return item
}

/** A note that came is 3 credits. `cstat` is that of SEFAZ's answer that tells the most. */
const esperaDe = (status: string, manifestacao: string | null, cstat: string): Espera => {
  return { http: 200, status, manifestacao, cstat, creditos: status === 'ok' ? 3 : 0 }
}

/** The A1 files of every kind; the last are refused before anybody is asked. */
function arquivos(): [nome: string, espera: Espera, nota: string, senha?: string][] {
  const invalido = recusado('CERTIFICADO_INVALIDO')
  const [entregue, erro] = [esperaDe('ok', null, '138'), esperaDe('erro', null, '')]
  return [
    ['aes', entregue, 'A1 protegido por AES-256'],
    ['3des', entregue, 'A1 protegido por 3DES'],
    ['rc2-40', entregue, 'A1 protegido por RC2-40, o mais comum'],
    ['ca-primeiro', entregue, 'A1 que lista as autoridades antes do titular'],
    ['sem-cadeia', entregue, 'A1 sem a cadeia'],
    ['dois-titulares', entregue, 'A1 com as chaves de dois titulares: a mensagem diz qual foi usado'],
    ['senha-acentuada', entregue, 'A1 com acentos na senha'],
    ['senha-vazia', entregue, 'A1 de senha vazia'],
    ['ec', entregue, 'A1 com chave EC: o XML já estava liberado'],
    ['outra-cadeia', erro, 'A1 de uma autoridade que a SEFAZ não aceita'],
    ['titular-so-no-cn', erro, 'A1 com o CNPJ só no nome: a SEFAZ o recusa'],
    ['aes', invalido, 'senha errada', 'outra-senha'],
    ['vencido', invalido, 'A1 vencido'],
    ['futuro', invalido, 'A1 que ainda não vale'],
    ['sem-chave', invalido, 'arquivo sem a chave privada'],
    ['sem-titular', invalido, 'A1 sem CPF nem CNPJ'],
  ]
}
