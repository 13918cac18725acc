import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { dataBrasileira, diaDe } from '../documento/dia.ts'
import { formatDocumento } from '../documento/documento.ts'
import { makeFolder } from '../platform/start.ts'
import { drawTable, say } from '../platform/terminal.ts'
import { loadOperador } from '../platform/wire/a1.ts'
import { type Cadeia, cadeiaFile, readCadeia } from '../platform/wire/cadeia.ts'
import { type A1, avisoDeValidade, checkValidade, formatInstante } from '../platform/wire/certificado.ts'

/** Prints the operator's certificate, never the key. */
export function showOperador(
  { titular, inicio, fim, chave, impressao }: Omit<A1, 'key'>,
  { dias, aviso }: { dias: number; aviso: string | undefined },
  json: boolean,
): void {
  if (json) {
    console.log(JSON.stringify({ titular, inicio, fim, dias, aviso, chave, impressao }))
    return
  }
  say(`Titular: ${titular.nome} (${titular.tipo.toUpperCase()} ${formatDocumento(titular.documento)})`)
  say(`Validade: de ${formatInstante(inicio)} a ${formatInstante(fim)}; dias restantes: ${dias}`)
  say(`Chave: ${chave}`)
  say(`SHA-256: ${impressao}`)
}

/** Standard error takes what was left out. */
export function showCadeia({ autoridades, recusados }: Cadeia, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ autoridades: autoridades.map(({ pem, ...rest }) => rest), recusados }))
    return
  }
  const rows = autoridades.map(({ tipo, nome, fim, impressao, orfa }) => {
    const kind = tipo === 'raiz' ? 'raiz' : orfa ? 'intermediária sem a raiz' : 'intermediária'
    return [kind, nome, dataBrasileira(diaDe(fim.getTime())), tipo === 'raiz' ? impressao : '']
  })
  if (rows.length > 0) console.log(drawTable(['Tipo', 'Nome', 'Válida até', 'SHA-256'], rows))
  const raizes = autoridades.filter(({ tipo }) => tipo === 'raiz').length
  const intermediarias = autoridades.length - raizes
  say(`Raízes: ${raizes}. Intermediárias: ${intermediarias}. Deixados de fora: ${recusados.length}.`)
  for (const { onde, motivo } of recusados) console.error(`${onde}: ${motivo}`)
}

export type CertificadosSettings = {
  A1_FILE: string | undefined
  A1_PASSWORD: string | undefined
  ICP_BRASIL_CA_FILE: string | undefined
  DATA_DIR: string
  now: () => Date
}

const ONDE = `
O ITI publica todas as autoridades da ICP-Brasil em um zip, no repositório da AC Raiz:
  https://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip
Confirme o endereço em https://www.gov.br/iti e compare o SHA-256 das raízes com o que o ITI publica: passam a ser
de confiança. Nada é baixado por este comando.`

/** Adds `certificados` with `operador` and `cadeia`. A failure prints what to do and sets exit code 1. */
export function addCertificadosCommands(program: Command, settings: CertificadosSettings): void {
  const command = program
    .command('certificados')
    .description('certificado A1 do operador e autoridades da ICP-Brasil')
  command
    .command('operador')
    .description('Confere o certificado de A1_FILE: titular, validade e chave')
    .option('--json', 'escreve o resultado em JSON', false)
    .action(({ json }: { json: boolean }) => inspectOperador(settings, json))
  command
    .command('cadeia')
    .description(
      'Grava as autoridades da ICP-Brasil a partir de arquivos já baixados; sem arquivos, mostra as que estão em uso',
    )
    .argument('[arquivos...]', 'arquivos .zip, .p7b, .pem, .crt ou .cer; substituem a cadeia anterior')
    .option('--json', 'escreve o resultado em JSON', false)
    .addHelpText('after', ONDE)
    .action((arquivos: string[], { json }: { json: boolean }) =>
      arquivos.length > 0 ? writeCadeia(settings, arquivos, json) : inspectCadeia(settings, json),
    )
}

async function inspectOperador(settings: CertificadosSettings, json: boolean): Promise<void> {
  const a1 = await loadOperador(settings)
  if (a1 === undefined) {
    throw new Error(
      'Nenhum certificado: defina A1_FILE (o arquivo .pfx ou .p12) e A1_PASSWORD. No modo simulador o serviço usa um certificado do simulador.',
    )
  }
  a1.key.fill(0)
  const now = settings.now()
  const { dias, aviso } = avisoDeValidade(a1, now)
  showOperador(a1, { dias, aviso }, json)
  checkValidade(a1, now)
  if (aviso !== undefined && !json) console.error(aviso)
}

function inspectCadeia(settings: CertificadosSettings, json: boolean): void {
  const arquivo = cadeiaFile(settings)
  if (!existsSync(arquivo)) {
    throw new Error(
      `Ainda não há cadeia em ${arquivo}. Grave-a com "fiscal certificados cadeia <arquivos>" (veja --help).`,
    )
  }
  showCadeia(readCadeia([arquivo], settings.now()), json)
  if (!json) say(`Cadeia em uso: ${arquivo}`)
}

function writeCadeia(settings: CertificadosSettings, arquivos: string[], json: boolean): void {
  const cadeia = readCadeia(arquivos, settings.now())
  showCadeia(cadeia, json)
  if (!cadeia.autoridades.some(({ tipo }) => tipo === 'raiz')) {
    throw new Error(
      'Nenhuma raiz em vigor nos arquivos: nada foi gravado. Inclua o certificado da AC Raiz ou o zip do ITI.',
    )
  }
  const arquivo = cadeiaFile(settings)
  const text = cadeia.autoridades.map(({ nome, pem }) => `# ${nome.replace(/\s+/g, ' ')}\n${pem}`).join('\n')
  makeFolder(dirname(arquivo))
  // A start during the write reads the old file or the new one.
  const novo = `${arquivo}.${process.pid}.novo`
  writeFileSync(novo, text)
  renameSync(novo, arquivo)
  if (!json) say(`Cadeia gravada em ${arquivo}. Reinicie o serviço para que passe a valer.`)
}
