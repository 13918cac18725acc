import { estabelecimento } from '../nfe/cenario.ts'
import { comCenario } from '../nfe/cenarios.ts'
import { chaveDo } from '../nfe/nota.ts'
import { CATALOGO_NFE } from '../platform/icp/cadeia.ts'
import { CATALOGO, type ItemA1 } from '../platform/icp/catalogo.ts'
import { type Envio, type Espera, type Linha, recusado } from './linha.ts'

type Tentativa = readonly [cenario: string, espera: Espera, corpo?: Partial<Envio['corpo']>]

const DIA_MS = 86_400_000

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
    ...agrupar(
      'O fluxo: consulta, manifestação, portal',
      fluxo().map((tentativa) => doCenario(tentativa, agora)),
    ),
    ...agrupar(
      'Quem pergunta, e o que dá errado',
      papeisEFalhas().map((tentativa) => doCenario(tentativa, agora)),
    ),
    ...agrupar('Os arquivos A1', dosArquivos),
  ]
}

function agrupar(grupo: string, linhas: readonly Linha[]): Linha[] {
  return linhas.map((linha) => ({ ...linha, grupo }))
}

function doCenario([nome, espera, corpo]: Tentativa, agora: Date): Linha {
  const { nota } = comCenario(nome)
  return linha(nome, comArquivo(`nfe-${nome}`), autorizacaoDe(nome, agora), espera, nota, corpo)
}

function linha(
  cenario: string,
  { nome, senha }: Pick<ItemA1, 'nome' | 'senha'>,
  autorizacao: Date,
  espera: Espera,
  nota: string,
  corpo: Tentativa[2] = {},
): Linha {
  const chave = chaveDo(comCenario(cenario), autorizacao)
  const envio = { cenario, certificado: nome, senha, corpo: { chave, ...corpo } }
  return { endpoint: '/api/consultar-nfe-xml', parametros: {}, envio, espera, nota }
}

function autorizacaoDe(cenario: string, agora: Date): Date {
  return new Date(agora.getTime() - comCenario(cenario).idadeDias * DIA_MS)
}

function comArquivo(nome: string): ItemA1 {
  const item = itens.get(nome)
  if (!item) throw new Error(`O simulador não tem o certificado ${nome}.`)
  return item
}

/** The note came: 3 credits. `cstat` is that of SEFAZ's answer that tells the most: 138, unless said. */
function entregue(manifestacao: string | null = null, cstat = '138'): Espera {
  return { http: 200, status: 'ok', manifestacao, cstat, creditos: 3 }
}

function semXml(status: string, manifestacao: string | null = null, cstat = '138'): Espera {
  return { http: 200, status, manifestacao, cstat, creditos: 0 }
}

const resumo = (manifestacao: string | null = null, cstat = '138') =>
  semXml('somente_resumo', manifestacao, cstat)
const foraDoPrazo = (manifestacao: string | null = null, cstat = '632') =>
  semXml('fora_prazo', manifestacao, cstat)
const erro = (cstat = '', manifestacao: string | null = null) => semXml('erro', manifestacao, cstat)
const rejeitada = (cstat: string) => resumo('ciencia_rejeitada', cstat)

/** The specification's flow. Five failures of one service in a row would open its circuit. */
function fluxo(): Tentativa[] {
  return [
    ['ciencia', entregue('ciencia_registrada')],
    ['ciencia-anterior', entregue()],
    ['ciencia-segunda-consulta', entregue('ciencia_registrada')],
    ['ciencia-demorada', resumo('ciencia_registrada')],
    ['ciencia-repetida', entregue('ciencia_ja_registrada')],
    ['ciencia-136', entregue('ciencia_registrada')],
    ['sem-manifestar', resumo(), { manifestar: false }],
    ['simulacao', resumo(), { simular: true }],
    ['ciencia-fora-prazo', entregue('ciencia_fora_prazo', '596')],
    ['ciencia-fora-prazo-portal-nega', entregue('confirmacao_registrada')],
    ['ciencia-fora-prazo-portal-fora', resumo('ciencia_fora_prazo', '596')],
    ['confirmacao-repetida', entregue('confirmacao_ja_registrada')],
    ['confirmacao-rejeitada', resumo('confirmacao_rejeitada', '494')],
    ['confirmacao-queda', erro('', 'confirmacao_erro')],
    ['dois-meses', entregue()],
    ['dois-meses-portal-nega', entregue('confirmacao_registrada')],
    ['dois-meses-portal-fora', resumo()],
    ['quatro-meses', resumo('confirmacao_rejeitada', '596')],
    ['seis-meses', resumo()],
    ['fora-prazo', entregue(null, '632')],
    ['fora-prazo-portal-nega', foraDoPrazo('confirmacao_rejeitada', '596')],
    ['fora-prazo-portal-fora', foraDoPrazo()],
    ['fora-prazo-seis-meses', foraDoPrazo()],
    ['fora-prazo-confirmacao', entregue('confirmacao_registrada', '632')],
    ['limite', entregue('ciencia_registrada', '656')],
    ['limite-portal-nega', resumo('ciencia_registrada', '656')],
    ['limite-portal-fora', resumo('ciencia_registrada', '656')],
    ['limite-ciencia-fora-prazo', entregue('confirmacao_registrada', '656')],
    ['limite-quatro-meses', entregue(null, '656')],
    ['limite-estranho', semXml('nao_autorizado', 'ciencia_rejeitada', '575')],
    ['limite-emitente', entregue(null, '656')],
    ['limite-ec', entregue('ciencia_nao_suportada', '656')],
    ['conclusiva-anterior', entregue('ciencia_rejeitada')],
    ['nao-realizada', entregue()],
    ['desconhecida', rejeitada('655')],
    ['ciencia-650', semXml('cancelada', 'ciencia_rejeitada', '650')],
    ['ciencia-fault', erro('', 'ciencia_erro')],
    ['ciencia-651', rejeitada('651')],
    ['ciencia-queda', erro('', 'ciencia_erro')],
    ['ciencia-575', rejeitada('575')],
    ['ciencia-sem-resposta', erro('', 'ciencia_erro')],
    ['ciencia-494', rejeitada('494')],
    ['ciencia-sem-resposta-demorada', erro('', 'ciencia_erro')],
    ['consulta-seguinte-656', entregue('ciencia_registrada', '656')],
    ['ciencia-656', rejeitada('656')],
    ['ciencia-108', rejeitada('108')],
    ['consulta-seguinte-108', erro('108', 'ciencia_registrada')],
    ['consulta-seguinte-656-portal-fora', resumo('ciencia_registrada', '656')],
    ['consulta-seguinte-queda', erro('', 'ciencia_registrada')],
    ['cancelada', semXml('cancelada', null, '653')],
    ['denegada', semXml('cancelada', null, '654')],
    ['resumo-cancelada', semXml('cancelada')],
    ['resumo-denegada', semXml('cancelada')],
  ]
}

