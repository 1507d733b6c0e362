import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { extensionPoint } from './extension-points.ts'
import {
  collectModuleAdditions,
  dependentsOf,
  findModulesOn,
  isOn,
  type Module,
  makeModuleState,
  modulesOf,
  presetOf,
  withNeeded,
} from './modules.ts'

const section = extensionPoint<string>('page.section')
const step = extensionPoint<string>('erasure.step', { isAlwaysOn: true })

const module = (name: Module['name'], more: Partial<Module> = {}): Module => ({
  name,
  icon: 'puzzle',
  presets: [],
  countUses: () => sql`select 1`,
  ...more,
})
const base = { adds: [section.add('base')] }
const files = { module: module('files', { presets: ['club'] }), adds: [section.add('files'), step.add('files')] }
const line = { module: module('waiting_list', { presets: ['club', 'other'] }), adds: [section.add('line')] }
const swaps = { module: module('exchanges', { presets: ['brigade'], needs: ['waiting_list'] }), adds: [section.add('swaps')] }
const keys = { module: module('integrations'), adds: [section.add('keys')] }
const hooks = {
  module: { partOf: 'integrations' as const, countUses: () => sql<number>`select 2` },
  adds: [section.add('hooks')],
}
const FEATURES = [base, files, line, swaps, keys, hooks]
const MODULES = modulesOf(FEATURES)

describe('what features add', () => {
  const CASES: [what: string, on: string[] | undefined, shown: string[]][] = [
    ['nobody has chosen', undefined, ['base', 'files', 'line', 'swaps', 'keys', 'hooks']],
    ['all modules are off', [], ['base']],
    ['one is on', ['files'], ['base', 'files']],
    ['a module is on that needs another one', ['exchanges'], ['base', 'line', 'swaps']],
    ['a module of two features is on', ['integrations'], ['base', 'keys', 'hooks']],
    ['the name of a former version is stored', ['no_such'], ['base']],
  ]
  for (const [what, on, shown] of CASES)
    test(`if ${what}: ${shown.join(', ')}`, () => {
      const added = collectModuleAdditions(FEATURES, on)
      assert.deepEqual(added(section), shown)
      assert.deepEqual(added(step), ['files'], 'work on stored data is always done')
    })

  test('says which modules are on', () => {
    const added = collectModuleAdditions(FEATURES, ['files'])
    assert.deepEqual([isOn({ added }, 'files'), isOn({ added }, 'exchanges')], [true, false])
    assert.deepEqual(
      findModulesOn({ added }).map(({ name }) => name),
      ['files'],
    )
  })
})

describe('modules that need others', () => {
  test('are switched on with them', () =>
    assert.deepEqual([...withNeeded(MODULES, ['exchanges'])], ['exchanges', 'waiting_list']))
  test('are switched off with them', () => assert.deepEqual(dependentsOf(MODULES, 'waiting_list'), ['exchanges']))
  test('do not take others with them', () => assert.deepEqual(dependentsOf(MODULES, 'exchanges'), []))
  test('come with a preset', () => assert.deepEqual([...presetOf(MODULES, 'brigade')], ['exchanges', 'waiting_list']))
  test('leave other presets alone', () => assert.deepEqual([...presetOf(MODULES, 'other')], ['waiting_list']))
})

describe('the state of a process', () => {
  test('follows the setting at each refresh, and not before', async () => {
    let stored: Record<string, unknown> = {}
    const state = makeModuleState(FEATURES, { read: async () => stored, expression: sql`'{}'::jsonb` })
    assert.equal(state.isOn('files'), true)
    stored = { modules: ['waiting_list', 7] }
    assert.equal(state.isOn('files'), true)
    await state.refresh()
    assert.deepEqual([state.isOn('files'), state.isOn('waiting_list')], [false, true])
    assert.deepEqual(state.added(section), ['base', 'line'])
    state.set({ modules: ['files'] })
    assert.deepEqual(state.added(section), ['base', 'files'])
  })

  test('has all modules on if the setting is unreadable', () => {
    const state = makeModuleState(FEATURES, { read: async () => ({}), expression: sql`'{}'::jsonb` })
    state.set({ modules: 'files' })
    assert.equal(state.isOn('exchanges'), true)
  })
})
