/** The kinds of source, as people call them. */
export const servicos: Readonly<Record<string, string>> = {
  ie: 'Inscrição estadual',
  cnd: 'Certidão (CND)',
  'nfe-xml': 'XML de NF-e',
  cnpj: 'CNPJ ao vivo',
  cnir: 'Imóveis rurais (CNIR)',
  sigef: 'Parcelas (SIGEF)',
}

/** Whether a source is asked, or why not. */
export const situacoes: Readonly<Record<string, string>> = {
  disponivel: 'Consultada',
  desligada: 'Desligada neste serviço',
  'sem-certificado': 'Falta o certificado do operador',
  'protocolo-desconhecido': 'Não se sabe consultar por programa',
  'sem-solucao-de-captcha': 'Falta quem resolva o captcha',
  'sem-contrato': 'Falta o contrato com o SERPRO',
  'sem-conector': 'Falta o conector',
  'sem-sessao': 'Falta a sessão do operador',
}

/** How sure we are of a route. */
export const certezas: Readonly<Record<string, string>> = {
  verificado: 'visto em fonte atual',
  antigo: 'visto em fonte antiga',
  memoria: 'de memória, sem fonte',
  desconhecido: 'desconhecido',
}

const tipos: Readonly<Record<string, string>> = {
  imagem: 'letras em imagem',
  palavras: 'uma palavra',
  'recaptcha-v2': 'reCAPTCHA',
  'recaptcha-enterprise': 'reCAPTCHA Enterprise',
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  altcha: 'prova de trabalho',
}

const vezes: Readonly<Record<string, string>> = {
  sempre: 'em toda consulta',
  'as-vezes': 'às vezes',
  desenhado: 'desenhado, não conferido',
}

/** The captcha of a page in words: `reCAPTCHA, às vezes, resolvido aqui`. */
export function dizerCaptcha({
  tipo,
  quando,
  resolvido,
}: {
  tipo: string
  quando: string
  resolvido: boolean
}): string {
  if (tipo === 'nenhum') return 'sem captcha'
  const solved = quando === 'desenhado' ? '' : resolvido ? ', resolvido aqui' : ', não resolvido aqui'
  return `${tipos[tipo] ?? tipo}, ${vezes[quando] ?? quando}${solved}`
}

const erros: Readonly<Record<string, string>> = {
  http: 'recusou ou falhou',
  network: 'não atendeu',
  parse: 'respondeu o que não se entende',
  timeout: 'demorou demais',
  blocked: 'barrou a consulta',
}

/** A failure in words, with the code of the authority where it gave one. */
export const dizerErro = ({ tipo, codigo }: { tipo: string; codigo: string }): string =>
  `${erros[tipo] ?? tipo}${codigo === '' ? '' : ` (${codigo})`}`
