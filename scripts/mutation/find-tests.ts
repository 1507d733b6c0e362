import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Journeys drive a browser. */
const isSlow = (file: string): boolean => file.endsWith('journey.test.ts')
const allTests = globSync('src/**/*.test.ts').sort()
const sources = new Map(allTests.map((test) => [test, readFileSync(test, 'utf8')]))

/** Files of the project that a file imports, each read once. */
const imported = new Map<string, string[]>()
function importsOf(file: string): string[] {
  const known = imported.get(file)
  if (known) return known
  const source = sources.get(file) ?? readFileSync(file, 'utf8')
  const found = [...source.matchAll(/^(?:import|export|\}) (?!type ).*from '([^']+\.ts)'/gm)].map(([, target]) =>
    target!.startsWith('.')
      ? relative(root, resolve(dirname(file), target!))
      : target!.replace(/^#(?=features|platform)/, 'src/').replace(/^#/, ''),
  )
  imported.set(file, found)
  return found
}

function loads(test: string, file: string, seen = new Set([test])): boolean {
  return importsOf(test).some(
    (each) => each === file || (!seen.has(each) && existsSync(each) && loads(each, file, seen.add(each))),
  )
}

const pure = new Map<string, boolean>()
/** The test needs no PostgreSQL. */
function isPure(test: string): boolean {
  if (!pure.has(test)) pure.set(test, !loads(test, 'test/support/database.ts'))
  return pure.get(test)!
}

/** The test with the name of the file, then the other tests that import it, then those of its feature that load it without a database. */
function findDirectTests(file: string): string[] {
  const own = file.replace(/\.ts$/, '.test.ts')
  const feature = file.split('/').slice(0, 3).join('/')
  const importing = allTests.filter((test) => importsOf(test).includes(file))
  const loading = allTests.filter((test) => test.startsWith(`${feature}/`) && isPure(test) && loads(test, file))
  return [...new Set([...allTests.filter((test) => test === own), ...importing, ...loading])].filter((test) => !isSlow(test))
}

const near = new Map<string, string[]>()
/** Tests that load the file and need no database. */
export function findNearTests(file: string): string[] {
  if (!near.has(file)) near.set(file, findDirectTests(file).filter(isPure))
  return near.get(file)!
}

/** Tests that import one of the files directly. */
export function findImportingTests(files: readonly string[]): string[] {
  const wanted = new Set(files)
  return allTests.filter((test) => importsOf(test).some((file) => wanted.has(file)))
}
