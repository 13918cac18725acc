import { parseArgs } from 'node:util'
import { generateDump } from './dump.ts'

const AJUDA = `Gera uma base do CNPJ fictícia no formato oficial da Receita Federal (37 arquivos zip).

Uso: node simulator/dados-abertos/main.ts --pasta DIR --estabelecimentos N [opções]

  --pasta DIR             pasta de destino (criada se não existir)
  --estabelecimentos N    quantos estabelecimentos gerar
  --semente S             número que decide o conteúdo; mesma semente, mesmos bytes (padrão: 1)
  --versao AAAA-MM        competência da base (padrão: 2026-10)
  --partes N              arquivos por conjunto, de 1 a 10 (padrão: 10)
  --nivel N               compressão de 0 a 9 (padrão: 6 até 100.000 estabelecimentos, depois 1)
  --trabalhadores N       processos paralelos (padrão: um por núcleo acima de 100.000 estabelecimentos)
  --sem-simples           não gera Simples.zip
  --sem-sujeira           não inclui os defeitos conhecidos da base oficial
  --json                  mostra o resultado em JSON
  --ajuda, --help         mostra este texto
`

const { values } = parseArgs({
  options: {
    pasta: { type: 'string' },
    estabelecimentos: { type: 'string' },
    semente: { type: 'string', default: '1' },
    versao: { type: 'string', default: '2026-10' },
    partes: { type: 'string', default: '10' },
    nivel: { type: 'string' },
    trabalhadores: { type: 'string' },
    'sem-simples': { type: 'boolean', default: false },
    'sem-sujeira': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    ajuda: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.ajuda || values.help) console.log(AJUDA)
else if (!values.pasta || !values.estabelecimentos) {
  console.error(`Faltam --pasta e --estabelecimentos.\n\n${AJUDA}`)
  process.exitCode = 2
} else {
  try {
    await generate(values.pasta, values.estabelecimentos)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

async function generate(pasta: string, estabelecimentos: string): Promise<void> {
  const inicio = performance.now()
  const escritos = await generateDump({
    pasta,
    estabelecimentos: inteiro('--estabelecimentos', estabelecimentos, 1, 100_000_000),
    semente: inteiro('--semente', values.semente, 0, 0x7fffffff),
    versao: values.versao,
    partes: inteiro('--partes', values.partes, 1, 10),
    simples: !values['sem-simples'],
    sujeira: !values['sem-sujeira'],
    ...(values.nivel ? { nivel: inteiro('--nivel', values.nivel, 0, 9) } : {}),
    ...(values.trabalhadores
      ? { trabalhadores: inteiro('--trabalhadores', values.trabalhadores, 0, 64) }
      : {}),
  })
  if (values.json) {
    console.log(JSON.stringify(escritos, null, 2))
    return
  }
  for (const { arquivo, membro, linhas, bytes } of escritos)
    console.log(`${arquivo.padEnd(22)} ${membro.padEnd(34)} ${linhas} linhas, ${(bytes / 1e6).toFixed(1)} MB`)
  console.log(`${escritos.length} arquivos em ${((performance.now() - inicio) / 1000).toFixed(1)} s`)
}

function inteiro(opcao: string, texto: string, minimo: number, maximo: number): number {
  const valor = Number(texto)
  if (Number.isInteger(valor) && valor >= minimo && valor <= maximo) return valor
  throw new Error(`${opcao} deve ser um número inteiro de ${minimo} a ${maximo}; recebido "${texto}".`)
}
