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
  for (const name of ['package.json', 'README.md']) cpSync(join(source, name), join(folder, name))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

if (import.meta.main) {
  buildClient(join(source, 'build'))
  console.log('wrote clients/typescript/build')
}
