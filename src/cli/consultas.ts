import { operacoes } from '@consulta-fiscal/cliente'
import { type Command, Option } from 'commander'
import { readDocumento, readUf, semAspas } from '../documento/digitado.ts'
import { formatDocumento } from '../documento/documento.ts'
import { inscricaoProblem } from '../documento/inscricao-estadual.ts'
import { type Uf, ufs } from '../documento/uf.ts'
import type { Config } from '../platform/config/settings.ts'
import { addNota, type Comuns, readToEnd, runConsulta, savePdf } from './chamada.ts'

type Documento = { cpf?: string; cnpj?: string }
type NoEstado = Comuns & Documento & { uf?: string; todas?: true }

const ESTADOS = { quantas: ufs.length, nome: 'estados' }
const EXIGIR = { exigirFonte: true }

const AJUDA = `
Exemplos:
  fiscal consultar ie --uf RS 99.034.721/0001-80
  fiscal consultar ie --todas --cnpj 99034721000180
  fiscal consultar cnd --uf "São Paulo" --cnpj 99001002000162 --pdf certidao.pdf
  fiscal consultar cnpj 99001002000162 --json
  fiscal consultar nfe-xml 35261198763001000192550010000000021191112343 --certificado empresa.pfx

CPF, CNPJ e chave de acesso vão com ou sem máscara; o estado, por sigla ou nome.
O serviço e a chave vêm de FISCAL_ENDERECO e FISCAL_CHAVE, no ambiente ou no arquivo .env. Prefira FISCAL_CHAVE a --chave, que outros usuários da máquina veem na lista de processos.
O comando termina com 0 se houve resposta, 1 se repetir não adianta e 2 se pode dar certo mais tarde. Com --json, uma falha também vem em JSON.`

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
      .option('--json', 'escreve a resposta inteira em JSON')
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
    .argument('[documento]', 'CPF ou CNPJ, com ou sem máscara, no lugar de --cpf e --cnpj')
    .addOption(new Option('--cnpj <cnpj>', 'com ou sem máscara').conflicts('cpf'))
    .addOption(new Option('--cpf <cpf>', 'com ou sem máscara'))

const doEstado = (comando: Command): Command =>
  comDocumento(comando)
    .addOption(new Option('--uf <uf>', 'o estado, pela sigla ou pelo nome').conflicts('todas'))
    .addOption(new Option('--todas', 'pergunta a todos os estados, 1 crédito por estado que responde'))

/** The state that was named; undefined for all of them. Throws an Error that says what to send. */
function ufDe({ uf, todas }: NoEstado): Uf | undefined {
  if (todas) return undefined
  if (uf !== undefined) return readUf(uf)
  throw new Error('Diga o estado com --uf, como --uf RS, ou todos com --todas.')
}

const FALTA =
  'Falta o documento: escreva o CPF ou o CNPJ, com ou sem máscara, no fim do comando ou com --cpf ou --cnpj.'

/** The document that was given, in one of three ways. Throws an Error that names what was given. */
function documentoDe(digitado: string | undefined, { cpf, cnpj }: Documento): Documento {
  const opcao = cpf ?? cnpj
  if (digitado !== undefined && opcao !== undefined)
    throw new Error(`Há dois documentos, ${digitado} e ${opcao}: deixe um só.`)
  const dado = digitado ?? opcao
  if (dado === undefined) throw new Error(FALTA)
  const pedido = cpf !== undefined ? 'cpf' : cnpj !== undefined ? 'cnpj' : undefined
  const { tipo, documento } = readDocumento(dado, pedido)
  return tipo === 'cpf' ? { cpf: documento } : { cnpj: documento }
}

const deUmEstado =
  ({ cpf, cnpj = '' }: Documento, ...lookups: readonly ('ie' | 'cnd')[]) =>
  (uf: string): readonly string[] =>
    lookups.map((lookup) => `fiscal consultar ${lookup} --uf ${uf} ${formatDocumento(cpf ?? cnpj)}`)

