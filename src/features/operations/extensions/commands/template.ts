import { EXTENSION_INTERFACE_VERSION } from '#extension'

/** The files of a new extension, by their names. It has a page, a button, a table with personal data, a link on the home page and a test. */
export function newExtensionFiles(name: string): Record<string, string> {
  const [major, minor] = EXTENSION_INTERFACE_VERSION.split('.')
  const fill = (text: string) =>
    text
      .replaceAll('NAME', name)
      .replaceAll('RANGE', `^${major}.${minor}`)
      .replaceAll('EXPORT', 'export')
      .replaceAll('FROM', 'from')
      .trimStart()
  return Object.fromEntries(Object.entries(FILES).map(([file, text]) => [file, fill(text)]))
}

const FILES: Record<string, string> = {
  'package.json': `
{
  "name": "turnout-NAME",
  "version": "0.1.0",
  "type": "module",
  "exports": "./index.js",
  "files": ["*.js", "!*.test.js", "README.md"]
}
`,
  'index.js': `
// @ts-check
import { defineExtension, html, ui } from 'turnout/extension'
import { describeWaves } FROM './rules.js'
import { de, en } FROM './words.js'

EXPORT default defineExtension({
  name: 'NAME',
  version: '0.1.0',
  turnout: 'RANGE',
  words: { en, de },
  // Tables are in the schema x_NAME. A migration that was published is never changed: add another one.
  migrations: [
    {
      name: 'waves',
      sql: 'create table wave (person_id bigint not null references public.user_profile (id) on delete cascade, at timestamptz not null)',
    },
  ],
  // Turnout downloads, erases and merges by this list. Without it, a table that refers to people is refused.
  personalData: [{ table: 'wave', column: 'person_id', label: 'waves', whenErased: 'delete', whenMerged: 'move' }],
  pages: [
    {
      path: '/x/NAME/',
      access: 'signed-in',
      show: async ({ t, db, csrfToken, person }) => {
        const waves = await db.query('select at from x_NAME.wave where person_id = $1', [person.id])
        const wave = describeWaves(waves.length)
        const button = ui.postButton({ action: '/x/NAME/wave/', csrfToken, label: t('wave') })
        return {
          title: t('title'),
          main: html\`\${ui.pageHead({ title: t('title') })}\${ui.card({ body: t(wave.key, { count: wave.count, name: person.name }), footer: button })}\`,
        }
      },
    },
    {
      path: '/x/NAME/wave/',
      access: 'signed-in',
      submit: async ({ t, now, person, change }) => {
        await change((tx) => tx.query('insert into x_NAME.wave (person_id, at) values ($1, $2)', [person.id, now]))
        return { redirect: '/x/NAME/', say: { kind: 'good', text: t('waved') } }
      },
    },
  ],
  adds: { homeLink: async ({ t }) => ({ href: '/x/NAME/', label: t('title') }) },
})
`,
  'rules.js': `
/** Which text a person reads. @param {number} count */
EXPORT const describeWaves = (count) => ({ key: count === 0 ? 'hello' : 'waves_so_far', count })
`,
  'words.js': `
EXPORT const en = {
  title: 'NAME',
  text: 'Shows what an extension can do. Replace this text: administrators read it in the list of modules.',
  who: 'Everybody finds it on the home page.',
  hello: 'Hello {name}!',
  waves_so_far: { one: 'You have waved once, {name}.', other: 'You have waved {count} times, {name}.' },
  wave: 'Wave',
  waved: 'You have waved.',
  waves: 'Waves',
}

/** @type {typeof en} */
EXPORT const de = {
  title: 'NAME',
  text: 'Zeigt, was eine Erweiterung kann. Ersetze diesen Text: Administratoren lesen ihn in der Liste der Module.',
  who: 'Alle finden sie auf der Startseite.',
  hello: 'Hallo {name}!',
  waves_so_far: { one: 'Du hast einmal gewunken, {name}.', other: 'Du hast {count}-mal gewunken, {name}.' },
  wave: 'Winken',
  waved: 'Du hast gewunken.',
  waves: 'Winken',
}
`,
  'rules.test.js': `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWaves } FROM './rules.js'

test('somebody who has not waved yet is greeted', () => assert.equal(describeWaves(0).key, 'hello'))
test('waves are counted', () => assert.deepEqual(describeWaves(3), { key: 'waves_so_far', count: 3 }))
`,
  'README.md': `
# NAME

An extension of Turnout.

    npx turnout extension test .

checks it and runs its tests. To use it, set \`EXTENSIONS\` to this folder, start Turnout, and switch it on at *Manage → Modules*.
`,
}
