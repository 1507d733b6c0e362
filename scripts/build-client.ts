// Builds the package of the typed client, ready for `npm pack ./clients/typescript/build` or `npm publish`: `npm run client`.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'clients/typescript')

/** Replaces the folder. */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', join(source, 'tsconfig.json'), '--outDir', join(folder, 'dist')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}${stderr}`)
  // The compiler rewrites imports in JavaScript only.
  for (const file of globSync(join(folder, 'dist/*.d.ts')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, ...repositoryOf(process.env.REPOSITORY_URL) }, null, 2)}\n`,
  )
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Where the package is built from, which npm compares with the place that publishes it. */
export const repositoryOf = (url: string | undefined) =>
  url ? { repository: { type: 'git', url: `git+${url}.git`, directory: 'clients/typescript' }, homepage: url } : {}

if (import.meta.main) {
  buildClient(join(source, 'build'))
  console.log('wrote clients/typescript/build')
}
