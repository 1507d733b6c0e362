import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMutants } from '../scripts/mutation/mutants.ts'

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
