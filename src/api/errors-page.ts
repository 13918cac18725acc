import { errorCodes, sourceCodes } from '../domain/errors.ts'

/**
 * The page that a problem's `type` points to: each code with its HTTP status and title. `warning` stands
 * above them, and `prefix` is the path that a proxy adds to ours; both may be empty.
 */
export function errorsPage(warning: string, prefix: string): string {
  const ofSources = Object.entries(sourceCodes).map(([code, row]) => [code, { ...row, status: 200 }] as const)
  const rows = [...Object.entries(errorCodes), ...ofSources]
    .map(([code, { status, title }]) => `<tr id="${code}"><td><code>${code}</code><td>${status}<td>${title}`)
    .join('\n')
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Códigos de erro · Consulta Fiscal</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}td,th{padding:.3rem 1rem .3rem 0;text-align:left}tr:target{background:#fff3c4}</style>
<h1>Códigos de erro</h1>${warning && `\n<p><strong>${warning}</strong></p>`}
<p>Toda falha vem como <code>application/problem+json</code>: <code>error_code</code> é estável e feito para programas;
<code>detail</code> diz, em português, o que houve e o que fazer. Falhas não custam créditos. <a href="${prefix}/documentacao">Documentação</a></p>
<table><tr><th>error_code<th>HTTP<th>Significado
${rows}
</table>`
}