const inscricaoDe = (uf: Uf, digitada: string): string => {
  const ie = semAspas(digitada)
  const problem = inscricaoProblem(uf, ie)
  if (problem === undefined) return ie
  const semPontos = ie.replace(/[./\s-]/g, '')
  if (inscricaoProblem(uf, semPontos) === undefined) return semPontos
  throw new Error(`${ie} não é uma inscrição estadual de ${uf}: ${problem}.`)
}

function addIe(comando: Command, config: Config): void {
  doEstado(comando)
    .description(
      `${operacoes.consultar.nome}, ou ${operacoes.consultarIeTodos.nome} com --todas (1 crédito por estado)`,
    )
    .addOption(
      new Option('--ie <ie>', 'a própria inscrição, no lugar do documento').conflicts([
        'cnpj',
        'cpf',
        'todas',
      ]),
    )
    .action((digitado: string | undefined, opcoes: NoEstado & { ie?: string }) => {
      const { ie } = opcoes
      if (ie !== undefined && digitado !== undefined)
        throw new Error(`Com --ie não vai outro documento: retire ${digitado}.`)
      const uf = ufDe(opcoes)
      const documento = ie === undefined ? documentoDe(digitado, opcoes) : {}
      if (uf === undefined)
        return runConsulta(config, opcoes, {
          nome: operacoes.consultarIeTodos.nome,
          ask: (fiscal) => readToEnd(fiscal.consultarIeTodos.stream(documento), ESTADOS),
          deUmEstado: deUmEstado(documento, 'ie'),
          loadApresentar: async () =>
            (await import('../inscricao/apresentacao.ts')).apresentarInscricoesTodos,
        })
      const pedido = { uf, ...documento, ...(ie !== undefined && { ie: inscricaoDe(uf, ie) }) }
      return runConsulta(config, opcoes, {
        nome: operacoes.consultar.nome,
        ask: (fiscal) => fiscal.consultar.comRecibo(pedido),
        loadApresentar: async () => (await import('../inscricao/apresentacao.ts')).apresentarInscricoes,
      })
    })
}

function addCnd(comando: Command, config: Config): void {
  doEstado(comando)
    .description(
      `${operacoes.consultarCnd.nome}, ou ${operacoes.consultarCndTodos.nome} com --todas (1 crédito por estado)`,
    )
    .addOption(new Option('--pdf <arquivo>', 'escreve o PDF da certidão').conflicts('todas'))
    .action((digitado: string | undefined, opcoes: NoEstado & { pdf?: string }) => {
      const uf = ufDe(opcoes)
      const documento = documentoDe(digitado, opcoes)
      if (uf === undefined)
        return runConsulta(config, opcoes, {
          nome: operacoes.consultarCndTodos.nome,
          ask: (fiscal) => readToEnd(fiscal.consultarCndTodos.stream(documento), ESTADOS),
          deUmEstado: deUmEstado(documento, 'cnd'),
          loadApresentar: async () => (await import('../certidao/apresentacao.ts')).apresentarCertidoesTodos,
        })
      const { pdf } = opcoes
      const pedido = { uf, ...documento }
      return runConsulta(config, opcoes, {
        nome: operacoes.consultarCnd.nome,
        ask: (fiscal) => fiscal.consultarCnd.comRecibo(pedido, EXIGIR),
        loadApresentar: async () => (await import('../certidao/apresentacao.ts')).apresentarCertidao,
        save: (_, papel) => savePdf(pdf, papel),
      })
    })
}

type Federal = Comuns & Documento & { emitirNova?: true; esperar?: true; pdf?: string }

