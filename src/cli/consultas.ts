import type { Resposta } from '@consulta-fiscal/cliente'
import { type Command, Option } from 'commander'
import { isUf, type Uf, ufs } from '../documento/uf.ts'
import type { Config } from '../platform/config/settings.ts'
import { addNota, type Comuns, drawObjeto, drawTabela, readToEnd, runConsulta, savePdf } from './chamada.ts'

type DeTodas<T> = readonly (T & { uf: string; source_status: { status: string; error_message: string } })[]

export const deIe = ({ results, uf }: Resposta<'consultar'>): string =>
  drawTabela(
    ['UF', 'IE', 'Situação', 'Razão social', 'Município', 'Regime'],
    results.map((ie) => [
      uf,
      ie.inscricao_estadual,
      ie.situacao_ie,
      ie.razao_social,
      ie.municipio,
      ie.regime_apuracao_icms,
    ]),
    `Nenhuma inscrição em ${uf}.`,
  )

/** Registrations in all states: one row each, and one for a state without or without an answer. */
export const deIeTodas = ({ results }: Pick<Resposta<'consultarIeTodos'>, 'results'>): string =>
  drawTabela(
    ['UF', 'IE', 'Situação', 'Razão social ou motivo'],
    porEstado(results, ({ uf, results: inscricoes }) =>
      inscricoes.length === 0
        ? [[uf, 'nenhuma', '', '']]
        : inscricoes.map((ie) => [uf, ie.inscricao_estadual, ie.situacao_ie, ie.razao_social]),
    ),
    'Nenhum estado.',
  )

export const deCndTodas = ({ results }: Resposta<'consultarCndTodos'>): string =>
  drawTabela(
    ['UF', 'Certidão', 'Validade', 'Texto ou motivo'],
    porEstado(results, ({ uf, result, avisos }) => [
      [uf, result?.status, result?.validade, result?.status_raw || avisos.join(' ')],
    ]),
    'Nenhum estado.',
  )

function porEstado<T>(
  estados: DeTodas<T>,
  linhasDe: (estado: DeTodas<T>[number]) => (string | undefined)[][],
): (string | undefined)[][] {
  return estados.flatMap((estado) => {
    const { uf, source_status } = estado
    return source_status.status === 'success'
      ? linhasDe(estado)
      : [[uf, 'falhou', '', source_status.error_message]]
  })
}

/** A certificate, a company: what its result says. */
export const doResultado = ({ result }: { result: object | null }): string => drawObjeto(result ?? {})

export const deCnir = ({
  pessoa_fisica,
  pessoa_juridica,
  imoveis_cafir,
}: Resposta<'consultarCnir'>): string =>
  [
    drawObjeto(pessoa_fisica ?? pessoa_juridica ?? {}),
    drawTabela(
      ['CIB', 'Imóvel', 'Área (ha)', 'Município', 'Situação'],
      imoveis_cafir.map(({ cib, denominacao, area_total, municipio_sede, situacao }) => [
        cib,
        denominacao,
        area_total,
        `${municipio_sede.nome}/${municipio_sede.uf}`,
        situacao,
      ]),
      'Nenhum imóvel.',
    ),
  ].join('\n')

export const deSigef = ({ result }: Resposta<'consultarSigef'>): string =>
  drawTabela(
    ['Parcela', 'Área (ha)', 'Município', 'Situação', 'Certificada em', 'Código'],
    (result?.parcelas ?? []).map((parcela) => [
      parcela.denominacao,
      parcela.area_ha,
      `${parcela.municipio}/${parcela.uf}`,
      parcela.status,
      parcela.data_certificacao,
      parcela.codigo_parcela,
    ]),
    'Nenhuma parcela.',
  )

/** The sections of a profile, each as its own lookup shows it. */
export function dePerfil(perfil: Resposta<'perfilProdutor'>): string {
  const { receita_federal, inscricoes_estaduais, cnd_estaduais } = perfil
  return [
    'Receita Federal',
    receita_federal ? doResultado(receita_federal) : 'Sem resposta.',
    'Inscrições estaduais',
    inscricoes_estaduais ? deIeTodas(inscricoes_estaduais) : 'Nenhuma.',
    'Certidões estaduais',
    cnd_estaduais ? deCndTodas(cnd_estaduais) : 'Sem resposta.',
  ].join('\n')
}

