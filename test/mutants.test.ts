import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCodeMutants, writeWithMutants } from '../scripts/mutation/code-mutants.ts'
import { findMutants } from '../scripts/mutation/mutants.ts'
import { findSqlEdits } from '../scripts/mutation/sql-mutants.ts'

const changesOf = (source: string): string[] =>
  findMutants(source).map(({ start, end, to }) => source.slice(0, start) + to + source.slice(end))

const CASES: [what: string, source: string, expected: string[]][] = [
  ['comparisons', 'x = a === b', ['x = a !== b']],
  ['limits, both ways', 'x = a < b', ['x = a <= b', 'x = a >= b']],
  ['conditions', 'if (f(a)) g()', ['if (true) g()', 'if (false) g()']],
  ['numbers and signs', 'x = a - 1', ['x = a + 1', 'x = a - (1 + 1)']],
  ['no sign of a number', 'x = [-a]', []],
  ['strings', "x = 'abc'", ["x = ''"]],
  ['negations', 'x = !a', ['x = a']],
  ['methods', 'x = a.some(b)', ['x = a.every(b)']],
  [
    'expressions in templates, not their text',
    `x = \`a < \${b && \`!\${c}\`} === 1\``,
    [`x = \`a < \${b || \`!\${c}\`} === 1\``],
  ],
  ['no regular expressions', 'x = /a < b && "c"/.test(d)', []],
  ['no comments', '// a && b\n/* a < b */', []],
  ['no imports', "import { a } from './a.ts'", []],
  ['no types', "type A = 'b' | true\nconst x: Map<string, 'c'> = y as 'd'", []],
  ['no keys', 'x = { true: a, 1: b }', []],
]
for (const [what, source, expected] of CASES) {
  test(`mutants change ${what}`, () => assert.deepEqual(changesOf(source), expected))
}

const sqlChangesOf = (text: string): string[] =>
  findSqlEdits(text).map(({ start, end, to }) => (text.slice(0, start) + to + text.slice(end)).replace(/ +/g, ' ').trim())

const SQL_CASES: [what: string, text: string, expected: string[]][] = [
  [
    'one condition after another',
    'select from a where x and y is null',
    ['select from a where true and y is null', 'select from a where x and true', 'select from a where x and y is not null'],
  ],
  ['the only condition', 'delete from a where x', ['delete from a where true']],
  ['alternatives', '(x or y)', ['(false or y)', '(x or false)']],
  ['conditions that bind stronger', 'x or y and z', ['false or y and z', 'x or true and z', 'x or y and true']],
  ['both sides of a limit', 'a < 1', ['a <= 1', 'a > 1']],
  ['limits that include', 'a >= 1', ['a > 1']],
  ['equality', 'a = 1', ['a <> 1']],
  ['no range taken apart', '(a between 1 and 2)', []],
  ['no operators of other types', `a ->> 'b' is not null`, [`a ->> 'b' is null`]],
  ['no literals', `a in ('b and c < d')`, []],
  ['locks', 'select a for update of b skip locked', ['select a', 'select a for update of b']],
  ['advisory locks', `select pg_advisory_xact_lock(hashtext('a'), 1)`, ['select null']],
  ['on conflict', 'insert into a on conflict (b) do nothing returning c', ['insert into a returning c']],
  ['assignments', 'update a set b = 1, c = f(2, 3)', ['update a set c = f(2, 3)', 'update a set b = 1']],
  ['distinct', 'select count(distinct a)', ['select count( a)']],
  ['order', 'order by a desc', ['order by a asc']],
  ['existence', 'not exists (select)', ['exists (select)']],
  ['limits of rows', '(select a limit 1)', ['(select a )']],
]
for (const [what, text, expected] of SQL_CASES) {
  test(`SQL mutants change ${what}`, () => assert.deepEqual(sqlChangesOf(text), expected))
}

const codeChangesOf = (source: string): string[] =>
  findCodeMutants(source).map(({ start, end, to }) => source.slice(0, start) + to + source.slice(end))

const CODE_CASES: [what: string, source: string, expected: string[]][] = [
  ['conditions of queries', `db.where('a', '<', b)`, ['db', `db.where('a', '<=', b)`, `db.where('a', '>', b)`]],
  ['locks of queries', 'tx.forUpdate().execute()', ['tx.execute()']],
  ['order of queries', `db.orderBy('a').execute()`, [`db.orderBy('a', 'desc').execute()`]],
  ['columns that are written', 'db.set({ a, b: c })', ['db.set({ b: c })', 'db.set({ a })']],
  ['statements in functions', 'function f() { g() }', ['function f() {  }']],
  ['guards', 'if (a) throw b', ['if (true) throw b', 'if (false) throw b']],
  ['SQL in templates', `x = sql\`a = \${b}\``, [`x = sql\`a <> \${b}\``]],
  ['SQL without a tag', `x = 'select a from b where c'`, [`x = 'select a from b where true'`]],
  ['names of permissions', `f(a, 'view')`, [`f(a, '')`]],
  ['no names of columns', `db.select(['a', 'b']).selectFrom('c')`, []],
  ['no descriptions', `x = { summary: 'a' }`, []],
]
for (const [what, source, expected] of CODE_CASES) {
  test(`code mutants change ${what}`, () => assert.deepEqual(codeChangesOf(source), expected))
}

/** The result of a function body with one of its mutants active, or none. */
function runWith(body: string, active: number | undefined): unknown {
  const source = `function f(a: number, b: number) {\n${body}\n}`
  const text = writeWithMutants('f.ts', source, findCodeMutants(source))
  const mutation = { of: (file: string) => (index: number) => file === 'f.ts' && index === active }
  const run = new Function('globalThis', `${text}\nreturn f(1, 2)`)
  return run({ mutation })
}

test('a file with all mutants does what the file does, or what one mutant does', () => {
  const body = 'const list: number[] = []\nlist.push(a)\na < b && list.push(b ?? 0)\nreturn list'
  const count = findCodeMutants(`function f(a: number, b: number) {\n${body}\n}`).length
  assert.deepEqual(runWith(body, undefined), [1, 2])
  assert.deepEqual(
    Array.from({ length: count }, (_, index) => runWith(body, index)),
    [[2], [1, 2], [1], [1], [1, 0], [1, 2]],
  )
})

test('a part of an optional chain is changed with the whole chain', () => {
  assert.equal(runWith('const none: string[] | undefined = undefined\nreturn none?.filter(Boolean).some(Boolean)', 0), undefined)
})
