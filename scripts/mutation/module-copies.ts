import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The text of a file from `start` to `end` becomes `to`. */
export type Change = { start: number; end: number; to: string }

const root = new URL('../../', import.meta.url).href
const installed = `${root}node_modules/`
const substitute = new URL('./test-substitute.ts', import.meta.url).href
/** Gets the real node:test. */
const mocks = new URL('./mocks.ts', import.meta.url).href

type Resolved = { url: string; format?: string | null | undefined }

/** Which modules of the project import a module. */
export const importers = new Map<string, Set<string>>()
const resolved = new Map<string, Resolved>()
const stripped = new Map<string, string>()
const round = { number: 0, changed: '', change: undefined as Change | undefined, copied: new Set<string>() }

const isOurs = (url: string): boolean => url.startsWith(root) && !url.startsWith(installed)
const withoutQuery = (url: string): string => url.replace(/\?.*/, '')

/** The modules that import one of these, and those that import them. */
function withImporters(urls: readonly string[]): Set<string> {
  const found = new Set(urls)
  for (const url of found) for (const importer of importers.get(url) ?? []) found.add(importer)
  return found
}

/** A file as JavaScript. Only the file of the mutant is read with its change. */
function readModule(url: string): string {
  const path = fileURLToPath(url)
  const strip = (source: string) => (path.endsWith('.ts') ? stripTypeScriptTypes(source) : source)
  if (url === round.changed && round.change) {
    const { start, end, to } = round.change
    const source = readFileSync(path, 'utf8')
    return strip(source.slice(0, start) + to + source.slice(end))
  }
  const source = stripped.get(url) ?? strip(readFileSync(path, 'utf8'))
  stripped.set(url, source)
  return source
}

/**
 * Starts a round: imports from now on get copies of the tests, the changed file and all modules between them. Other modules, for example
 * all packages, stay as they are. Without a changed file only the tests are copied: such a round finds which modules import which.
 */
export function startRound(tests: readonly string[], changed?: string, change?: Change): void {
  round.number++
  round.changed = changed ?? ''
  round.change = change
  round.copied = changed === undefined ? new Set(tests) : withImporters([changed, ...tests])
}

export function installHooks(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const parent = withoutQuery(context.parentURL ?? '')
      if (!isOurs(parent)) return nextResolve(specifier, context)
      if (specifier === 'node:test' && parent !== mocks)
        return { url: substitute, format: 'module-typescript', shortCircuit: true }
      const key = `${parent} ${specifier}`
      const { url, format }: Resolved = resolved.get(key) ?? nextResolve(specifier, context)
      resolved.set(key, { url, format })
      if (isOurs(url)) importers.set(url, (importers.get(url) ?? new Set()).add(parent))
      if (round.copied.has(withoutQuery(url)))
        return { url: `${withoutQuery(url)}?round=${round.number}`, format: 'module', shortCircuit: true }
      return { url, format, shortCircuit: true }
    },
    load(url, context, nextLoad) {
      if (!isOurs(url) || !/\?round=\d+$/.test(url)) return nextLoad(url, context)
      return { format: 'module', source: readModule(withoutQuery(url)), shortCircuit: true }
    },
  })
}
