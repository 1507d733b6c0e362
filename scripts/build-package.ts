// Writes what the package needs besides the sources, before `npm pack` (script `prepack`): the modules as JavaScript in dist/, because
// Node refuses TypeScript inside node_modules, and npm-shrinkwrap.json, which pins the dependencies of an installed package.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const SPECIFIER = /(\bfrom |\bimport |\bimport\()'([.#][^']+)'/g
const ALIASES: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean; devDependencies?: unknown }> }

/** Writes `dist` and `npm-shrinkwrap.json` into the folder. */
export function buildPackage(folder: string): void {
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const paths = globSync('src/**/*.*', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const known = new Set(paths)
  for (const path of paths) {
    const target = join(dist, toJavaScript(path.slice('src/'.length)))
    mkdirSync(dirname(target), { recursive: true })
    if (path.endsWith('.ts')) writeFileSync(target, compile(path, known))
    else cpSync(join(root, path), target)
  }
  writeFileSync(join(dist, 'extension.d.ts'), declareInterface())
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${JSON.stringify(productionLock(), undefined, 2)}\n`)
}

/** The types of the public interface, in one file that needs no other. */
export function declareInterface(): string {
  const out = mkdtempSync(join(tmpdir(), 'turnout-interface-'))
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const flags = [
      '--declaration',
      '--emitDeclarationOnly',
      '--isolatedDeclarations',
      '--noResolve',
      '--skipLibCheck',
      '--noCheck',
    ]
    const language = [
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--types',
      '',
      '--ignoreConfig',
      '--rootDir',
      join(root, 'src'),
    ]
    const source = join(root, 'src/extension.ts')
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...flags, ...language, '--outDir', out, source], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the declaration of the interface cannot be written:\n${stdout}`)
    const text = readFileSync(join(out, 'extension.d.ts'), 'utf8')
    const imported = /^import .*$/m.exec(text)?.[0]
    if (imported !== undefined) throw new Error(`the declaration of the interface needs another file: ${imported}`)
    return text
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

const toJavaScript = (path: string): string => path.replace(/\.ts$/, '.js')

/** Types become spaces, so that lines and columns of errors are those of the sources. */
function compile(path: string, known: Set<string>): string {
  return stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')).replaceAll(SPECIFIER, (_, keyword, specifier) => {
    const target = specifier.startsWith('#') ? resolveAlias(specifier) : posix.join(posix.dirname(path), specifier)
    if (!known.has(target)) throw new Error(`${path} imports ${specifier}, which is not part of the package`)
    const relative = posix.relative(posix.dirname(path), toJavaScript(target))
    return `${keyword}'${relative.startsWith('.') ? relative : `./${relative}`}'`
  })
}

function resolveAlias(specifier: string): string {
  const exact = ALIASES[specifier]
  if (exact) return posix.normalize(exact)
  const [start, target] = Object.entries(ALIASES).find(([alias]) => specifier.startsWith(alias.slice(0, -1))) ?? []
  return start && target ? posix.normalize(target.replace('*', specifier.slice(start.length - 1))) : specifier
}

function productionLock(): Lock {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  // devOptional: a development package that is also an optional peer of another package.
  const packages = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  delete lock.packages['']!.devDependencies
  return { ...lock, packages: Object.fromEntries(packages) }
}

if (import.meta.main) buildPackage(root)
