/** What the parameters are called on a form. One that is not here has its own name. */
const campos: Readonly<Record<string, string>> = {
  uf: 'Estado',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  ie: 'Inscrição estadual',
  emitir_nova: 'Emitir outra certidão, mesmo que uma valha',
  force_fresh: 'Consultar a Receita Federal ao vivo',
  'Cache-Control': 'Consultar de novo, sem usar resposta guardada',
  doc: 'Documento fiscal',
  de: 'De',
  ate: 'Até',
  q: 'Palavras',
  categoria: 'Categoria',
  page: 'Página',
  page_size: 'Rejeições por página',
  codigo: 'Código da rejeição',
  chave: 'Chave de acesso',
  certificado: 'Certificado A1 (.pfx ou .p12)',
  senha: 'Senha do certificado',
  manifestar: 'Registrar a manifestação do destinatário, se a SEFAZ só der o resumo',
  simular: 'Só ensaiar: não registra evento, não entrega o XML e não cobra',
}

export const rotuloDoCampo = (nome: string): string => campos[nome] ?? nome
