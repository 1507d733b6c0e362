import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import type { Terminal } from '#platform/command-line/terminal.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { BUDGETS } from './commands/guard.ts'
import { importExtension, locate } from './commands/import.ts'
import { newExtensionFiles } from './commands/template.ts'
import { isExtensionName } from './rules/names.ts'
import { findFaults } from './schema.ts'

export const extension: Command = {
  options: {},
  operands: [
    { name: 'new|test', help: 'new: write a folder with a working extension; test: check an extension and run its tests' },
    { name: 'name', help: 'Of the new extension, or the folder to test' },
  ],
  run: async ({ operands, terminal }) => {
    const [what, name = ''] = operands
    if (what === 'new') return writeNew(name, terminal)
    if (what === 'test') return test(resolve(name), terminal)
    throw new UsageError(`${TURNOUT} extension new NAME, or ${TURNOUT} extension test FOLDER`)
  },
}

function writeNew(name: string, { print }: Terminal): number {
  if (!isExtensionName(name)) throw new UsageError('The name must have 2 to 30 lower-case letters, digits and _.')
  const folder = resolve(name)
  if (existsSync(folder)) throw new UsageError(`${folder} exists already`)
  mkdirSync(folder)
  for (const [file, text] of Object.entries(newExtensionFiles(name))) writeFileSync(join(folder, file), text)
  print(`${folder} is a working extension.`)
  print(`  ${TURNOUT} extension test ${name}`)
  print(`  EXTENSIONS=./${name} ${TURNOUT} try-out`)
  return 0
}

async function test(folder: string, { print }: Terminal): Promise<number> {
  const faults = findFaults(await importExtension(locate(folder, folder), BUDGETS.importMs))
  for (const fault of faults) print(`fault: ${fault}`)
  if (faults.length) return 1
  print('The definition is valid.')
  const files = globSync('**/*.test.js', { cwd: folder, exclude: (path) => path.includes('node_modules') })
  const hook = new URL(`./commands/register-interface${extname(import.meta.filename)}`, import.meta.url).href
  const { status } = spawnSync(process.execPath, ['--import', hook, '--test', ...files], { cwd: folder, stdio: 'inherit' })
  return status ?? 1
}
