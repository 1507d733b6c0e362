import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * How people call the commands of this installation. Packages (npm, Debian) contain JavaScript and install a command. In a clone, npx
 * finds the package in the current folder; elsewhere it would ask the registry for a package of that name. The image has neither.
 */
export function invocationOf(root: string): string {
  if (!existsSync(`${root}src/cli.ts`)) return 'turnout'
  return existsSync(`${root}bin/turnout.js`) ? 'npx turnout' : `node ${root}src/cli.ts`
}

export const TURNOUT = invocationOf(fileURLToPath(new URL('../../', import.meta.url)))
