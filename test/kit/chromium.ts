import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

const pasta = mkdtempSync(join(tmpdir(), 'navegador-'))
let running: Promise<Browser> | undefined

after(async () => {
  await (await running)?.close()
  rmSync(pasta, { recursive: true, force: true })
})

/** Why this machine has no browser; false where it has one. */
export const noBrowser: string | false =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : 'npm brings a Chromium for Linux on x64 only'

/**
 * A new visitor of Chromium's, as in Brazil. All tests of a process share one browser, which npm brings; it
 * starts with the first visitor and ends after the last test.
 */
export async function visit(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  running ??= launch()
  // Without a locale, Intl gets one that it refuses.
  return (await running).newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...options })
}

const UNPACK =
  "import('@sparticuz/chromium').then(async (it) => console.log(await it.default.executablePath()))"

/** The package's own file names a fixed folder. */
const FONTS = `<fontconfig>
<dir>/usr/share/fonts</dir><dir>${pasta}/fonts</dir><cachedir>${pasta}/fontes</cachedir>
</fontconfig>`

/**
 * The package unpacks to the system's temporary folder, and twice at once breaks it: each process has a
 * folder of its own. It gives the libraries of the browser only to a Lambda.
 */
async function launch(): Promise<Browser> {
  const lambda = { TMPDIR: pasta, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  const env = { ...process.env, ...lambda }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', UNPACK], {
    env,
    cwd: import.meta.dirname,
  })
  const fonts = join(pasta, 'fontes.conf')
  writeFileSync(fonts, FONTS)
  // Most processes of the tests open no page.
  const { chromium } = await import('playwright-core')
  // The package's own arguments switch off what a browser protects a page with.
  return chromium.launch({
    executablePath: stdout.trim(),
    args: ['--no-sandbox', '--headless=shell'],
    env: { LD_LIBRARY_PATH: join(pasta, 'al2023/lib'), FONTCONFIG_FILE: fonts, HOME: pasta },
  })
}
