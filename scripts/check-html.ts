// Checks the markup of every page of the sample data with the checker of the W3C (vnu), which needs Java. `npm test` checks a part of it
// without Java.
//   npm run check:html
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDemoDatabase } from '#test/support/demo-instance.ts'
import { openTestApp } from '#test/support/every-page.ts'
import { type PageSource, readEveryPage } from '#test/support/page-sources.ts'
import { execute } from './execute.ts'

/** Installed when it is needed: it is larger than everything else together. */
const CHECKER = { name: 'vnu-jar', version: '26.9.27', folder: join(tmpdir(), 'turnout-check-html') }

type Message = {
  type: 'error' | 'info' | 'non-document-error'
  url: string
  lastLine?: number
  message: string
  extract?: string
}

function findChecker(): string {
  const jar = join(CHECKER.folder, 'node_modules', CHECKER.name, 'build', 'dist', 'vnu.jar')
  if (existsSync(jar)) return jar
  mkdirSync(CHECKER.folder, { recursive: true })
  const wanted = `${CHECKER.name}@${CHECKER.version}`
  execute('npm', ['install', '--prefix', CHECKER.folder, '--no-audit', '--no-fund', '--ignore-scripts', wanted])
  return jar
}

async function readPages(): Promise<PageSource[]> {
  const testApp = await openTestApp(await freshDemoDatabase(), { isUnlimited: true })
  try {
    return await readEveryPage(testApp)
  } finally {
    await testApp.close()
  }
}

/** Writes each document to a file, so that one process checks all of them. */
function check(jar: string, pages: readonly PageSource[]): Message[] {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-pages-'))
  try {
    const files = pages.map(({ markup }, index) => {
      const file = join(folder, `${index}.html`)
      writeFileSync(file, markup)
      return file
    })
    const report = execute('java', ['-jar', jar, '--format', 'json', '--stdout', '--exit-zero-always', ...files])
    return (JSON.parse(report) as { messages: Message[] }).messages
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (spawnSync('java', ['-version']).status !== 0) {
  console.error('check:html needs Java, for example from apt-get install default-jre-headless')
  process.exit(2)
}
const jar = findChecker()
const pages = await readPages()
const errors = check(jar, pages).filter(({ type }) => type !== 'info')
for (const { url, lastLine, message, extract } of errors) {
  const { reader, address } = pages[Number(/(\d+)\.html$/.exec(url)?.[1])]!
  console.log(`${address} of ${reader}, line ${lastLine}: ${message} ${extract?.trim() ?? ''}`)
}
console.log(`${pages.length} pages, ${errors.length} errors`)
process.exit(errors.length === 0 ? 0 : 1)