type Documento = { cpf?: string; cnpj?: string }
type NoEstado = Comuns & Documento & { uf?: string; todas?: true }

const ESTADOS = { quantas: ufs.length, nome: 'estados' }
const EXIGIR = { exigirFonte: true }

const AJUDA = `
Exemplos:
  fiscal consultar ie --uf RS --cnpj 99034721000180
  fiscal consultar ie --todas --cnpj 99034721000180
  fiscal consultar cnd --uf SP --cnpj 99001002000162 --pdf certidao.pdf
  fiscal consultar cnpj 99001002000162 --json
  fiscal consultar nfe-xml 35261198763001000192550010000000021191112343 --certificado empresa.pfx

O serviço e a chave vêm de FISCAL_ENDERECO e FISCAL_CHAVE, no ambiente ou no arquivo .env. Prefira FISCAL_CHAVE a
--chave, que outros usuários da máquina veem na lista de processos.
O comando termina com 0 se houve resposta, 1 se repetir não adianta e 2 se pode dar certo mais tarde.`

/** `fiscal consultar`: the lookups of the API on a terminal, one subcommand each. */
export function addConsultarCommands(program: Command, config: Config): void {
  const comando = program
    .command('consultar')
    .description('pergunta ao serviço como um cliente da API: cada consulta custa o que custa na API')
    .addHelpText('after', AJUDA)
  const novo = (nome: string): Command =>
    comando
      .command(nome)
      .option('--endereco <url>', 'onde o serviço atende; sem ele, FISCAL_ENDERECO ou esta máquina')
      .option('--chave <chave>', 'a chave de API; sem ela, FISCAL_CHAVE')
      .option('--json', 'escreve a resposta inteira em JSON em vez de tabela')
  addIe(novo('ie'), config)
  addCnd(novo('cnd'), config)
  addCndFederal(novo('cnd-federal'), config)
  addCnpj(novo('cnpj'), config)
  addImoveis(novo('cnir'), novo('sigef'), config)
  addPerfil(novo('perfil'), config)
  addNota(novo('nfe-xml'), config)
}

const comDocumento = (comando: Command): Command =>
  comando
    .addOption(new Option('--cnpj <cnpj>', 'só dígitos, ou letras e dígitos').conflicts('cpf'))
    .addOption(new Option('--cpf <cpf>', 'só dígitos'))

const doEstado = (comando: Command): Command =>
  comDocumento(comando)
    .addOption(new Option('--uf <uf>', 'a sigla do estado').conflicts('todas'))
    .addOption(new Option('--todas', 'pergunta a todos os estados, 1 crédito por estado que responde'))

/** The state that was named. Throws an Error that says what to send. */
function ufDe({ uf = '' }: NoEstado): Uf {
  const sigla = uf.toUpperCase()
  if (isUf(sigla)) return sigla
  throw new Error('Diga o estado com --uf, como --uf RS, ou todos com --todas.')
}

const documentoDe = ({ cpf, cnpj }: Documento): Documento => ({
  ...(cpf !== undefined && { cpf }),
  ...(cnpj !== undefined && { cnpj }),
})

function addIe(comando: Command, config: Config): void {
  doEstado(comando)
    .description('inscrições estaduais, em um estado ou em todos (1 crédito por estado)')
    .addOption(
      new Option('--ie <ie>', 'a própria inscrição, no lugar do documento').conflicts([
        'cnpj',
        'cpf',
        'todas',
      ]),
    )
    .action((opcoes: NoEstado & { ie?: string }) => {
      const documento = documentoDe(opcoes)
      if (opcoes.todas)
        return runConsulta(config, opcoes, {
          ask: (fiscal) => readToEnd(fiscal.consultarIeTodos.stream(documento), ESTADOS),
          show: deIeTodas,
        })
      const pedido = { uf: ufDe(opcoes), ...documento, ...(opcoes.ie !== undefined && { ie: opcoes.ie }) }
      return runConsulta(config, opcoes, {
        ask: (fiscal) => fiscal.consultar.comRecibo(pedido),
        show: deIe,
      })
    })
}

