import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import {
  discardJob,
  estados,
  findJob,
  type JobChange,
  type JobState,
  listJobs,
  repeatJob,
  type Trabalho,
} from '../platform/jobs/admin.ts'
import { drawTable, say } from '../platform/terminal.ts'

export function showTrabalhos(trabalhos: readonly Trabalho[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify(trabalhos.map(toJson), null, 2))
    return
  }
  if (trabalhos.length === 0) {
    say('Nenhum trabalho.')
    return
  }
  const rows = trabalhos.map(({ id, tipo, chave, estado, tentativas, criado_em, motivo }) => [
    id,
    tipo,
    chave,
    estado,
    String(tentativas),
    instant(criado_em),
    motivo ?? '',
  ])
  const head = [
    'Trabalho',
    'Tipo',
    'Chave',
    'Estado',
    ['Tentativas', 'right'],
    'Criado em',
    'Motivo',
  ] as const
  console.log(drawTable(head, rows))
}

export function showTrabalho(trabalho: Trabalho, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(toJson(trabalho), null, 2))
    return
  }
  const { id, tipo, chave, estado, tentativas, motivo, dados, resultado } = trabalho
  const lines: [string, string | null][] = [
    ['Trabalho', id],
    ['Tipo', tipo],
    ['Chave', chave],
    ['Estado', estado],
    ['Tentativas', String(tentativas)],
    ['Motivo', motivo],
    ['Criado em', instant(trabalho.criado_em)],
    ['Próxima tentativa', estado === 'esperando' ? instant(trabalho.livre_em) : null],
    ['Terminado em', instantOrNull(trabalho.terminado_em)],
    ['Guardado até', instantOrNull(trabalho.expira_em)],
    ['Dados', dados],
    ['Resultado', resultado],
  ]
  for (const [name, value] of lines) if (value !== null) say(`${name}: ${value}`)
}

const toJson = (trabalho: Trabalho) => ({
  id: trabalho.id,
  tipo: trabalho.tipo,
  chave: trabalho.chave,
  estado: trabalho.estado,
  tentativas: trabalho.tentativas,
  motivo: trabalho.motivo,
  criado_em: new Date(trabalho.criado_em),
  proxima_em: trabalho.estado === 'esperando' ? new Date(trabalho.livre_em) : null,
  terminado_em: trabalho.terminado_em === null ? null : new Date(trabalho.terminado_em),
  guardado_ate: trabalho.expira_em === null ? null : new Date(trabalho.expira_em),
  dados: JSON.parse(trabalho.dados),
  resultado: trabalho.resultado === null ? null : JSON.parse(trabalho.resultado),
})

const instant = (instante: number): string =>
  new Date(instante).toLocaleString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
const instantOrNull = (instante: number | null): string | null =>
  instante === null ? null : instant(instante)

type Options = { open: () => Promise<{ db: Db; close: () => Promise<void> }> }

/** It works beside a running server. */
export function addTrabalhosCommands(program: Command, { open }: Options): void {
  const command = program
    .command('trabalhos')
    .description('trabalhos que o serviço faz em segundo plano: o que esperam, o que deram, por que falharam')
  const using = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const livros = await open()
    try {
      await work(livros.db)
    } finally {
      await livros.close()
    }
  }
  command
    .command('listar')
    .description('lista os trabalhos, do mais novo ao mais antigo')
    .addOption(
      new Option('--estado <estado>', `só os que estão assim: ${estados.join(', ')}`).argParser(parseEstado),
    )
    .option('--tipo <tipo>', 'só os desse tipo')
    .option('--limite <linhas>', 'no máximo quantos trabalhos', parseNumber, 50)
    .addOption(json())
    .action((options: { estado?: JobState; tipo?: string; limite: number; json?: true }) =>
      using(async (db) => showTrabalhos(await listJobs(db, options), options.json === true)),
    )
  command
    .command('mostrar <id>')
    .description('mostra tudo o que se sabe de um trabalho')
    .addOption(json())
    .action((id: string, options: { json?: true }) =>
      using(async (db) => {
        const found = await findJob(db, id)
        if (!found) throw refusal(id, 'não existe')
        showTrabalho(found, options.json === true)
      }),
    )
  addOrder(command, using, {
    name: 'repetir <id>',
    about: 'faz o trabalho de novo, já e com todas as tentativas',
    order: repeatJob,
    done: (id) => `Trabalho ${id} de volta à fila: o serviço o começa em até um segundo.`,
  })
  addOrder(command, using, {
    name: 'descartar <id>',
    about: 'apaga o trabalho: o que espera não será feito, e o que acabou deixa de ser visto',
    order: discardJob,
    done: (id) => `Trabalho ${id} descartado.`,
  })
}

type Using = (work: (db: Db) => Promise<void>) => Promise<void>

type OrderCommand = {
  name: string
  about: string
  order: (db: Db, id: string) => Promise<JobChange>
  done: (id: string) => string
}

function addOrder(command: Command, using: Using, { name, about, order, done }: OrderCommand): void {
  command
    .command(name)
    .description(about)
    .addOption(json())
    .action((id: string, options: { json?: true }) =>
      using(async (db) => {
        const came = await order(db, id)
        if (came !== 'feito') throw refusal(id, came)
        const trabalho = await findJob(db, id)
        if (options.json) console.log(JSON.stringify({ id, estado: trabalho?.estado ?? 'descartado' }))
        else say(done(id))
      }),
    )
}

const reasons: Record<Exclude<JobChange, 'feito'>, (id: string) => string> = {
  'não existe': (id) =>
    `Não há trabalho ${id}: ele nunca existiu, ou o prazo em que era guardado passou. Veja "fiscal trabalhos listar".`,
  'em execução': (id) => `O trabalho ${id} está em execução: espere que termine.`,
  'chave ocupada': (id) =>
    `O mesmo trabalho que ${id} já foi pedido de novo e está aberto. Veja "fiscal trabalhos listar".`,
}

const refusal = (id: string, why: Exclude<JobChange, 'feito'>): StoreError => new StoreError(reasons[why](id))

const json = (): Option => new Option('--json', 'escreve JSON em vez de texto')

function parseEstado(text: string): JobState {
  const found = estados.find((estado) => estado === text)
  if (found) return found
  throw new InvalidArgumentError(`Os estados são ${estados.join(', ')}.`)
}

function parseNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Envie um número inteiro.')
}
