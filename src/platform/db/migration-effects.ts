/**
 * What a migration does to tables that are in use. It recognises the statements that migrations of this project contain; one that it
 * does not know is an effect of its own (`unknown`), so that nothing passes unnoticed.
 */
export type EffectKind =
  /** The version before uses what the statement removes or renames. */
  | 'removes'
  /** The version before does not fill the column, or may store what the constraint forbids. */
  | 'demands'
  /** Writes all rows again, while nobody can read or write the table. */
  | 'rewrites'
  /** Reads all rows, while nobody can write the table. */
  | 'scans'
  /** Builds an index, while nobody can write the table. */
  | 'indexes'
  /** Changes rows, which stay locked until the end of the migration. */
  | 'changes_rows'
  /** Builds an index while others read and write. */
  | 'indexes_concurrently'
  /** Takes a lock for a moment. */
  | 'locks'
  | 'creates'
  | 'unknown'

export type Effect = { kind: EffectKind; table: string | undefined; statement: string }

/** Effects that are safe while nodes of two versions serve requests. */
const SAFE: readonly EffectKind[] = ['creates', 'locks', 'indexes_concurrently']

export const isSafe = ({ kind }: Effect): boolean => SAFE.includes(kind)

/** Splits at semicolons outside of quotes and comments. Comments are left out. */
export function splitStatements(sql: string): string[] {
  const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^-/'"$;]+|[\s\S]/g
  const statements: string[] = []
  let current = ''
  for (const [part] of sql.matchAll(token)) {
    if (part.startsWith('--') || part.startsWith('/*')) current += ' '
    else if (part === ';') {
      statements.push(current.trim())
      current = ''
    } else current += part
  }
  return [...statements, current.trim()].filter(Boolean)
}

const NAME = String.raw`(?:if (?:not )?exists )?(?:only )?(?:public\.)?"?(\w+)"?`

/** What the statements do, apart from tables that the migration itself creates. */
export function effectsOf(sql: string): Effect[] {
  const created = new Set<string>()
  const effects: Effect[] = []
  for (const statement of splitStatements(sql)) {
    const flat = statement.replace(/\s+/g, ' ').toLowerCase()
    const table = flat.match(new RegExp(`^create (?:unlogged )?table ${NAME}`))?.[1]
    if (table) created.add(table)
    for (const effect of readStatement(flat))
      if (!effect.table || effect.kind === 'creates' || !created.has(effect.table)) effects.push(effect)
  }
  return effects
}

function readStatement(flat: string): Effect[] {
  const effect = (kind: EffectKind, table?: string): Effect => ({ kind, table, statement: flat.slice(0, 120) })
  const match = (pattern: string) => flat.match(new RegExp(`^${pattern}`))
  const created = match(`create (?:unlogged )?table ${NAME}`)
  if (created) return [effect('creates', created[1])]
  if (match(String.raw`create (or replace )?(function|procedure|schema|view|type|sequence|domain|aggregate|extension)\b`))
    return [effect('creates')]
  // Settings of a function: the next call has them.
  if (match(String.raw`alter function ${NAME}\([^)]*\) set `)) return [effect('creates')]
  if (match(String.raw`(comment on|grant|revoke|select|set|reset|analyze)\b`)) return [effect('creates')]
  const index = match(`create (?:unique )?index (concurrently )?(?:${NAME} )?on ${NAME}`)
  if (index) return [effect(index[1] ? 'indexes_concurrently' : 'indexes', index[3])]
  const trigger = match(String.raw`create (?:or replace )?(?:constraint )?trigger \w+ .*? on ${NAME}`)
  if (trigger) return [effect('locks', trigger[1])]
  const droppedTrigger = match(String.raw`drop trigger (?:if exists )?\w+ on ${NAME}`)
  if (droppedTrigger) return [effect('locks', droppedTrigger[1])]
  if (match(String.raw`drop index concurrently\b`)) return [effect('indexes_concurrently')]
  if (match(String.raw`insert into\b`)) return [effect('creates')]
  const changed = match(`(?:update|delete from) ${NAME}`)
  if (changed) return [effect('changes_rows', changed[1])]
  const removed = match(`(?:drop|truncate) (?:table |view |function |type |sequence |index |materialized view )?${NAME}`)
  if (removed) return [effect('removes', removed[1])]
  const altered = match(`alter table ${NAME} (.*)$`)
  if (altered) return splitActions(altered[2]!).map((action) => effect(readAction(action), altered[1]))
  return [effect('unknown')]
}

/** Splits the actions of `alter table` at commas outside of parentheses. */
function splitActions(text: string): string[] {
  const actions = ['']
  let depth = 0
  for (const letter of text) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions.map((action) => action.trim())
}

/** Evaluated once for all rows, so that no row is written. */
const CONSTANT_DEFAULT = /\bdefault (?!.*\b(gen_random_uuid|random|clock_timestamp|nextval|timeofday)\b)/

function readAction(action: string): EffectKind {
  if (/^(drop column|drop (?!constraint|default|not null)|rename)/.test(action)) return 'removes'
  if (/^drop constraint/.test(action)) return 'locks'
  if (/^add constraint/.test(action)) {
    if (/not valid$|using index/.test(action)) return 'locks'
    return /(unique|primary key|exclude)/.test(action) ? 'indexes' : 'scans'
  }
  if (/^add (check|foreign key)/.test(action)) return /not valid$/.test(action) ? 'locks' : 'scans'
  if (/^add (unique|primary key|exclude)/.test(action)) return 'indexes'
  if (/^validate constraint/.test(action)) return 'locks'
  if (/^add /.test(action)) return readColumn(action)
  if (/^alter (column )?\w+ (set data )?type/.test(action)) return 'rewrites'
  if (/^alter (column )?\w+ set not null/.test(action)) return 'demands'
  if (/^alter (column )?\w+ (set default|drop default|drop not null|set statistics|set storage)/.test(action)) return 'locks'
  if (/^set \((fillfactor|autovacuum|toast)/.test(action)) return 'locks'
  return 'unknown'
}

function readColumn(action: string): EffectKind {
  if (/generated (always|by default) as|serial\b/.test(action)) return 'rewrites'
  const hasDefault = /\bdefault /.test(action)
  if (hasDefault && !CONSTANT_DEFAULT.test(action)) return 'rewrites'
  if (/\bnot null\b/.test(action) && !hasDefault) return 'demands'
  if (/\b(unique|primary key)\b/.test(action)) return 'indexes'
  if (/\bcheck \(/.test(action)) return 'scans'
  return 'locks'
}
