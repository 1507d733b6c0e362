import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makePool } from '#platform/db/pool.ts'
import { freshDatabase } from '#test/support/database.ts'
import { findCallSites } from './call-sites.ts'
import { checkReads, type ReadsReport } from './check.ts'
import { LISTED_TYPES, valueTypeOf } from './value-types.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

type Sample = {
  what: string
  /** The template; the file has `db` and `sql`. */
  code: string
  comment?: string
  isExecuted?: boolean
  mistakes: RegExp[]
}

const EVENT = '{ id: number; title: string; description: string | null }'

const SAMPLES: Sample[] = [
  { what: 'a row type that agrees', code: `sql<${EVENT}>\`select id, title, description from event\``, mistakes: [] },
  {
    what: 'a renamed column',
    code: `sql<${EVENT}>\`select id, title as name, description from event\``,
    mistakes: [
      /the result has the column "name", which the row type does not have/,
      /lacks a property of the row type: "title"$/,
    ],
  },
  {
    what: 'a column of another type',
    code: 'sql<{ id: string }>`select id from event`',
    mistakes: [/column "id" has another type .*'string'.*'number'/],
  },
  {
    what: 'text where a date is declared',
    code: 'sql<{ at: Date }>`select created_at::text as at from event`',
    mistakes: [/column "at" has another type .*'Date'.*'string'/],
  },
  {
    what: 'a property that is not selected',
    code: `sql<${EVENT}>\`select id, title from event\``,
    mistakes: [/lacks a property of the row type: "description"$/],
  },
  {
    what: 'two properties that are not selected',
    code: `sql<${EVENT}>\`select id from event\``,
    mistakes: [/lacks a property of the row type: "description" \| "title"$/],
  },
  {
    what: 'a column that is not declared',
    code: 'sql<{ id: number }>`select id, title from event`',
    mistakes: [/the result has the column "title"/],
  },
  {
    what: 'a nullable column that is declared as not null',
    code: 'sql<{ description: string }>`select description from event`',
    mistakes: [/column "description" can be null \(by its origin\)/],
  },
  {
    what: 'a column from the nullable side of a left join',
    code: `sql<{ id: number; email: string }>\`
      select e.id, u.email from event e left join user_profile u on u.id = e.created_by_id\``,
    mistakes: [/column "email" can be null \(by its origin\)/],
  },
  {
    what: 'a column from the nullable side of a right join',
    code: `sql<{ id: number; email: string }>\`
      select e.id, u.email from event e right join user_profile u on u.id = e.created_by_id\``,
    mistakes: [/column "id" can be null \(by its origin\)/],
  },
  {
    what: 'a left join whose condition excludes null',
    code: `sql<{ email: string }>\`
      select u.email from event e left join user_profile u on u.id = e.created_by_id where u.is_active\``,
    mistakes: [],
  },
  {
    what: 'an expression for which a test received null',
    code: `sql<{ name: string }>\`select nullif('a', 'a') as name\``,
    mistakes: [/column "name" can be null \(a test received null\)/],
  },
  {
    what: 'elements of another type',
    code: 'sql<{ ids: string[] }>`select array[1, 2]::bigint[] as ids`',
    mistakes: [/column "ids" has another type/],
  },
  {
    what: 'narrower types than those of the database',
    code: `sql<{ kind: 'a' | 'b'; state: 0 | 1; ids: number[]; data: { any: string } }>\`
      select 'a' as kind, 0 as state, '{}'::int[] as ids, '{}'::jsonb as data\``,
    mistakes: [],
  },
  {
    what: 'an optional property that is not selected',
    code: 'sql<{ id: number; help?: string }>`select id from event`',
    mistakes: [],
  },
  {
    what: 'a declared type from the scope of the function, over several lines',
    code: `sql<
      Local & {
        count: number
      }
    >\`select id, 1 as other from event\``,
    mistakes: [/the result has the column "other"/, /lacks a property of the row type: "count"$/],
  },
  {
    what: 'a statement with a fragment',
    code: `sql<{ id: number; name: string }>\`select id, \${columns} from event\``,
    mistakes: [/the result has the column "title"/, /lacks a property of the row type: "name"$/],
  },
  {
    what: 'a nullable column with the reason why it is never null',
    comment: '// never null: description (the condition says so)',
    code: 'sql<{ description: string }>`select description from event where description is not null`',
    mistakes: [],
  },
  {
    what: 'a read that no test executes',
    code: 'sql<{ id: string }>`select id from event`',
    isExecuted: false,
    mistakes: [/no test executes this read/],
  },
  {
    what: 'a read that no test executes, with a reason',
    comment: '// unchecked read: needs another program',
    code: 'sql<{ id: string }>`select id from event`',
    isExecuted: false,
    mistakes: [],
  },
]

const HEADER = `import { type Kysely, sql } from 'kysely'
const columns = sql<string>\`title\`
`

