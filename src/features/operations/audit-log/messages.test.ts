import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import '#app'
import { isMessageKey } from '#platform/i18n/catalogue.ts'

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
