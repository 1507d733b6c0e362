import { FEATURES } from '../../src/features.ts'
import { folderOf, isTest, lineOf, type Source, withoutComments } from './source.ts'

const TRIGGERS_ONLY = 'triggers and migrations'

/** Tables that belong to no feature. */
const OTHER_OWNERS: Record<string, string> = {
  qualification_closure: TRIGGERS_ONLY,
  permission: TRIGGERS_ONLY,
  audience: TRIGGERS_ONLY,
  participation_count: TRIGGERS_ONLY,
  participation_count_pending: TRIGGERS_ONLY,
  event_participation_count: TRIGGERS_ONLY,
  catalogue_version: TRIGGERS_ONLY,
  cache_mark: 'platform/db',
  stored_file: 'platform/files',
  idempotency_key: 'platform/http',
  rate_count: 'platform/http',
  journal: 'platform/journal',
}

/** Each table with its owner. */
export const OWNED: [table: string, owner: string][] = [
  ...Object.entries(OTHER_OWNERS),
  ...FEATURES.flatMap(({ name, tables = [] }) => tables.map((table): [string, string] => [table, `features/${name}`])),
]

/** The folders that may write a table; the first one owns it. */
export const OWNERS: Record<string, readonly string[]> = Object.fromEntries(
  OWNED.map(([table, owner]) => [
    table,
    [owner, ...FEATURES.filter(({ writes = [] }) => writes.some((each) => each === table)).map(({ name }) => `features/${name}`)],
  ]),
)

const WRITES =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)|\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?(\w+)/gi
/** Sample data is written past the commands. Merging accounts changes every table that refers to people, in one transaction. */
const MAY_WRITE_ALL =
  /^(demo\/|features\/\w[\w-]*\/[\w-]+\/sample\.ts$|features\/operations\/(?:import-ephios|backup)\/|features\/operations\/privacy\/commands\/merge-steps\.ts)/
const IS_PROSE = /(^|\/)words\.\w+\.ts$/

/** Writes to tables by other folders than the declared ones. */
export function writeViolations(sources: Source[], owners: Record<string, readonly string[]>): string[] {
  return sources
    .filter((source) => !isTest(source) && !MAY_WRITE_ALL.test(source.path) && !IS_PROSE.test(source.path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(WRITES)].flatMap((found) => {
        const table = (found[1] ?? found[2])!
        const owner = owners[table]
        if (owner === undefined || owner.includes(folderOf(path))) return []
        return [`${path}:${lineOf(code, found.index)} writes ${table}, which belongs to ${owner.join(' and ')}`]
      })
    })
}

/** Tables that a source writes. */
export const writesIn = (text: string): string[] =>
  [...withoutComments(text).matchAll(WRITES)]
    .map((found) => (found[1] ?? found[2])!)
    .filter((table) => Object.hasOwn(OWNERS, table))

/** Tables that the migrations create, without those that they drop again. */
export function tablesIn(migrations: string[]): string[] {
  const tables = new Set<string>()
  for (const sql of migrations)
    for (const [, made, gone] of sql.matchAll(
      /^\s*create (?:unlogged )?table (?:if not exists )?(\w+)|^\s*drop table (?:if exists )?(\w+)/gim,
    )) {
      if (made) tables.add(made)
      else tables.delete(gone!)
    }
  return [...tables]
}