/** A project with the samples as its only source. Returns the first line of each sample, too. */
function writeProject(root: string): number[] {
  let text = HEADER
  const lines: number[] = []
  for (const [index, { code, comment = '' }] of SAMPLES.entries()) {
    text += `export async function read${index}(db: Kysely<never>) {\n  type Local = { id: number }\n  const unused: Local[] = []\n`
    text += `${comment}\n`
    lines.push(text.split('\n').length)
    text += `  return [unused, await ${code}.execute(db)]\n}\n`
  }
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/samples.ts'), text)
  cpSync(join(PROJECT, 'tsconfig.json'), join(root, 'tsconfig.json'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }))
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  const executed = SAMPLES.flatMap(({ isExecuted = true }, index) => (isExecuted ? [`read${index}`] : []))
  writeFileSync(
    join(root, 'run.ts'),
    `import { Kysely, PostgresDialect } from 'kysely'
    import pg from 'pg'
    import * as samples from './src/samples.ts'
    const pool = new pg.Pool({ connectionString: process.env.TURNOUT_TEST_SERVER })
    const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
    for (const name of ${JSON.stringify(executed)} as (keyof typeof samples)[]) await samples[name](db)
    await db.destroy()`,
  )
  return lines
}

describe('the check of row types', async () => {
  const database = await freshDatabase()
  const root = mkdtempSync(join(tmpdir(), 'reads-test-'))
  after(async () => {
    rmSync(root, { recursive: true })
    await database.drop()
  })
  const lines = writeProject(root)
  let report: ReadsReport
  before(async () => {
    const recordings = join(root, 'recordings')
    mkdirSync(recordings)
    const env = { ...process.env, TURNOUT_TEST_SERVER: database.url, TURNOUT_RECORDED_READS: recordings }
    const recorder = join(PROJECT, 'test/reads/recorder.ts')
    const { status, stderr } = spawnSync(process.execPath, ['--import', recorder, 'run.ts'], { cwd: root, env, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    report = await checkReads({ root, recordings, databaseUrl: database.url, isComplete: true })
  })

  for (const [index, { what, mistakes }] of SAMPLES.entries()) {
    test(`${mistakes.length ? 'reports' : 'accepts'} ${what}`, () => {
      const found = report.mistakes.filter((mistake) => mistake.startsWith(`src/samples.ts:${lines[index]}: `))
      assert.equal(found.length, mistakes.length, found.join('\n'))
      for (const expected of mistakes)
        assert.ok(
          found.some((mistake) => expected.test(mistake)),
          `${expected}: ${found}`,
        )
    })
  }

  test('reports nothing else', () => {
    assert.equal(report.mistakes.length, SAMPLES.flatMap(({ mistakes }) => mistakes).length)
  })
})

test('call sites in comments and templates without a row type are not found', () => {
  const text = '// sql<A>`x`\n/* sql<B>`x` */\nsql`x`\nmy.sql<C>`x`\nconst d = sql<D>`x`\n'
  assert.deepEqual(
    findCallSites('a.ts', text).map(({ rowType, templateLine, templateColumn }) => [rowType, templateLine, templateColumn]),
    [['D', 5, 17]],
  )
})

const IS_OF_TYPE: Record<string, (value: unknown) => boolean> = {
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  Date: (value) => value instanceof Date,
  Buffer: (value) => Buffer.isBuffer(value),
  object: (value) => typeof value === 'object',
  unknown: (value) => typeof value === 'object',
}

const EXAMPLES: Record<string, string> = {
  bool: 'true',
  bytea: '\\x00',
  json: '{}',
  jsonb: '{}',
  uuid: '00000000-0000-0000-0000-000000000000',
  interval: '1 day',
  timestamp: '2030-01-01',
  timestamptz: '2030-01-01',
  date: '2030-01-01',
}

test('the listed types of values are those that the driver returns', async () => {
  const database = await freshDatabase()
  const pool = makePool({ url: database.url, max: 1, onError: () => {} })
  try {
    const { rows: types } = await pool.query<{ oid: number; name: string; element: string | null }>(
      `select t.oid, t.typname::text as name, e.typname::text as element
       from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A' where t.oid = any ($1::oid[])`,
      [[...LISTED_TYPES, 25, 1082, 1700, 2950, 19]],
    )
    assert.equal(types.length, LISTED_TYPES.length + 5)
    for (const { oid, name, element } of types) {
      const expected = valueTypeOf(oid)
      const example = EXAMPLES[element ?? name] ?? '1'
      const literal = element ? `array['${example.replaceAll("'", "''")}']::${element}[]` : `'${example}'::${name}`
      const { rows } = await pool.query(`select ${literal} as value`)
      const value: unknown = element ? rows[0].value[0] : rows[0].value
      assert.equal(Array.isArray(rows[0].value), element !== null, name)
      const scalar = /^readonly \((\w+) \| null\)\[\]$/.exec(expected)?.[1] ?? expected
      assert.ok(IS_OF_TYPE[scalar]?.(value), `${name} is declared as ${expected}`)
    }
  } finally {
    await pool.end()
    await database.drop()
  }
})
