import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CallSite } from './call-sites.ts'
import { lineOf } from './lines.ts'

/** One statement about a row type, as type arguments that compile only if it holds. */
export type RowCheck = {
  site: CallSite
  column?: string
  /** An instance of one of the HELPERS. */
  type: string
  /** Makes a sentence from the error of the compiler. */
  explain: (error: string) => string
}

const HELPERS = `
type __Within<Key extends Keys, Keys> = Key
type __Fits<Value extends Expected, Expected> = Value
type __Value<Value> = Exclude<Value, null | undefined>
type __RequiredKeys<Row> = { [Key in keyof Row]-?: {} extends Pick<Row, Key> ? never : Key }[keyof Row]
type __Checked<Row, _Checks> = Row
`

export function hasColumn(site: CallSite, column: string): RowCheck {
  return {
    site,
    column,
    type: `__Within<${JSON.stringify(column)}, keyof (${site.rowType})>`,
    explain: () => `the result has the column "${column}", which the row type does not have`,
  }
}

export function addType(site: CallSite, column: string, valueType: string): RowCheck {
  return {
    site,
    column,
    type: `__Fits<__Value<(${site.rowType})[${JSON.stringify(column)}]>, ${valueType}>`,
    explain: (error) => `column "${column}" has another type than the row type says: ${error}`,
  }
}

export function acceptsNull(site: CallSite, column: string, reason: string): RowCheck {
  return {
    site,
    column,
    type: `__Fits<null, (${site.rowType})[${JSON.stringify(column)}]>`,
    explain: () => `column "${column}" can be null (${reason}), which the row type does not allow`,
  }
}

export function hasAllProperties(site: CallSite, columns: readonly string[]): RowCheck {
  const names = columns.map((name) => JSON.stringify(name)).join(' | ')
  return {
    site,
    type: `__Within<Exclude<__RequiredKeys<${site.rowType}>, ${names}>, never>`,
    explain: (error) =>
      `the result lacks a property of the row type: ${/^Type '(.*)' does not satisfy/.exec(error)?.[1] ?? error}`,
  }
}

export type Mismatch = { place: string; text: string }

/**
 * Compiles a copy of the sources in which each row type carries its checks, and returns the checks that do not compile.
 * The compiler thereby judges types in their own scope, with everything that they refer to. It looks at files without checks for
 * their types only: `npm test` compiles them anyway.
 */
export function compileChecks(root: string, checks: readonly RowCheck[]): Mismatch[] {
  const copy = mkdtempSync(join(tmpdir(), 'turnout-reads-'))
  try {
    const byPath = Map.groupBy(checks, ({ site }) => site.path)
    copySources({ root, copy, checked: new Set(byPath.keys()) })
    const placed = new Map([...byPath].map(([path, those]) => [path, placeChecks(join(copy, path), those)]))
    const mismatches: Mismatch[] = []
    const failed: { check: RowCheck; error: string }[] = []
    for (const { path, line, error } of compile(root, copy)) {
      const check = placed.get(path)?.find(({ from, to }) => from <= line && line <= to)?.check
      if (check) failed.push({ check, error })
      // Not in a check: the source itself does not compile.
      else mismatches.push({ place: path, text: error })
    }
    // A column that is missing in the row type has no type there either.
    const isFollowUp = ({ site, column, type }: RowCheck) =>
      !type.startsWith('__Within') &&
      failed.some(({ check }) => check.type.startsWith('__Within') && check.site === site && check.column === column)
    for (const { check, error } of failed) {
      const place = `${check.site.path}:${check.site.line}`
      if (!isFollowUp(check)) mismatches.push({ place, text: check.explain(error) })
    }
    return mismatches
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function copySources({ root, copy, checked }: { root: string; copy: string; checked: ReadonlySet<string> }): void {
  for (const path of globSync('src/**/*.ts', { cwd: root })) {
    if (path.endsWith('.test.ts')) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    // `placeChecks` writes the others.
    if (!checked.has(path)) writeFileSync(join(copy, path), `// @ts-nocheck\n${readFileSync(join(root, path), 'utf8')}`)
    else cpSync(join(root, path), join(copy, path))
  }
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

type Placed = { check: RowCheck; from: number; to: number }

/** Puts the checks of a file behind its row types, each on lines of its own, and returns these lines. */
function placeChecks(file: string, checks: readonly RowCheck[]): Placed[] {
  const source = readFileSync(file, 'utf8')
  const placed: Placed[] = []
  let text = ''
  let copied = 0
  const bySite = [...Map.groupBy(checks, ({ site }) => site)].sort(([a], [b]) => a.start - b.start)
  for (const [site, those] of bySite) {
    text += `${source.slice(copied, site.start)}__Checked<${site.rowType}, [\n`
    for (const check of those) {
      const from = lineOf(text, text.length)
      text += `${check.type},\n`
      placed.push({ check, from, to: lineOf(text, text.length) - 1 })
    }
    text += ']>'
    copied = site.end
  }
  writeFileSync(file, text + source.slice(copied) + HELPERS)
  return placed
}

type CompilerError = { path: string; line: number; error: string }

function compile(root: string, copy: string): CompilerError[] {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { compilerOptions: object }
  const options = { ...compilerOptions, noUnusedLocals: false, noUnusedParameters: false, noErrorTruncation: true }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout, error } = spawnSync(tsc, ['--pretty', 'false', '--singleThreaded', '-p', copy], { cwd: copy, encoding: 'utf8' })
  if (error) throw error
  return stdout
    .split('\n')
    .map((line) => /^(.+?)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ path: match[1]!, line: Number(match[2]), error: match[3]! }))
}
