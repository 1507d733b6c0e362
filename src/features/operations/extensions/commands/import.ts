import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { within } from './guard.ts'

/** The folder that `src`, or in a package `dist`, is in. */
const PRODUCT = fileURLToPath(new URL('../../../../../', import.meta.url))
const OWN_CODE = fileURLToPath(new URL('../../../../', import.meta.url))
const ENDING = extname(import.meta.filename)
const INTERFACE = pathToFileURL(join(OWN_CODE, `extension${ENDING}`)).href

/** Where the code of an extension is. `version`: as its package.json says. */
export type Located = { folder: string; entry: string; version: string }

/** `source`: a folder, or the name of a package that is installed beside the working directory or beside Turnout. Throws the reason. */
export function locate(source: string, workingFolder: string): Located {
  const places = [resolve(workingFolder, source), ...installedPlaces(source, workingFolder), ...installedPlaces(source, PRODUCT)]
  const folder = places.find((place) => existsSync(join(place, 'package.json')))
  if (folder === undefined) throw new Error(`there is no folder and no installed package ${source} with a package.json`)
  const { main, exports, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const entry = [exports, (exports as Record<string, unknown> | undefined)?.['.'], main].find((each) => typeof each === 'string')
  const file = resolve(folder, typeof entry === 'string' ? entry : 'index.js')
  if (!existsSync(file)) throw new Error(`${file} does not exist`)
  return { folder, entry: file, version: String(version ?? '') }
}

type Manifest = { main?: unknown; exports?: unknown; version?: unknown }

function installedPlaces(source: string, from: string): string[] {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(source)) return []
  const above = dirname(from)
  return [join(from, 'node_modules', source), ...(above === from ? [] : installedPlaces(source, above))]
}

const isBelow = (folder: string, url: string | undefined): boolean =>
  url?.startsWith(pathToFileURL(folder.endsWith('/') ? folder : `${folder}/`).href) ?? false

const known: string[] = []
let isHooked = false

/** `turnout/extension` is the interface of the running program, and no other file of it can be imported by an extension. */
export function hookImports(): void {
  if (isHooked) return
  isHooked = true
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'turnout/extension') return { url: INTERFACE, format: 'module', shortCircuit: true }
      if (!known.some((folder) => isBelow(folder, context.parentURL))) return next(specifier, context)
      if (/^(turnout|#\w+)(\/|$)/.test(specifier)) throw new Error(`imports ${specifier}: only turnout/extension is public`)
      const found = next(specifier, context)
      if (isBelow(OWN_CODE, found.url)) throw new Error(`imports ${specifier}: only turnout/extension is public`)
      return found
    },
  })
}

/** The default export of an extension. Throws the reason. */
export async function importExtension({ folder, entry }: Located, limitMs: number): Promise<unknown> {
  if (!known.includes(folder)) known.push(folder)
  hookImports()
  const loaded = await within(limitMs, () => import(pathToFileURL(entry).href) as Promise<{ default?: unknown }>)
  if (loaded.default === undefined) throw new Error(`${entry} has no default export`)
  return loaded.default
}
