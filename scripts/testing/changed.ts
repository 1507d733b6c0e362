import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf } from '#test/architecture/source.ts'

/** Chooses the tests that concern changed files, for `npm test -- --changed`. CONTRIBUTING.md explains the rules. */

/** Text of each file that takes part, by its path in the repository. */
export type Tree = ReadonlyMap<string, string>
/** Why each test is chosen, by its path. */
export type Selection = Map<string, string>

const SOURCES = ['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts', 'clients/typescript/src/**/*.ts']

/** They import every feature. A path through one of them says nothing about what a test is about. */
const ROOTS = /^src\/(app|app-options|endpoints|features|cli|main|cli\/run)\.ts$|^src\/demo\//
const TEST = /\.test\.ts$/
const CONTRACT = /^test\/contract\//
const FEATURE = /^src\/features\/(?:[^/]+\/)+feature\.ts$/

/** They cover everything, and what they import only prepares their data: the rules below choose them. */
const BY_RULES_ONLY = /^test\/journeys\/every-page\.|^test\/fuzz\//

const ALWAYS = ['test/architecture/architecture.test.ts', 'test/docs.test.ts']

/** Tests that no import leads to, by the path of the changed file. */
const BY_PATH: [changed: RegExp, tests: RegExp][] = [
  [ROOTS, /^test\/contract\/|^test\/process\/serve\./],
  [/\/words\.(en|de)\.ts$|^src\/platform\/i18n\//, /^test\/contract\/(words|wording|languages)\./],
  [/^src\/platform\/db\/migrations\//, /^src\/platform\/db\/[^/]+\.test\.ts$|^test\/contract\/(schema|privacy)\./],
  [/^src\/platform\/http\/(server|api-\w+|page-\w+|authenticate|access|write)\.ts$/, /^test\/(contract|fuzz)\//],
  [/^assets\/.*\.css$|^src\/platform\/ui\//, /^test\/journeys\/(styleguide|every-page)\./],
  [/^assets\//, /^src\/platform\/ui\/|^test\/journeys\/(early-input|first-look)\./],
  [/^docs\/api\//, /^test\/contract\/(guide|openapi)\./],
  [/^clients\//, /^test\/client\//],
  [
    /^(package(-lock)?\.json|Dockerfile|bin\/.*|scripts\/.*\.mjs)$/,
    /^test\/(deploy|process\/(package|ensure|preload|commands))\./,
  ],
  [/^(deploy\/.*|compose.*\.yaml)$/, /^test\/deploy\./],
]

/** What contract tests import to cover all of them, by the role of the changed file of a feature. */
const CONTRACT_BY_ROLE: [role: RegExp, imports: string][] = [
  [/^(api|schema|access)(\/|\.ts$)/, 'src/endpoints.ts'],
  [/^(pages|views)(\/|\.ts$)/, 'src/platform/features/compose.ts'],
]

export function selectTests(tree: Tree, changed: readonly string[]): Selection {
  const chosen: Selection = new Map()
  const tests = [...tree.keys()].filter((path) => TEST.test(path))
  const choose = (test: string, why: string) => {
    if (!chosen.has(test)) chosen.set(test, why)
  }
  const chooseAll = (which: (test: string) => boolean, why: string) => {
    for (const test of tests.filter(which)) choose(test, why)
  }
  const imports = new Map([...tree].map(([path, text]) => [path, resolveImports(path, text)]))
  const features = [...tree.keys()].filter((path) => FEATURE.test(path)).map((path) => posix.dirname(path))
  const reached = findReached(imports, changed)

  if (changed.length > 0) for (const test of ALWAYS) if (tree.has(test)) choose(test, 'runs with every change')
  for (const test of tests) {
    const target = reached.get(test)
    if (target && (target === test || !BY_RULES_ONLY.test(test))) choose(test, target === test ? 'changed' : `imports ${target}`)
  }
  for (const path of changed) {
    for (const [pattern, which] of BY_PATH) if (pattern.test(path)) chooseAll((test) => which.test(test), `covers ${path}`)
    const name = posix.basename(path, '.ts')
    chooseAll((test) => CONTRACT.test(test) && posix.basename(test) === `${name}.test.ts`, `has the name of ${path}`)
    if (!path.endsWith('.ts'))
      chooseAll((test) => tree.get(test)!.includes(posix.basename(path)), `names ${posix.basename(path)}`)
    for (const owner of ownersOf(path, { tree, features })) {
      chooseAll((test) => test.startsWith(`${owner}/`), `is in the feature of ${path}`)
      if (TEST.test(path)) continue
      const addresses = findAddresses(tree, owner)
      chooseAll(
        (test) => !test.startsWith('src/') && namesOne(tree.get(test)!, addresses),
        `names an address of ${posix.basename(owner)}`,
      )
      const role = path.slice(owner.length + 1)
      for (const [pattern, covered] of CONTRACT_BY_ROLE)
        if (pattern.test(role))
          chooseAll((test) => CONTRACT.test(test) && imports.get(test)!.includes(covered), `covers what ${covered} lists`)
    }
  }
  return chosen
}

/** The changed file that each file reaches by its imports; roots are reached, but not passed. */
function findReached(imports: ReadonlyMap<string, string[]>, changed: readonly string[]): Map<string, string> {
  const importers = new Map<string, string[]>()
  for (const [path, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  const reached = new Map<string, string>()
  for (const first of changed) {
    const waiting = [first]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue
      reached.set(path, first)
      if (!ROOTS.test(path)) waiting.push(...(importers.get(path) ?? []))
    }
  }
  return reached
}

function resolveImports(path: string, text: string): string[] {
  const targets = importsOf({ path, text })
    // Types do not change what runs; the compiler checks them.
    .filter(({ isType }) => !isType)
    .map(({ specifier }) => resolveImport(path, specifier))
  return [...new Set(targets.filter((target) => target !== undefined))]
}

function resolveImport(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  if (specifier === '#app' || specifier === '#endpoints') return `src/${specifier.slice(1)}.ts`
  if (specifier.startsWith('#test/')) return specifier.slice(1)
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : undefined
}

/** Folders of the features that a changed file belongs to: its own, or those that own the tables of a migration. */
function ownersOf(path: string, { tree, features }: { tree: Tree; features: readonly string[] }): string[] {
  if (!/\/migrations\/.*\.sql$/.test(path)) return features.filter((folder) => path.startsWith(`${folder}/`))
  const sql = tree.get(path) ?? ''
  const tables = new Set(
    [...sql.matchAll(/\b(?:table(?: if (?:not )?exists)?|on|into|update|from)\s+([a-z_]+)/gi)].map(([, name]) => name!),
  )
  return features.filter((folder) => {
    const [, list = ''] = /\btables: \[([^\]]*)\]/.exec(tree.get(`${folder}/feature.ts`)!) ?? []
    return [...list.matchAll(/'(\w+)'/g)].some(([, name]) => tables.has(name!))
  })
}

/** Addresses that a feature serves, up to the first parameter. */
function findAddresses(tree: Tree, feature: string): string[] {
  const texts = [...tree].filter(([path]) => path.startsWith(`${feature}/`) && !TEST.test(path)).map(([, text]) => text)
  const paths = texts.flatMap((text) => [...text.matchAll(/\bpath: ['"`](\/[^'"`]*)/g)].map(([, path]) => path!))
  return [...new Set(paths.map((path) => path.replace(/[{$].*/s, '')))]
}

/** Of short addresses, such as `/` and `/events/`, many tests use longer ones of other features; these must be written out. */
function namesOne(text: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const isShort = address.split('/').length <= 3 || address === '/api/'
    return ["'", '"', '`'].some((quote) => text.includes(isShort ? `${quote}${address}${quote}` : `${quote}${address}`))
  })
}

/** Files of the repository that imports and the rules above look at. */
export function readTree(): Tree {
  const paths = globSync([...SOURCES, 'src/platform/db/migrations/*.sql'])
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]))
}

/** Changes since the branch left `base`, committed or not, and new files. */
export function findChanged(base = chooseBase()): string[] {
  const since = git('merge-base', 'HEAD', base).trim()
  const names = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(names.flatMap((text) => text.split('\n')).filter(Boolean))]
}

function chooseBase(): string {
  const isKnown = (name: string) =>
    git('for-each-ref', '--format=%(refname)', `refs/remotes/${name}`, `refs/heads/${name}`) !== ''
  return ['origin/main', 'main'].find(isKnown) ?? 'HEAD'
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
