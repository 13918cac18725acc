import type { Mensagem } from './mensagem.ts'
import { escapar } from './xml.ts'

/** An HTML page as a server of an authority shows it for an error or a notice. */
export function escreverPagina(status: number, titulo: string, texto = titulo): Mensagem {
  const [t, p] = [escapar(titulo), escapar(texto)]
  return {
    status,
    cabecalhos: { 'content-type': 'text/html; charset=utf-8' },
    corpo: Buffer.from(
      `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\r\n` +
        `<html xmlns="http://www.w3.org/1999/xhtml">\r\n<head><title>${t}</title></head>\r\n` +
        `<body><div id="content"><h2>${t}</h2><h3>${p}</h3></div></body>\r\n</html>\r\n`,
    ),
  }
}
