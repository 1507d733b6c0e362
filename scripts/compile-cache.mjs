// Preloaded (`node --import`): makes later starts faster. Node works in the same way without it.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiled code is cached, which halves the work. Node ignores entries of other sources or versions, and works without the cache if
// the directory is not writable. Missing in versions of Node that are too old; the program reports the version itself.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/turnout', import.meta.url)))

// Node searches the file system and reads package.json for each of thousands of imports. Imports between modules of this project name
// the complete path, so the address follows from the text; packages are searched once and not from each module. Within a package, one
// search per folder is enough: the format of a file depends on the next package.json above it.
const root = new URL('../', import.meta.url).href
const installed = `${root}node_modules/`
const { imports } = module.createRequire(import.meta.url)('../package.json')
const exact = new Map()
const prefixes = new Map()
for (const [alias, target] of Object.entries(imports ?? {})) {
  if (alias.endsWith('/*')) prefixes.set(alias.slice(0, -1), new URL(target.slice(0, -1), root).href)
  else exact.set(alias, new URL(target, root).href)
}

const FORMATS = { '.ts': 'module-typescript', '.js': 'module' }
const packages = new Map()
/** Folders of packages whose `.js` files are modules. */
const moduleFolders = new Set()

/** The address of a module of this project. */
function addressOf(specifier, parent) {
  if (specifier.startsWith('.')) return new URL(specifier, parent).href
  const end = specifier.indexOf('/') + 1
  const folder = prefixes.get(specifier.slice(0, end))
  return folder ? folder + specifier.slice(end) : exact.get(specifier)
}

/** A file that a module of a package imports from the same package. */
function resolveWithin(specifier, context, nextResolve) {
  const url = new URL(specifier, context.parentURL).href
  const folder = url.slice(0, url.lastIndexOf('/'))
  if (moduleFolders.has(folder)) return { url, format: 'module', shortCircuit: true }
  const found = nextResolve(specifier, context)
  if (found.format === 'module' && found.url === url) moduleFolders.add(folder)
  return found
}

module.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL
    if (!context.conditions.includes('import')) return nextResolve(specifier, context)
    if (parent?.includes('/node_modules/') && /^\..*\.js$/.test(specifier)) return resolveWithin(specifier, context, nextResolve)
    if (!parent?.startsWith(root) || parent.startsWith(installed)) return nextResolve(specifier, context)
    const url = /^[.#]/.test(specifier) ? addressOf(specifier, parent) : undefined
    const format = FORMATS[url?.slice(-3)]
    if (format) return { url, format, shortCircuit: true }
    if (!/^[@\w]/.test(specifier)) return nextResolve(specifier, context)
    const found = packages.get(specifier) ?? { ...nextResolve(specifier, context), shortCircuit: true }
    packages.set(specifier, found)
    return found
  },
})
