import type { Mensagem } from '../platform/mensagem.ts'
import { escapar } from '../platform/xml.ts'

/** A page of SIGEF in the layout of 2026: Bootstrap 2 under the header of gov.br's design system. */
export function paginaDoSigef(titulo: string, corpo: string, status = 200): Mensagem {
  return html(
    status,
    `<!DOCTYPE html>
<html lang="pt-br">
<head>
<meta charset="utf-8">
<title>${escapar(titulo)} - SIGEF</title>
<link rel="stylesheet" href="/static/css/bootstrap.min.css">
<link rel="stylesheet" href="/static/govbr-ds/core.min.css">
</head>
<body>
<header class="br-header compact"><div class="container-lg"><div class="header-sign">Sistema de Gestão Fundiária</div></div></header>
<div class="container" id="conteudo">
${corpo}
</div>
<footer class="br-footer"><p>INCRA - Instituto Nacional de Colonização e Reforma Agrária</p></footer>
</body>
</html>
`,
  )
}

/** The firewall's page, with HTTP 200: F5's usual words. */
export function requestRejected(): Mensagem {
  return html(
    200,
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. ' +
      'Please consult with your administrator.<br><br>Your support ID is: 11223344556677889900<br><br>' +
      "<a href='javascript:history.back();'>[Go Back]</a></body></html>",
  )
}

/** The login of gov.br. Who posts it sees it again: no password is right here. */
export function paginaDeLogin(): Mensagem {
  return html(
    200,
    `<!DOCTYPE html>
<html lang="pt-br">
<head><meta charset="utf-8"><title>gov.br - Acesse sua conta</title></head>
<body>
<main id="main-signin">
<form id="loginData" method="post" action="/login">
<h3>Identifique-se no gov.br com:</h3>
<label for="accountId">CPF</label>
<p>Digite seu CPF para <strong>criar</strong> ou <strong>acessar</strong> sua conta gov.br</p>
<input id="accountId" name="accountId" type="tel" autocomplete="off">
<button type="submit" name="operation" value="enter-account-id" class="button-continuar">Continuar</button>
<a id="login-certificate" href="#">Seu certificado digital</a>
</form>
</main>
</body>
</html>
`,
  )
}

/** The layout that no client knows: a shell that a script fills. */
export function layoutNovo(): Mensagem {
  return html(
    200,
    '<!DOCTYPE html>\n<html lang="pt-br"><head><meta charset="utf-8"><title>Novo SIGEF</title><base href="/novo/"></head>' +
      '<body><app-root></app-root><script src="main.4be1.js"></script></body></html>\n',
  )
}

/** HTTP 302, with cookies where there are any. */
export function irPara(location: string): Mensagem {
  return { status: 302, cabecalhos: { location, server: 'nginx' }, corpo: Buffer.alloc(0) }
}

function html(status: number, texto: string): Mensagem {
  const cabecalhos = { 'content-type': 'text/html; charset=utf-8', server: 'nginx' }
  return { status, cabecalhos, corpo: Buffer.from(texto) }
}