function addCndFederal(comando: Command, config: Config): void {
  comDocumento(comando)
    .description(`${operacoes.consultarCndFederal.nome}: RFB e PGFN (1 crédito por certidão entregue)`)
    .option('--emitir-nova', 'emite outra, mesmo que uma valha')
    .option('--esperar', 'espera a emissão terminar, até 10 minutos')
    .option('--pdf <arquivo>', 'escreve o PDF da certidão')
    .action((digitado: string | undefined, { emitirNova, esperar, pdf, ...opcoes }: Federal) =>
      runConsulta(config, opcoes, {
        nome: operacoes.consultarCndFederal.nome,
        ask: (fiscal) =>
          fiscal.consultarCndFederal.comRecibo(
            { ...documentoDe(digitado, opcoes), ...(emitirNova && { emitir_nova: true }) },
            { ...EXIGIR, esperarEmissao: esperar === true },
          ),
        loadApresentar: async () => (await import('../federal/apresentacao.ts')).apresentarCertidaoFederal,
        save: (_, papel) => savePdf(pdf, papel),
      }),
    )
}

function addCnpj(comando: Command, config: Config): void {
  comando
    .argument('<cnpj>', 'com ou sem máscara')
    .description(`${operacoes.consultarCnpj.nome}: o cadastro dela (1 crédito)`)
    .option('--ao-vivo', 'pergunta à Receita Federal agora (3 créditos)')
    .action((digitado: string, { aoVivo, ...opcoes }: Comuns & { aoVivo?: true }) => {
      const { tipo, documento: cnpj } = readDocumento(digitado)
      if (tipo === 'cpf')
        throw new Error(`${formatDocumento(cnpj)} é um CPF, e esta consulta é de empresas: escreva um CNPJ.`)
      return runConsulta(config, opcoes, {
        nome: operacoes.consultarCnpj.nome,
        ask: (fiscal) =>
          fiscal.consultarCnpj.comRecibo({ cnpj, ...(aoVivo && { force_fresh: true }) }, EXIGIR),
        loadApresentar: async () => (await import('../cnpj/apresentacao.ts')).apresentarCnpj,
      })
    })
}

function addImoveis(cnir: Command, sigef: Command, config: Config): void {
  comDocumento(cnir)
    .description(`${operacoes.consultarCnir.nome}: os de um titular (1 crédito)`)
    .action((digitado: string | undefined, opcoes: Comuns & Documento) =>
      runConsulta(config, opcoes, {
        nome: operacoes.consultarCnir.nome,
        ask: (fiscal) => fiscal.consultarCnir.comRecibo(documentoDe(digitado, opcoes), EXIGIR),
        loadApresentar: async () => (await import('../rural/apresentacao.ts')).apresentarCnir,
      }),
    )
  comDocumento(sigef)
    .description(`${operacoes.consultarSigef.nome}: as certificadas de um detentor (1 crédito)`)
    .action((digitado: string | undefined, opcoes: Comuns & Documento) =>
      runConsulta(config, opcoes, {
        nome: operacoes.consultarSigef.nome,
        ask: (fiscal) => fiscal.consultarSigef.comRecibo(documentoDe(digitado, opcoes), EXIGIR),
        loadApresentar: async () => (await import('../rural/apresentacao.ts')).apresentarSigef,
      }),
    )
}

function addPerfil(comando: Command, config: Config): void {
  comDocumento(comando)
    .description(
      `${operacoes.perfilProdutor.nome}: empresa, inscrições e certidões de todos os estados (até 55 créditos)`,
    )
    .action((digitado: string | undefined, opcoes: Comuns & Documento) => {
      const documento = documentoDe(digitado, opcoes)
      return runConsulta(config, opcoes, {
        nome: operacoes.perfilProdutor.nome,
        ask: (fiscal) => readToEnd(fiscal.perfilProdutor.stream(documento), { nome: 'respostas' }),
        deUmEstado: deUmEstado(documento, 'ie', 'cnd'),
        loadApresentar: async () => (await import('../rural/apresentacao-perfil.ts')).apresentarPerfil,
      })
    })
}
