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
