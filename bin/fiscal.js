#!/usr/bin/env node
import './node-version.js'

const { main } = await import('../src/cli/main.ts')
await main(process.argv)
