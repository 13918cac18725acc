/** Loaded before a server of a bench: it ends with the bench, however that ends. */
process.on('disconnect', () => process.exit())
