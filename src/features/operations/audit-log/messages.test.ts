import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import '#app'
import { isMessageKey } from '#platform/i18n/catalogue.ts'

const KIND = /'([a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*)'/g

/** Kinds of journal entries in a source: literals after `kind:`, and those that a function `entry` builds. */
export function kindsIn(source: string): string[] {
  const plain = [...source.matchAll(/\bkind:\s*([^,;\n]*(?:\n\s+[?:|][^,;\n]*)*)/g)].flatMap(([, value]) =>
    [...value!.matchAll(KIND)].map(([, kind]) => kind!),
  )
  const made = [...source.matchAll(/\bkind: `([a-z_]+)\.\$\{\w+\}`/g)].flatMap(([, room]) =>
    [...source.matchAll(/\bentry\('([a-z_]+)'/g)].map(([, what]) => `${room}.${what}`),
  )
  return [...plain, ...made]
}

const kinds = [
  ...new Set(
    globSync('src/**/*.ts')
      .filter((path) => !path.endsWith('.test.ts') && !path.includes('/i18n/') && /\/(commands|rules|jobs)[/.]/.test(path))
      .flatMap((path) => kindsIn(readFileSync(path, 'utf8'))),
  ),
].sort()

test('finds the kinds in a source', () => {
  assert.deepEqual(kindsIn(`{ kind: held ? 'user.a' : 'user.b', subject: 1 }`), ['user.a', 'user.b'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text as test data
  assert.deepEqual(kindsIn("kind: `group.${what}` as const … entry('made', 1)"), ['group.made'])
  assert.deepEqual(kindsIn(`kind: 'user'`), [])
  assert.ok(kinds.length > 40, String(kinds))
})

test('every cause of a change has a message in both languages', () => {
  const causes = new Set(
    globSync('src/features/**/*.ts')
      .filter((path) => /\/commands[/.]/.test(path) && !path.endsWith('.test.ts'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\bcause: ((?:'[a-z_]+'(?: \| )?)+)/g)].flatMap(([, literals]) =>
          [...literals!.matchAll(/'([a-z_]+)'/g)].map(([, cause]) => cause!),
        ),
      ),
  )
  assert.ok(causes.has('auto_fill') && causes.has('guest_deleted'), [...causes].join())
  assert.deepEqual(
    [...causes].filter((cause) => !isMessageKey(`log.cause_${cause}`)),
    [],
    'add them to words.en.ts and words.de.ts of this feature',
  )
})

test('every kind of journal entry has a message in both languages', () => {
  const missing = kinds.filter((kind) => !isMessageKey(`journal.${kind}`))
  assert.deepEqual(missing, [], 'add them to words.en.ts and words.de.ts of this feature')
})