/** The holder's part in the note decides between the distribution's and the portal's effects on a query. */
function papeisEFalhas(): Tentativa[] {
  return [
    ['estranho', semXml('nao_autorizado', null, '640')],
    ['filial', semXml('nao_autorizado', null, '640')],
    ['matriz', entregue('ciencia_registrada'), { cnpj: filialDe('matriz') }],
    ['matriz-sem-cnpj', semXml('nao_autorizado', null, '640')],
    ['matriz-emitente', entregue(null, '641')],
    ['transferencia', entregue('ciencia_registrada')],
    ['emitente', entregue(null, '641')],
    ['emitente-portal-fora', resumo(null, '641')],
    ['emitente-portal-nega', erro('641')],
    ['nao-localizada', semXml('nao_encontrado', null, '137')],
    ['inexistente', semXml('nao_encontrado', null, '217')],
    ['html-403', erro()],
    ['html-503', erro()],
    ['transportador', entregue()],
    ['portal-captcha', resumo()],
    ['html-200', erro()],
    ['fault', erro()],
    ['autorizado', entregue()],
    ['fault-11', erro()],
    ['tls', erro()],
    ['pessoa', entregue('ciencia_registrada')],
    ['portal-queda', resumo()],
    ['lenta', erro()],
    ['queda', erro()],
    ['demorada', entregue('ciencia_registrada')],
    ['queda-no-meio', erro()],
    ['vazia', erro()],
    ['ec', resumo('ciencia_nao_suportada')],
    ['gigante', erro()],
    ['malformada', erro()],
    ['ec-ciencia-anterior', entregue()],
    ['redireciona', erro()],
    ['108', erro('108')],
    ['ec-dois-meses', entregue()],
    ['109', erro('109')],
    ['portal-layout', resumo()],
    ['gzip-cortado', erro()],
    ['ec-dois-meses-portal-nega', resumo('confirmacao_nao_suportada')],
    ['base64-ruim', erro()],
    ['documento-vazio', erro()],
    ['letras', entregue()],
    ['letras-215', erro('215')],
    ['letras-225', rejeitada('225')],
    ['portal-outra-chave', resumo()],
    ['outra-chave', erro()],
    ['sem-protocolo', erro()],
    ['envelope-11', entregue('ciencia_registrada')],
    ['portal-sem-protocolo', resumo()],
    ['outra-raiz', erro()],
    ['215', erro('215')],
    ['593', erro('593')],
    ['618', semXml('chave_invalida', null, '618')],
    ['777', erro('777')],
    ['999', erro('999')],
    ['a1', entregue()],
  ]
}

function filialDe(cenario: string): string {
  return estabelecimento(comCenario(cenario).titular, '0002').documento
}

/** The A1 files of every kind; the last are refused before anybody is asked. */
function arquivos(): [nome: string, espera: Espera, nota: string, senha?: string][] {
  const invalido = recusado('CERTIFICADO_INVALIDO')
  return [
    ['aes', entregue(), 'A1 protegido por AES-256'],
    ['3des', entregue(), 'A1 protegido por 3DES'],
    ['rc2-40', entregue(), 'A1 protegido por RC2-40, o mais comum'],
    ['ca-primeiro', entregue(), 'A1 que lista as autoridades antes do titular'],
    ['sem-cadeia', entregue(), 'A1 sem a cadeia'],
    ['dois-titulares', entregue(), 'A1 com as chaves de dois titulares: a mensagem diz qual foi usado'],
    ['senha-acentuada', entregue(), 'A1 com acentos na senha'],
    ['senha-vazia', entregue(), 'A1 de senha vazia'],
    ['ec', entregue(), 'A1 com chave EC: o XML já estava liberado'],
    ['outra-cadeia', erro(), 'A1 de uma autoridade que a SEFAZ não aceita'],
    ['titular-so-no-cn', erro(), 'A1 com o CNPJ só no nome: a SEFAZ o recusa'],
    ['aes', invalido, 'senha errada', 'outra-senha'],
    ['vencido', invalido, 'A1 vencido'],
    ['futuro', invalido, 'A1 que ainda não vale'],
    ['sem-chave', invalido, 'arquivo sem a chave privada'],
    ['sem-titular', invalido, 'A1 sem CPF nem CNPJ'],
  ]
}
