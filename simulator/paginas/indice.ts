import { escapar } from '../autoridades/xml.ts'
import type { ItemA1 } from '../icp/catalogo.ts'
import { esperaDaLinha, pedidoDaLinha, porEndpoint } from '../roteiro/escrita.ts'
import type { Linha } from '../roteiro/linha.ts'

/** Where the service listens unless it is told otherwise: what the commands to paste begin with. */
const SERVICO = 'http://localhost:8080'

const ESTILO = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1rem }
.aviso { border: 3px solid #b45309; border-radius: .5rem; padding: .25rem 1rem }
.rolagem { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #8886 }
code { font-size: .9em; overflow-wrap: anywhere }
`

/** The index page: that nothing here is real, what to try with the command to paste, and the certificates to download. */
export function escreverIndice(linhas: readonly Linha[], certificados: readonly ItemA1[]): string {
  const secoes = [...porEndpoint(linhas)].map(
    ([endpoint, suas]) =>
      `<h3 id="${ancora(endpoint)}"><code>GET ${escapar(endpoint)}</code></h3>` +
      tabela(endpoint, ['O que mostra', 'Comando', 'Resposta'], suas.map(escreverLinha)),
  )
  return `<!DOCTYPE html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulador das autoridades fiscais</title>
<style>${ESTILO}</style>
</head>
<body>
<header>
<h1>Simulador das autoridades fiscais</h1>
<p class="aviso" role="note"><strong>Isto é um simulador.</strong> Nenhuma autoridade foi consultada: empresas, pessoas, documentos,
inscrições e certificados são fictícios. Um número ou nome que exista é coincidência. Não use nada daqui como prova de nada.</p>
</header>
<main>
<h2>O que experimentar</h2>
<p>Troque <code>$CHAVE</code> pela chave de API da sua conta e, se preciso, o endereço do serviço. Qualquer outro CPF ou CNPJ válido também
responde: cerca de um em cada cinco não é conhecido por ninguém. A mesma lista em JSON: <a href="/documentos.json">documentos.json</a>.</p>
${secoes.join('\n')}
<h2 id="certificados">Certificados A1 para baixar</h2>
<p>Valem só aqui. A autoridade que os assina: <a href="/ca.pem">ca.pem</a>.</p>
${tabela('Certificados', ['Arquivo', 'Senha', 'Titular', 'Para quê'], certificados.map(escreverCertificado))}
</main>
</body>
</html>
`
}

function escreverLinha(linha: Linha): string[] {
  const comando = `curl -i -H "X-API-Key: $CHAVE" "${SERVICO}${pedidoDaLinha(linha)}"`
  return [
    escapar(linha.nota),
    `<code>${escapar(comando)}</code>`,
    `<code>${escapar(esperaDaLinha(linha))}</code>`,
  ]
}

function escreverCertificado({ nome, senha, titular, nota }: ItemA1): string[] {
  const arquivo = `${nome}.pfx`
  return [
    `<a href="/certificados/${arquivo}" download>${escapar(arquivo)}</a>`,
    senha ? `<code>${escapar(senha)}</code>` : '(vazia)',
    `${escapar(titular.nome)}, ${titular.tipo.toUpperCase()} ${escapar(titular.documento)}`,
    escapar(nota),
  ]
}

function tabela(nome: string, colunas: readonly string[], linhas: readonly string[][]): string {
  const cabecalho = colunas.map((coluna) => `<th scope="col">${coluna}</th>`).join('')
  const corpo = linhas.map(
    (celulas) => `<tr>${celulas.map((celula) => `<td>${celula}</td>`).join('')}</tr>\n`,
  )
  return `<div class="rolagem" role="region" aria-label="${escapar(nome)}" tabindex="0"><table><thead><tr>${cabecalho}</tr></thead>\n<tbody>\n${corpo.join('')}</tbody></table></div>`
}

function ancora(endpoint: string): string {
  return endpoint.replace(/\W+/g, '-').replace(/^-|-$/g, '')
}
