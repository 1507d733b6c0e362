import { FEATURES } from '../../src/features.ts'
import { featureOf } from './imports.ts'
import { isTest, lineOf, type Source, withoutComments } from './source.ts'
import { OWNERS } from './tables.ts'

type Declared = { below: Record<string, readonly string[]>; above: Record<string, Record<string, string>> }

const DECLARED: Declared = {
  below: Object.fromEntries(FEATURES.map(({ name, reads = [] }) => [name, reads])),
  above: Object.fromEntries(FEATURES.map(({ name, readsAbove = {} }) => [name, readsAbove])),
}

const READ =
  /\b(?:from|join|using)\s+(?:only\s+)?"?(\w+)|\b(?:selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin)\(\s*['"`](\w+)/gi
/** Imports and restores copy whole tables. */
const READS_ALL = new Set(['import-ephios', 'backup'])

/** Where each feature reads tables of others. */
export function foreignReads(sources: Source[]): { path: string; line: number; feature: string; table: string }[] {
  return sources
    .filter((source) => !isTest(source) && !/\/(?:words\.\w+|sample)\.ts$/.test(source.path))
    .flatMap(({ path, text }) => {
      const feature = featureOf(path)
      if (feature === undefined || READS_ALL.has(feature)) return []
      const code = withoutComments(text)
      return [...code.matchAll(READ)].flatMap((found) => {
        const table = (found[1] ?? found[2])!
        if (!Object.hasOwn(OWNERS, table) || ownersOf(table).includes(feature)) return []
        return [{ path, line: lineOf(code, found.index), feature, table }]
      })
    })
}

/** Every read of a foreign table is declared, and every declared one exists. */
export function readViolations(sources: Source[], declared = DECLARED): string[] {
  const reads = foreignReads(sources)
  const undeclared = reads.flatMap(({ path, line, feature, table }) => {
    const list = isAbove(feature, table) ? Object.keys(declared.above[feature] ?? {}) : (declared.below[feature] ?? [])
    const name = isAbove(feature, table) ? '`readsAbove`' : '`reads`'
    return list.includes(table)
      ? []
      : [`${path}:${line} reads ${table} of ${ownersOf(table)[0]}, which ${name} of ${feature} does not declare`]
  })
  const isRead = (feature: string, table: string) => reads.some((read) => read.feature === feature && read.table === table)
  const unread = [
    ...Object.entries(declared.below),
    ...Object.entries(declared.above).map(([feature, tables]) => [feature, Object.keys(tables)] as const),
  ].flatMap(([feature, tables]) =>
    tables.filter((table) => !isRead(feature, table)).map((table) => `${feature} declares ${table} and does not read it`),
  )
  return [...undeclared, ...unread]
}

const ownersOf = (table: string): string[] => OWNERS[table]!.map((owner) => owner.replace(/^(features|platform)\//, ''))

/** Tables that triggers maintain, and those of the platform, are below every feature. */
function isAbove(feature: string, table: string): boolean {
  const order = FEATURES.map(({ name }) => name)
  const owners = ownersOf(table).filter((owner) => order.includes(owner))
  return owners.length > 0 && owners.every((owner) => order.indexOf(owner) > order.indexOf(feature))
}