function addCnd(comando: Command, config: Config): void {
  doEstado(comando)
    .description('certidão de débitos, em um estado ou em todos (1 crédito por estado)')
    .addOption(new Option('--pdf <arquivo>', 'escreve o PDF da certidão').conflicts('todas'))
    .action((opcoes: NoEstado & { pdf?: string }) => {
      const documento = documentoDe(opcoes)
      if (opcoes.todas)
        return runConsulta(config, opcoes, {
          ask: (fiscal) => readToEnd(fiscal.consultarCndTodos.stream(documento), ESTADOS),
          show: deCndTodas,
        })
      const { pdf } = opcoes
      const pedido = { uf: ufDe(opcoes), ...documento }
      return runConsulta(config, opcoes, {
        ask: (fiscal) => fiscal.consultarCnd.comRecibo(pedido, EXIGIR),
        show: doResultado,
        save: pdf === undefined ? undefined : ({ result }) => savePdf(pdf, result?.pdf_base64),
      })
    })
}

type Federal = Comuns & Documento & { emitirNova?: true; esperar?: true; pdf?: string }

function addCndFederal(comando: Command, config: Config): void {
  comDocumento(comando)
    .description('certidão federal, RFB e PGFN (1 crédito por certidão entregue)')
    .option('--emitir-nova', 'emite outra, mesmo que uma valha')
    .option('--esperar', 'espera a emissão terminar, até 10 minutos')
    .option('--pdf <arquivo>', 'escreve o PDF da certidão')
    .action(({ emitirNova, esperar, pdf, ...opcoes }: Federal) =>
      runConsulta(config, opcoes, {
        ask: (fiscal) =>
          fiscal.consultarCndFederal.comRecibo(
            { ...documentoDe(opcoes), ...(emitirNova && { emitir_nova: true }) },
            { ...EXIGIR, esperarEmissao: esperar === true },
          ),
        show: doResultado,
        save: pdf === undefined ? undefined : ({ result }) => savePdf(pdf, result?.pdf_base64),
      }),
    )
}

function addCnpj(comando: Command, config: Config): void {
  comando
    .argument('<cnpj>', 'só dígitos, ou letras e dígitos')
    .description('cadastro de empresa (1 crédito)')
    .option('--ao-vivo', 'pergunta à Receita Federal agora (3 créditos)')
    .action((cnpj: string, { aoVivo, ...opcoes }: Comuns & { aoVivo?: true }) =>
      runConsulta(config, opcoes, {
        ask: (fiscal) =>
          fiscal.consultarCnpj.comRecibo({ cnpj, ...(aoVivo && { force_fresh: true }) }, EXIGIR),
        show: doResultado,
      }),
    )
}

function addImoveis(cnir: Command, sigef: Command, config: Config): void {
  comDocumento(cnir)
    .description('imóveis rurais de um titular, CNIR e CAFIR (1 crédito)')
    .action((opcoes: Comuns & Documento) =>
      runConsulta(config, opcoes, {
        ask: (fiscal) => fiscal.consultarCnir.comRecibo(documentoDe(opcoes), EXIGIR),
        show: deCnir,
      }),
    )
  comDocumento(sigef)
    .description('parcelas georreferenciadas de um detentor, SIGEF (1 crédito)')
    .action((opcoes: Comuns & Documento) =>
      runConsulta(config, opcoes, {
        ask: (fiscal) => fiscal.consultarSigef.comRecibo(documentoDe(opcoes), EXIGIR),
        show: deSigef,
      }),
    )
}

function addPerfil(comando: Command, config: Config): void {
  comDocumento(comando)
    .description('perfil do produtor: empresa, inscrições e certidões de todos os estados (até 55 créditos)')
    .action((opcoes: Comuns & Documento) =>
      runConsulta(config, opcoes, {
        ask: (fiscal) =>
          readToEnd(fiscal.perfilProdutor.stream(documentoDe(opcoes)), { quantas: 3, nome: 'seções' }),
        show: dePerfil,
      }),
    )
}
