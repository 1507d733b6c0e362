// Writes a version into all files that name it, and closes the section [Unreleased] of CHANGELOG.md. docs/releasing.md has the whole recipe.
//   npm run release -- 1.2.3
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkVersion, closeUnreleased, ReleaseError, renamePackages, setVersion } from './releasing/version.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const change = (file: string, edit: (text: string) => string): [string, string] => {
  const path = new URL(`../${file}`, import.meta.url).pathname
  return [path, edit(readFileSync(path, 'utf8'))]
}

try {
  const [version = '', ...more] = positionals
  if (more.length > 0) throw new ReleaseError('expected one version')
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  checkVersion(version, manifest.version)
  const day = new Date().toISOString().slice(0, 10)
  // All texts are made before the first one is written.
  const changes = [
    change('CHANGELOG.md', (text) => closeUnreleased(text, version, day)),
    ...['package.json', 'package-lock.json', 'clients/typescript/package.json'].map((file) =>
      change(file, (text) => setVersion(text, version)),
    ),
    change('clients/python/pyproject.toml', (text) => text.replace(/^version = ".*"$/m, `version = "${version}"`)),
    change('docs/operate.md', (text) => renamePackages(text, version)),
  ]
  for (const [path, text] of changes) writeFileSync(path, text)
  console.log(`Version ${version} is written. Next: npm run api, then docs/releasing.md from step 3.`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 2
}
