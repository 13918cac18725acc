import module from 'node:module'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Cliente } from './site/site.ts'

const AJUDA = `Simulador das autoridades fiscais: atende em uma só porta pelos nomes reais de todas elas.

Uso: node simulator/main.ts --pasta DIR [opções]
     node simulator/main.ts documentos [--json | --markdown]

  --pasta DIR      onde guardar a autoridade certificadora de mentira e os certificados A1 que ela emite
  --porta N        porta a usar (padrão: 0, uma livre)
  --host H         endereço em que atender (padrão: 127.0.0.1)
  --ritmo F        fator das demoras: 1 é o tempo real, 0.01 cem vezes menos (padrão: 1)
  --com-pai        termina quando a entrada padrão se fecha, ou seja, com o processo que o iniciou
  --ajuda, --help  mostra este texto

Quando pronto, escreve uma linha: {"endereco":"http://127.0.0.1:PORTA"}. Abra esse endereço para ver o que experimentar.

  documentos       lista os documentos que provocam cada resposta e cada falha
    --json         em JSON
    --markdown     em Markdown
`

// What is loaded from here on is kept stripped of its types for the next start.
module.enableCompileCache()

try {
  process.exitCode = await comando()
} catch (error) {
  const codigo = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (codigo.startsWith('ERR_PARSE_ARGS')) console.error(`Opção desconhecida ou sem valor.\n\n${AJUDA}`)
  else if (codigo === 'EADDRINUSE') console.error('A porta pedida em --porta já está em uso.')
  else console.error(error instanceof Error ? error.message : error)
  process.exitCode = codigo.startsWith('ERR_PARSE_ARGS') ? 2 : 1
}

async function comando(): Promise<number> {
  const { values, positionals } = readArgumentos()
  if (values.ajuda || values.help) process.stdout.write(AJUDA)
  else if (positionals[0] === 'documentos') {
    const { writeDocumentos } = await import('./roteiro/roteiro.ts')
    const formato = values.json ? 'json' : values.markdown ? 'markdown' : 'texto'
    process.stdout.write(writeDocumentos(formato, new Date(), process.stdout.columns))
  } else if (!values.pasta || positionals.length > 0) {
    console.error(
      `${positionals.length > 0 ? `Comando desconhecido: ${positionals[0]}.` : 'Falta --pasta.'}\n\n${AJUDA}`,
    )
    return 2
  } else
    await start({
      pasta: values.pasta,
      host: values.host,
      porta: readPorta(values.porta),
      ritmo: readRitmo(values.ritmo),
      comPai: values['com-pai'],
    })
  return 0
}

function readArgumentos() {
  return parseArgs({
    allowPositionals: true,
    options: {
      pasta: { type: 'string' },
      porta: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      ritmo: { type: 'string', default: '1' },
      'com-pai': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      ajuda: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
}

function readPorta(texto: string): number {
  const porta = Number(texto)
  if (/^\d+$/.test(texto) && porta <= 65_535) return porta
  throw new Error(`--porta deve ser um número inteiro de 0 a 65535; recebido "${texto}".`)
}

function readRitmo(texto: string): number {
  const ritmo = Number(texto)
  if (texto !== '' && ritmo >= 0 && ritmo <= 10) return ritmo
  throw new Error(`--ritmo deve ser um número de 0 a 10; recebido "${texto}".`)
}

type Inicio = { pasta: string; host: string; porta: number; ritmo: number; comPai: boolean }

async function start({ pasta, host, porta, ritmo, comPai }: Inicio): Promise<void> {
  const [{ openSimulador }, { readCliente }] = await Promise.all([
    import('./autoridades.ts'),
    import('./site/site.ts'),
  ])
  let cliente: Cliente | undefined
  const gateway = await openSimulador({
    pasta,
    host,
    porta,
    ritmo,
    agora: () => new Date(),
    cliente: () => cliente,
  })
  // An authority may still be taking its time over an answer: nobody is left to hear it.
  const finish = (): void => void gateway.close().then(() => process.exit(0))
  process.once('SIGTERM', finish)
  // A terminal's Ctrl-C reaches the whole group: the parent still has requests to answer, and says when it is
  // done.
  process.on('SIGINT', comPai ? () => undefined : finish)
  if (comPai) {
    process.stdin.once('close', finish).once('error', finish)
    createInterface(process.stdin).on('line', (linha) => {
      cliente = readCliente(linha) ?? cliente
    })
  }
  console.log(JSON.stringify({ endereco: gateway.endereco }))
}
