// Plain JavaScript that any Node can read: an old one must get this message, not a syntax error.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `Consulta Fiscal precisa do Node.js 24 ou mais novo; este é o ${process.version}.\n` +
      'O Node certo vem junto com as dependências (Linux): use "npm ci" e depois "npm start" ou "npm run fiscal".\n' +
      'Se as dependências foram instaladas com --omit=optional, instale o Node 24.\n',
  )
  process.exit(1)
}
