import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  beginWithFewModules,
  changeLogo,
  changeModules,
  changeRegion,
  changeSettings,
  dismissFirstSteps,
  removeLogo,
  stopModule,
} from './commands.ts'
import { followRegion, getLogo, getStoredRegion, readBranding } from './queries.ts'

const EARLIER = new Date('2030-01-01T00:00:00Z')

describe('commands of the settings', async () => {
  const world = await openWorld()
  const { write } = world.db
  const asOlga = (): CommandContext => contextAs(world, OLGA)
  beforeEach(async () => {
    await write.deleteFrom('setting').execute()
    await write.deleteFrom('journal').execute()
  })
  const store = (name: string, value: unknown) =>
    write
      .insertInto('setting')
      .values({ name, value: JSON.stringify(value), changed_at: EARLIER })
      .execute()
  const settings = async () => {
    const rows = await write.selectFrom('setting').select(['name', 'value', 'changed_at']).orderBy('name').execute()
    return rows.map(({ name, value, changed_at }) => [name, value, changed_at.getTime() === EARLIER.getTime() ? 'before' : 'now'])
  }
  const changes = async () =>
    (await write.selectFrom('journal').select(['kind', 'actor_id', 'changes']).orderBy('id').execute()).map(
      ({ kind, actor_id, changes: each }) => [kind, actor_id, each],
    )

  const GUARDED: Record<string, (context: CommandContext) => Promise<unknown>> = {
    changeRegion: (context) => changeRegion(context, { time_zone: 'UTC', default_language: 'en', languages: ['en'] }),
    changeSettings: (context) => changeSettings(context, { defaults: { a: 1 } }, { a: 2 }),
    changeLogo: (context) => changeLogo(context, { type: 'image/png', content: Buffer.from('png') }),
    removeLogo,
    dismissFirstSteps,
    changeModules: (context) => changeModules(context, ['a'], () => []),
  }
  for (const [name, run] of Object.entries(GUARDED))
    test(`${name} is for administrators only`, async () => {
      await assert.rejects(run(contextAs(world, ANN)), (error) => error instanceof Problem && error.code === 'permission_denied')
      assert.deepEqual([await settings(), await changes()], [[], []])
    })

  test('settings that changed are written and recorded, the others stay as they are', async () => {
    const form = { defaults: { a: 1, b: 'x', c: false } }
    await store('a', 7)
    await store('c', true)
    assert.equal(await changeSettings(asOlga(), form, { a: 7, b: 'x', c: true }), false)
    assert.deepEqual(await changes(), [])
    assert.equal(await changeSettings(asOlga(), form, { a: 7, b: 'y', c: false }), true)
    assert.deepEqual(await settings(), [
      ['a', 7, 'before'],
      ['b', 'y', 'now'],
      ['c', false, 'now'],
    ])
    assert.deepEqual(await changes(), [['instance.changed', OLGA.id, { b: ['x', 'y'], c: [true, false] }]])
  })

  test('languages are kept in the order of the list, with the default one', async () => {
    const region = { time_zone: 'UTC', default_language: 'fr' as const, languages: ['nl' as const, 'de' as const] }
    assert.equal(await changeRegion(asOlga(), region), true)
    assert.deepEqual(await getStoredRegion(write), { timeZone: 'UTC', language: 'fr', languages: ['de', 'fr', 'nl'] })
    assert.deepEqual(await changes(), [
      [
        'instance.changed',
        OLGA.id,
        { time_zone: [null, 'UTC'], default_language: [null, 'fr'], languages: ['en de', 'de fr nl'] },
      ],
    ])
    assert.equal(await changeRegion(asOlga(), region), false)
    assert.equal(await changeRegion(asOlga(), { ...region, languages: [] }), true)
    assert.deepEqual((await getStoredRegion(write)).languages, ['fr'])
  })

  const REGIONS: [what: string, values: Record<string, unknown>, expected: object][] = [
    ['nothing', {}, { timeZone: undefined, language: undefined, languages: undefined }],
    [
      'unknown names',
      { time_zone: 'Mars/Base', default_language: 'xx', languages: 'xx de' },
      { timeZone: undefined, language: undefined, languages: ['de'] },
    ],
    [
      'no texts',
      { time_zone: 1, default_language: 2, languages: ['de'] },
      { timeZone: undefined, language: undefined, languages: undefined },
    ],
  ]
  for (const [what, values, expected] of REGIONS)
    test(`a stored region of ${what} is read as far as it can be`, async () => {
      for (const [name, value] of Object.entries(values)) await store(name, value)
      assert.deepEqual(await getStoredRegion(write), expected)
    })

  test('servers follow the stored region, except what variables set', () => {
    const follow = (fixed: { isTimeZoneSet: boolean; isLanguageSet: boolean }, stored: Record<string, unknown>) => {
      const site = { ...asOlga().site }
      followRegion(site, { timeZone: 'Europe/Berlin', defaultLanguage: 'en', ...fixed })(stored)
      return [site.timeZone, site.defaultLanguage, site.languages]
    }
    const stored = { time_zone: 'UTC', default_language: 'de', languages: 'de fr' }
    const before = [asOlga().site.timeZone, asOlga().site.defaultLanguage]
    assert.deepEqual(follow({ isTimeZoneSet: false, isLanguageSet: false }, stored), ['UTC', 'de', ['de', 'fr']])
    assert.deepEqual(follow({ isTimeZoneSet: false, isLanguageSet: false }, {}), ['Europe/Berlin', 'en', undefined])
    assert.deepEqual(follow({ isTimeZoneSet: true, isLanguageSet: false }, stored), [before[0], 'de', ['de', 'fr']])
    assert.deepEqual(follow({ isTimeZoneSet: false, isLanguageSet: true }, stored), ['UTC', before[1], ['de', 'fr']])
  })

  test('a logo is stored under the hash of its bytes, and recorded with the one before', async () => {
    await changeLogo(asOlga(), { type: 'image/png', content: Buffer.from('one') })
    await changeLogo(asOlga(), { type: 'image/webp', content: Buffer.from('two') })
    const [first, second] = (await changes()).map(([, , each]) => (each as { logo: string[] }).logo)
    assert.deepEqual([first![0], second![0]], [null, first![1]])
    assert.match(second![1]!, /^[0-9a-f]{16}$/)
    assert.deepEqual(await getLogo(write, second![1]!), { contentType: 'image/webp', content: Buffer.from('two') })
    assert.deepEqual(
      (await settings()).map(([name]) => name),
      ['logo', 'logo_version'],
    )
    await store('organization_name', 'Harbour')
    await removeLogo(asOlga())
    assert.deepEqual((await changes())[2], ['instance.changed', OLGA.id, { logo: [second![1], null] }])
    assert.deepEqual(await settings(), [['organization_name', 'Harbour', 'before']])
    await removeLogo(asOlga())
    assert.equal((await changes()).length, 3)
    assert.equal(readBranding({}).logoVersion, undefined)
  })

  test('the first steps are hidden', async () => {
    await dismissFirstSteps(asOlga())
    assert.deepEqual(await settings(), [['first_steps_dismissed', true, 'now']])
    assert.deepEqual(await changes(), [['instance.changed', OLGA.id, { first_steps_dismissed: [false, true] }]])
  })

  describe('for modules', () => {
    const ALL = ['a', 'b', 'c'] as const
    const kept = async () =>
      (await write.selectFrom('setting').select(['name', 'value']).orderBy('name').execute()).map(({ name, value }) => [
        name,
        value,
      ])

    test('the first choice begins with all of them, in the order of the list', async () => {
      const seen: (readonly string[])[] = []
      const switched = await changeModules(asOlga(), ALL, (before) => {
        seen.push(before)
        return ['c', 'a']
      })
      assert.deepEqual([seen, switched], [[['a', 'b', 'c']], { switchedOn: [], switchedOff: ['b'] }])
      assert.deepEqual(await kept(), [
        ['modules', ['a', 'c']],
        ['modules_chosen', true],
      ])
      assert.deepEqual(await changes(), [['instance.modules_changed', OLGA.id, { 'module.b': [true, false] }]])
    })

    test('a later choice begins with what is on, without modules that do not exist', async () => {
      await store('modules', ['c', 'gone'])
      const switched = await changeModules(asOlga(), ALL, (before) => [...before.filter((each) => each !== 'c'), 'b', 'a'])
      assert.deepEqual(switched, { switchedOn: ['a', 'b'], switchedOff: ['c'] })
      assert.deepEqual((await kept())[0], ['modules', ['a', 'b']])
      assert.deepEqual(await changes(), [
        [
          'instance.modules_changed',
          OLGA.id,
          { 'module.a': [false, true], 'module.b': [false, true], 'module.c': [true, false] },
        ],
      ])
    })

    test('a choice that changes nothing is noted, but not recorded', async () => {
      await store('modules', ['a'])
      assert.deepEqual(await changeModules(asOlga(), ALL, (before) => before), { switchedOn: [], switchedOff: [] })
      assert.deepEqual(await settings(), [
        ['modules', ['a'], 'before'],
        ['modules_chosen', true, 'now'],
      ])
      assert.deepEqual(await changes(), [])
    })

    test('the kind of organisation is noted, and stays when modules are chosen one by one', async () => {
      const chosen = async () => (await kept()).find(([name]) => name === 'modules_chosen')?.[1]
      await changeModules(asOlga(), ALL, () => ['a'], 'club')
      assert.equal(await chosen(), 'club')
      await changeModules(asOlga(), ALL, () => ['b'])
      assert.equal(await chosen(), 'club')
      await changeModules(asOlga(), ALL, () => ['b'], 'medical')
      assert.equal(await chosen(), 'medical')
    })

    test('one that does not work is switched off once, by nobody', async () => {
      const stop = (name: string) => transact(write, (tx) => stopModule(tx, { name, all: ALL, now: world.now }))
      assert.deepEqual([await stop('b'), await stop('b'), await stop('none')], [true, false, false])
      assert.deepEqual(await settings(), [['modules', ['a', 'c'], 'now']])
      assert.deepEqual(await changes(), [['instance.modules_changed', null, { 'module.b': [true, false] }]])
      await write.updateTable('setting').set({ value: '["c"]', changed_at: EARLIER }).execute()
      assert.equal(await stop('c'), true)
      assert.deepEqual(await settings(), [['modules', [], 'now']])
    })

    test('a new instance begins with few, unless some were chosen', async () => {
      await transact(write, (tx) => beginWithFewModules(tx, asOlga()))
      const [[, first]] = (await kept()) as [[string, string[]]]
      assert.ok(Array.isArray(first))
      await write.updateTable('setting').set({ value: '["a"]' }).execute()
      await transact(write, (tx) => beginWithFewModules(tx, asOlga()))
      assert.deepEqual(await kept(), [['modules', ['a']]])
    })

    test('two administrators choose one after the other', async () => {
      await store('modules', ['a'])
      const both = await Promise.all(
        (['b', 'c'] as const).map((name) => changeModules(asOlga(), ALL, (before) => [...before, name])),
      )
      assert.deepEqual(
        both.map(({ switchedOff }) => switchedOff),
        [[], []],
      )
      assert.deepEqual((await kept())[0], ['modules', ['a', 'b', 'c']])
    })
  })
})
