import { relative } from 'node:path'
import { describe } from 'node:test'

/**
 * Declares the tests of several files in this process, each file as a suite of its own: its hooks run before and after its own
 * tests, and a file that cannot be loaded fails alone.
 */
export function declareFiles(root: string, files: readonly string[]): void {
  for (const file of files) describe(relative(root, file), () => import(file))
}
