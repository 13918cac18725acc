import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const FISCAL = join(import.meta.dirname, '../../bin/fiscal.js')

test('a help page is in Portuguese to the last word', async () => {
  const [contas, extrato, trabalhos, listar] = await Promise.all(
    [['contas'], ['contas', 'extrato'], ['trabalhos'], ['trabalhos', 'listar']].map(async (command) => {
      const { stdout } = await promisify(execFile)(process.execPath, [FISCAL, ...command, '--help'])
      return stdout
    }),
  )
  assert.match(contas ?? '', /^Uso: fiscal contas \[opções\] \[comando\]\n/)
  assert.match(contas ?? '', /extrato \[opções\] <email> /)
  assert.match(extrato ?? '', /quantos dias para trás \(padrão: 31\)/)
  assert.match(trabalhos ?? '', /repetir \[opções\] <id> +faz o trabalho de novo/)
  assert.match(listar ?? '', /--estado <estado> +só os que estão assim: esperando/)
})

test('a mistyped command or option is answered in Portuguese to the last word', async () => {
  const mistyped: [string[], string][] = [
    [['conta'], "Erro: não há o comando 'conta'\n(seria contas?)\n"],
    [['contas', 'mostra'], "Erro: não há o comando 'mostra'\n(seria mostrar?)\n"],
    [['contas', 'listar', '--jsom'], "Erro: não há a opção '--jsom'\n(seria --json?)\n"],
    [['contas', 'xave'], "Erro: não há o comando 'xave'\n(seria chave?)\n"],
  ]
  for (const [command, says] of mistyped)
    await assert.rejects(promisify(execFile)(process.execPath, [FISCAL, ...command]), ({ stderr }) => {
      assert.equal(stderr, `${says}(use --help para ver as opções)\n`)
      return true
    })
})
