import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { Problem } from '#platform/http/problem.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findExtensions, findPersonalData, stoppedNames } from '../queries/extensions.ts'
import { migrateExtension, recreateTables } from './migrations.ts'
import { personalFeature } from './personal.ts'
import { changeSettingsOf, findSettingNames, getSettingsOf } from './settings.ts'
import { markStuck, stopExtension } from './stop.ts'

describe('what is stored of extensions', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { keyring } = world.app.site
  beforeEach(async () => {
    for (const table of ['extension', 'setting', 'journal']) await sql`delete from ${sql.table(table)}`.execute(write)
  })
  const add = (name: string, values: Record<string, unknown> = {}) =>
    write
      .insertInto('extension')
      .values({ name, source: `./${name}`, ...values })
      .execute()
  const entries = () => write.selectFrom('journal').select(['kind', 'actor_id', 'changes']).orderBy('id').execute()

  describe('settings', () => {
    const settings = ['url', 'key', 'note'].map((name) => ({ name, label: name, kind: 'text' as const }))
    const change = (values: Record<string, string | undefined>, person = OLGA, extension = 'chat') =>
      changeSettingsOf(contextAs(world, person), { extension, settings }, values)
    const stored = (name = 'chat') => getSettingsOf(write, keyring, name)

    test('are sealed, and belong to one extension', async () => {
      await add('chat')
      await add('other')
      assert.equal(await change({ url: 'https://c.example', key: 'key-of-chat' }), true)
      assert.equal(await change({ url: 'https://o.example' }, OLGA, 'other'), true)
      assert.deepEqual(await stored(), { url: 'https://c.example', key: 'key-of-chat' })
      assert.deepEqual(await stored('other'), { url: 'https://o.example' })
      assert.deepEqual(await findSettingNames(write, 'chat'), new Set(['url', 'key']))
      const rows = await write.selectFrom('extension_setting').select('value_sealed').execute()
      for (const { value_sealed } of rows) assert.doesNotMatch(value_sealed, /key-of-chat|example/)
      await assert.rejects(getSettingsOf(write, makeKeyring('x'.repeat(32)), 'chat'))
    })

    test('change one by one: undefined stays, an empty text removes, and what is equal is no change', async () => {
      await add('chat')
      await change({ url: 'a', key: 'b', note: 'c' })
      assert.equal(await change({ url: 'a', key: undefined, note: 'c' }), false)
      assert.equal((await entries()).length, 1)
      assert.equal(await change({ url: 'z', key: '', note: undefined }), true)
      assert.deepEqual(await stored(), { url: 'z', note: 'c' })
      assert.equal(await change({ key: '' }), false)
      assert.deepEqual(
        (await entries()).map(({ kind, actor_id, changes }) => [kind, actor_id, changes]),
        [1, 2].map(() => ['instance.extension_changed', OLGA.id, {}]),
      )
    })

    test('are changed by administrators only, and others than the extension has are not stored', async () => {
      await add('chat')
      await assert.rejects(change({ url: 'a' }, ANN), (error) => error instanceof Problem && error.code === 'permission_denied')
      assert.equal(await change({ unknown: 'a' }), false)
      assert.deepEqual(await stored(), {})
    })
  })

  describe('of one that fails', () => {
    const stop = (name: string, reason = 'section: broken') =>
      stopExtension(write, { name, reason, now: world.now, allModules: ['x_chat', 'x_other', 'hours'] })
    const stopped = async () => (await sql<{ names: unknown }>`select ${stoppedNames} as names`.execute(write)).rows[0]!.names
    const facts = async () =>
      (await findExtensions(write)).map(({ name, stoppedBecause, stoppedAt }) => [name, stoppedBecause, stoppedAt])

    test('the module is switched off, with the reason, until somebody switches it on', async () => {
      for (const name of ['chat', 'other']) await add(name, { is_loaded: true })
      await stop('chat', 'x'.repeat(600))
      assert.deepEqual(await facts(), [
        ['chat', 'x'.repeat(500), world.now],
        ['other', null, null],
      ])
      assert.deepEqual(await stopped(), ['chat'])
      const { value } = await write.selectFrom('setting').select('value').where('name', '=', 'modules').executeTakeFirstOrThrow()
      assert.deepEqual(value, ['x_other', 'hours'])
      await write.updateTable('setting').set({ value: '["x_chat"]' }).where('name', '=', 'modules').execute()
      assert.deepEqual(
        [await stopped(), await facts()],
        [
          [],
          [
            ['chat', null, null],
            ['other', null, null],
          ],
        ],
      )
    })

    test('the first reason stays while it is off', async () => {
      await add('chat', { is_loaded: true })
      await stop('chat', 'first')
      await stop('chat', 'second')
      assert.deepEqual(await facts(), [['chat', 'first', world.now]])
    })

    test('the version that took the server with it is known', async () => {
      const stuck = { source: './chat', name: 'chat', version: '1.0.0', problem: 'never ended' }
      await markStuck(write, stuck)
      await add('other', { is_loaded: true })
      await markStuck(write, { ...stuck, source: './moved', name: 'other', version: '2.0.0' })
      const rows = await write
        .selectFrom('extension')
        .select(['name', 'source', 'stuck_version', 'problem', 'is_loaded'])
        .orderBy('name')
        .execute()
      assert.deepEqual(rows, [
        { name: 'chat', source: './chat', stuck_version: '1.0.0', problem: 'never ended', is_loaded: false },
        { name: 'other', source: './moved', stuck_version: '2.0.0', problem: 'never ended', is_loaded: false },
      ])
      assert.deepEqual(await stopped(), ['chat', 'other'])
    })
  })

  test('those that are loaded or could not be are listed by name, former ones are not', async () => {
    await add('wall', { is_loaded: true, version: '1.2.0' })
    await add('broken', { problem: 'no such file' })
    await add('former', { version: '1.0.0' })
    const none = { stoppedBecause: null, stoppedAt: null }
    assert.deepEqual(await findExtensions(write), [
      { name: 'broken', source: './broken', version: null, isLoaded: false, problem: 'no such file', ...none },
      { name: 'wall', source: './wall', version: '1.2.0', isLoaded: true, problem: null, ...none },
    ])
  })

  describe('tables', () => {
    const PERSON = { table: 'note', column: 'person_id', label: 'label', whenErased: 'delete', whenMerged: 'move' } as const
    const CREATE = {
      name: 'one',
      sql: `create table note (id int generated always as identity, person_id bigint references public.user_profile, text text, at timestamptz not null default now());
        create table plain (id int, at timestamptz not null)`,
    }
    const migrate = (more: object = {}) =>
      migrateExtension(write, { name: 'own', migrations: [CREATE], personalData: [PERSON], ...more })
    beforeEach(async () => {
      await sql`drop schema if exists x_own cascade`.execute(write)
      await add('own')
    })

    test('are made once, and later migrations follow', async () => {
      await migrate()
      await migrate()
      await migrate({ migrations: [CREATE, { name: 'two', sql: 'alter table plain add column more int' }] })
      const applied = await write.selectFrom('extension_migration').select('name').orderBy('name').execute()
      assert.deepEqual(
        applied.map(({ name }) => name),
        ['one', 'two'],
      )
      await sql`insert into x_own.plain (id, at, more) values (1, now(), 2)`.execute(write)
      assert.deepEqual(
        (await findPersonalData(write)).map(({ name }) => name),
        ['own'],
      )
    })

    const REFUSED: [what: string, more: object, reason: RegExp][] = [
      ['a migration that was changed', { migrations: [{ ...CREATE, sql: `${CREATE.sql} ` }] }, /migration one was changed after/],
      ['a migration that is gone', { migrations: [] }, /have the migration one, which this version does not know/],
      ['a person that is not declared', { personalData: [] }, /^note\.person_id refers to a person and is not in personalData$/],
      [
        'columns that do not exist',
        { personalData: [PERSON, { ...PERSON, column: 'author' }], retention: [{ table: 'none', column: 'at', days: 3 }] },
        /^there is no column note\.author; there is no column none\.at$/,
      ],
      [
        'a column to clear that is not null',
        { personalData: [PERSON, { ...PERSON, table: 'plain', column: 'at', whenErased: 'clear' }] },
        /^plain\.at cannot be cleared: it is not null$/,
      ],
    ]
    for (const [what, more, reason] of REFUSED)
      test(`are refused with ${what}`, async () => {
        await migrate()
        await assert.rejects(migrate(more), (error) => reason.test((error as Error).message))
      })
    for (const column of ['person', 'user', 'user_id', 'profile_id'])
      test(`are refused with an undeclared column ${column}`, async () => {
        const migrations = [{ name: 'one', sql: `create table note ("${column}" bigint)` }]
        await assert.rejects(migrate({ migrations, personalData: [] }), new RegExp(`note\\.${column} refers to a person`))
      })
    test('are refused with an undeclared reference to a person, whatever its name', async () => {
      const migrations = [
        { name: 'one', sql: 'create table note (id int primary key, author bigint references public.user_profile)' },
      ]
      await assert.rejects(
        migrate({ migrations, personalData: [] }),
        /^Error: note\.author refers to a person and is not in personalData$/,
      )
    })
    for (const statement of ['abort', 'begin', 'COMMIT', 'set role x', "prepare transaction 'x'", 'savepoint a', 'reset all'])
      test(`are refused with the statement ${statement}`, async () => {
        const migrations = [{ name: 'one', sql: `create table a (id int); ${statement}` }]
        await assert.rejects(migrate({ migrations, personalData: [] }), /^Error: the migration one has the statement/)
      })
    const FOREIGN: [what: string, statement: string][] = [
      ['a function of Turnout', 'create function public.spy() returns int language sql as $$ select 1 $$'],
      ['a table of Turnout', 'alter table public.setting alter column value drop not null'],
      ['a trigger on a table of Turnout', 'alter table public.event disable trigger user'],
      ['a new table beside those of Turnout', 'create table public.spy (id int)'],
    ]
    for (const [what, statement] of FOREIGN)
      test(`are refused with ${what}`, async () => {
        const migrations = [{ name: 'one', sql: statement }]
        await assert.rejects(migrate({ migrations, personalData: [] }), /changes more than its own schema/)
      })

    test('are made again from a backup, as far as they were', async () => {
      const two = { name: 'two', sql: 'create table later (id int)' }
      await write.transaction().execute((tx) => recreateTables(tx, { name: 'own', migrations: [CREATE, two] }, ['one']))
      const { rows } = await sql<{
        name: string
      }>`select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'x_own' and c.relkind = 'r' order by 1`.execute(write)
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['note', 'plain'],
      )
    })

    test('are known to erasure, merging and deletion after a time', async () => {
      await migrate()
      const feature = personalFeature('own', [PERSON], [{ table: 'plain', column: 'at', days: 30 }])
      const [rule] = feature.retention!
      assert.deepEqual([rule!.name, await rule!.getDays?.({} as never)], ['x_own_plain', 30])
      for (const day of [1, 2, 3])
        await sql`insert into x_own.plain (id, at) values (${day}, ${`2031-01-0${day}`})`.execute(write)
      const before = new Date('2031-01-02T00:00:00Z')
      await sql`update x_own.plain set at = ${before} where id = 2`.execute(write)
      assert.equal((await rule!.find(write, before)).count, 1)
      assert.equal(await rule!.remove({ db: write } as never, before), 1)
      const { rows } = await sql<{ id: number }>`select id from x_own.plain order by id`.execute(write)
      assert.deepEqual(
        rows.map(({ id }) => id),
        [2, 3],
      )
      assert.deepEqual(personalFeature('own', []).adds, [])
      const kinds = (['delete', 'clear', 'keep'] as const).map(
        (whenErased) => personalFeature('own', [{ ...PERSON, whenErased }]).personalData![0]!.erased,
      )
      assert.deepEqual(kinds, ['deleted', 'cleared', 'anonymous'])
    })
  })
})
