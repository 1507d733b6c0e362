import { posix } from 'node:path'

/** A file in src/ with its path relative to src/. */
export type Source = { path: string; text: string }
export type Import = { line: number; specifier: string; names: string; isType: boolean }

/** Replaces comments by spaces; line numbers stay. */
export function withoutComments(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, ' ')
  return text.replaceAll(/(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, blank)
}

export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
export const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')

const FROM = /^\s*(?:import|export)\s+(type\s+)?([\w\s{},*$]*?)\s*from\s*['"]([^'"]+)['"]/gm
const BARE = /^\s*import\s*['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"`]([^'"`]+)['"`]/g

export function importsOf({ text }: Source): Import[] {
  const code = withoutComments(text)
  const from = [...code.matchAll(FROM)].map((found) => {
    const names = found[2]!.trim()
    const each = names
      .replaceAll(/[{}]/g, '')
      .split(',')
      .filter((name) => name.trim())
    const isType = Boolean(found[1]) || (names.startsWith('{') && each.every((name) => name.trim().startsWith('type ')))
    return { line: lineOf(code, found.index + found[0].search(/\S/)), specifier: found[3]!, names, isType }
  })
  const others = [...code.matchAll(BARE), ...code.matchAll(DYNAMIC)].map((found) => ({
    line: lineOf(code, found.index + found[0].search(/\S/)),
    specifier: found[1]!,
    names: '',
    isType: false,
  }))
  return [...from, ...others]
}

/** The path inside src/ that an import resolves to; undefined for packages and files outside src/. */
export function targetOf(path: string, specifier: string): string | undefined {
  if (['#app', '#endpoints', '#extension'].includes(specifier)) return `${specifier.slice(1)}.ts`
  const alias = /^#(platform|features|demo)\//.exec(specifier)
  if (alias) return specifier.slice(1)
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
}

/** `features/users` (without the group that the feature is in), `platform/http`, `platform/clock`, `cli`, `demo`, or a file at the top by its name. */
export function folderOf(path: string): string {
  const [first = '', second = '', third = ''] = path.replace(/\.ts$/, '').split('/')
  if (first === 'features' && third) return `${first}/${third}`
  if (first === 'platform') return `${first}/${second}`
  return path.includes('/') ? first : path
}
