import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ASSETS = join(import.meta.dirname, '../../../assets')

/** Properties and values that mean the same side in every language. What follows the direction of reading is written by start and end. */
const PHYSICAL = [
  /(?:^|[;{]\s*|\n\s*)(?:margin|padding|border)-(?:left|right)(?:-\w+)?\s*:/,
  /(?:^|[;{]\s*|\n\s*)(?:left|right)\s*:/,
  /(?:^|[;{]\s*|\n\s*)border-(?:top|bottom)-(?:left|right)-radius\s*:/,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
]
/** Four values, of which the second and the fourth differ. */
const SHORTHAND = /(?:margin|padding|inset)\s*:\s*([^;}]+)/g

function findPhysical(css: string): string[] {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const uneven = [...plain.matchAll(SHORTHAND)].flatMap(([text, values]) => {
    const parts = values!.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? []
    return parts.length === 4 && parts[1] !== parts[3] ? [text] : []
  })
  return [...PHYSICAL.flatMap((pattern) => pattern.exec(plain)?.[0].trim() ?? []), ...uneven]
}

for (const [css, found] of [
  ['a { margin-left: 1px }', 1],
  ['a { border-right-style: dashed; }', 1],
  ['a {\n  left: 0;\n}', 1],
  ['a { border-top-left-radius: 0 }', 1],
  ['a { text-align: right }', 1],
  ['a { padding: 1px 2px 3px 4px }', 1],
  ['a { padding: 1px calc(2px + (3px * 2)) 3px calc(2px + (3px * 2)) }', 0],
  ['a { margin-inline-start: 1px; inset-inline-end: 0; text-align: start; /* left: 0; */ }', 0],
] as const)
  test(`${css.replaceAll('\n', ' ')}: ${found ? 'found' : 'fits both directions'}`, () =>
    assert.equal(findPhysical(css).length, found))

test('styles follow the direction of reading', () => {
  const found = globSync('*.css', { cwd: ASSETS }).flatMap((file) =>
    findPhysical(readFileSync(join(ASSETS, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})
