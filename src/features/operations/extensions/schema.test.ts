import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFaults } from './schema.ts'

const texts = { title: 'Mine', text: 'Text', who: 'All' }
const screen = {
  path: '/x/mine/',
  title: 'title',
  script: new URL('file:///mine/screen.js'),
  style: new URL('file:///mine/screen.css'),
  scopes: ['PUBLIC_READ'],
}
const kind = { name: 'told', label: 'title', help: 'text', subject: 'title', text: 'text' }
const command = { name: 'list', summary: 'List them', run: async () => {} }
const form = {
  title: 'title',
  fields: [{ name: 'a', label: 'title', kind: 'text' }],
  read: async () => ({}),
  save: async () => {},
}
const CASES: [title: string, parts: object, fault: RegExp | undefined][] = [
  ['a screen', { screens: [screen] }, undefined],
  ['a screen at a page of Turnout', { screens: [{ ...screen, path: '/manage/' }] }, /page \/manage\/ is not below \/x\/mine\//],
  [
    'a screen at the page of its settings',
    { screens: [{ ...screen, path: '/x/mine/settings/' }] },
    /page \/x\/mine\/settings\/ is a page of Turnout/,
  ],
  ['a screen without a scope', { screens: [{ ...screen, scopes: [] }] }, /screens\.0\.scopes/],
  ['a screen with an unknown scope', { screens: [{ ...screen, scopes: ['ALL'] }] }, /screens\.0\.scopes\.0/],
  ['a screen without its title', { screens: [{ ...screen, title: 'other' }] }, /words\.en has no other/],
  ['a path instead of the address of a file', { screens: [{ ...screen, script: 'screen.js' }] }, /screens\.0\.script/],
  ['two screens', { screens: [screen, { ...screen, path: '/x/mine/b/' }] }, /screens/],
  ['a switch', { settings: [{ name: 'on', label: 'title', kind: 'switch' }] }, undefined],
  ['a section of the shift form', { adds: { shiftForm: form } }, undefined],
  [
    'a section of the shift form without its title',
    { adds: { shiftForm: { ...form, title: 'other' } } },
    /words\.en has no other/,
  ],
  [
    'a field of the shift form without its text',
    { adds: { shiftForm: { ...form, fields: [{ ...form.fields[0], help: 'other' }] } } },
    /words\.en has no other/,
  ],
  [
    'a field twice',
    { adds: { shiftForm: { ...form, fields: [...form.fields, ...form.fields] } } },
    /shift form: a is there twice/,
  ],
  ['a kind of notification', { notificationKinds: [kind] }, undefined],
  ...(['label', 'help', 'subject', 'text'] as const).map((part): [string, object, RegExp] => [
    `a kind of notification without its ${part}`,
    { notificationKinds: [{ ...kind, [part]: 'other' }] },
    /words\.en has no other/,
  ]),
  ['a kind of notification twice', { notificationKinds: [kind, kind] }, /notificationKinds: told is there twice/],
  [
    'a kind of notification with a page of Turnout',
    { notificationKinds: [{ ...kind, link: { path: '/manage/', label: 'title' } }] },
    /link \/manage\/ is not below \/x\/mine\//,
  ],
  [
    'a button without its text',
    { notificationKinds: [{ ...kind, link: { path: '/x/mine/', label: 'other' } }] },
    /words\.en has no other/,
  ],
  ['a command', { commands: [command] }, undefined],
  ['a command twice', { commands: [command, command] }, /commands: list is there twice/],
  ['a command with blanks', { commands: [{ ...command, name: 'list them' }] }, /commands\.0\.name/],
  [
    'an option with dashes',
    { commands: [{ ...command, options: { '--day': { type: 'string', help: 'Day' } } }] },
    /commands\.0\.options/,
  ],
  ['texts in another language', { translations: { pl: { title: { one: 'a', few: 'b', many: 'c', other: 'd' } } } }, undefined],
  ['texts in no language', { translations: { polish: {} } }, /translations/],
  [
    'a translated text that English has not',
    { translations: { pl: { other: 'x' } } },
    /translations\.pl: words\.en has no other/,
  ],
  ['a setting of an unknown kind', { settings: [{ name: 'on', label: 'title', kind: 'colour' }] }, /settings\.0\.kind/],
]

describe('the definition of an extension', () => {
  for (const [title, parts, fault] of CASES)
    test(`${title}: ${fault ? 'refused' : 'fits'}`, () => {
      const faults = findFaults({ name: 'mine', version: '1.0.0', turnout: '^1.2', words: { en: texts, de: texts }, ...parts })
      if (fault) assert.match(faults.join('\n'), fault)
      else assert.deepEqual(faults, [])
    })
})
