import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fiscal, fiscalHere } from '../kit/processes.ts'

test('a help page is in Portuguese to the last word', async () => {
  const [contas, extrato, trabalhos, listar] = await Promise.all(
    [['contas'], ['contas', 'extrato'], ['trabalhos'], ['trabalhos', 'listar']].map(async (command) => {
      const { code, stdout } = await fiscalHere({}, ...command, '--help')
      assert.equal(code, 0)
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
  for (const [command, says] of mistyped) {
    const { code, stderr } = await fiscalHere({}, ...command)
    assert.deepEqual([code, stderr], [1, `${says}(use --help para ver as opções)\n`])
  }
})

test('the program itself answers alike, and ends with its exit code', async () => {
  for (const args of [
    ['contas', 'listar', '--help'],
    ['contas', 'listar', '--jsom'],
  ])
    assert.deepEqual(await fiscalHere({}, ...args), await fiscal({}, ...args))
})
