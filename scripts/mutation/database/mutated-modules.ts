import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeMutant, findCodeMutants, writeWithMutants } from '../code-mutants.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** What is computed once for the same contents of files. */
export const CACHE = join(root, 'node_modules/.cache/turnout-mutation')

/** Files whose mutants need a database, in most cases. Others, such as rules and views, are loaded as they are. */
const PATTERNS = [
  'src/features/*/*/{commands,queries,api,jobs}{.ts,/**/*.ts}',
  'src/features/*/*/access.ts',
  'src/features/sharing/federation/partner.ts',
  'src/platform/{http,db,jobs,journal}/*.ts',
  // For the test of this program.
  'test/support/mutation/stock.ts',
]
/** Written by `npm run types`. */
const GENERATED = 'src/platform/db/tables.ts'

export const findMutatedFiles = (): string[] =>
  globSync(PATTERNS, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && file !== GENERATED)
    .sort()

export const hashOf = (...texts: string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 24)

/** Verdicts depend on how mutants are found. */
export const TOOL = hashOf(
  ...['code-mutants.ts', 'sql-mutants.ts', 'syntax.ts'].map((name) =>
    readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'),
  ),
)

export function readCached<T>(name: string): T | undefined {
  const path = join(CACHE, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

export function writeCached(name: string, value: unknown): void {
  mkdirSync(CACHE, { recursive: true })
  const path = join(CACHE, name)
  // Two processes may write at the same time.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(value))
  renameSync(`${path}.${process.pid}`, path)
}

type Mutated = { mutants: CodeMutant[]; text: string }

/** The mutants of a file, and the file with all of them. */
export function mutateFile(file: string): Mutated & { hash: string } {
  const source = readFileSync(join(root, file), 'utf8')
  const hash = hashOf(TOOL, file, source)
  const known = readCached<Mutated>(`module-${hash}.json`)
  if (known) return { ...known, hash }
  const mutants = findCodeMutants(source)
  const made = { mutants, text: writeWithMutants(file, source, mutants) }
  writeCached(`module-${hash}.json`, made)
  return { ...made, hash }
}

/** `index`: its number among the mutants of the file. `hash`: of the contents of the file. */
export type DatabaseMutant = CodeMutant & { file: string; index: number; hash: string }

export function findMutants(files: readonly string[]): DatabaseMutant[] {
  return files.flatMap((file) => {
    const { mutants, hash } = mutateFile(file)
    return mutants.map((mutant, index) => ({ ...mutant, file, index, hash }))
  })
}
