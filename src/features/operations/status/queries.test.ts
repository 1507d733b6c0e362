import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { countFailedJobs, findFailedJobs, findSealedSecrets, hasActiveAdministrator, hasDemoAccounts } from './queries.ts'

describe('what the checks read', async () => {
  const world = await openWorld()
  const { write } = world.db
  const run = (statement: ReturnType<typeof sql>) => statement.execute(write)

  describe('of jobs', () => {
    beforeEach(() => run(sql`delete from graphile_worker._private_jobs`))
    const add = async (attempts: number, error: string | null, at: string) => {
      await run(sql`select graphile_worker.add_job('account_mail', '{}'::json, max_attempts := 3)`)
      await run(sql`update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${error}, updated_at = ${at}
        where id = (select max(id) from graphile_worker._private_jobs)`)
    }
    test('failed ones are those whose attempts are used up, with an error, except addresses that do not work', async () => {
      const day = '2031-05-01'
      await add(2, 'not yet', day)
      await add(3, null, day)
      await add(3, `${ADDRESS_FAILED} of Ann`, day)
      assert.deepEqual([await countFailedJobs(write), await findFailedJobs(write, 9)], [0, []])
      await add(3, `about: ${ADDRESS_FAILED}`, day)
      assert.equal(await countFailedJobs(write), 1)
    })
    test('the newest come first, with the first line of the error', async () => {
      await add(3, 'older', '2031-05-01T08:00:00Z')
      await add(3, `${'x'.repeat(300)}\nsecond line`, '2031-05-03T08:00:00Z')
      await add(4, 'same time, later', '2031-05-01T08:00:00Z')
      assert.deepEqual(await findFailedJobs(write, 3), [
        { at: new Date('2031-05-03T08:00:00Z'), task: 'account_mail', error: 'x'.repeat(200) },
        { at: new Date('2031-05-01T08:00:00Z'), task: 'account_mail', error: 'same time, later' },
        { at: new Date('2031-05-01T08:00:00Z'), task: 'account_mail', error: 'older' },
      ])
      assert.equal((await findFailedJobs(write, 2)).length, 2)
      assert.equal(await countFailedJobs(write), 3)
    })
  })

  test('an administrator is staff or a superuser, and active', async () => {
    const set = async (values: Record<string, boolean>) => {
      const none = { is_staff: false, is_superuser: false }
      await write.updateTable('user_profile').set(none).execute()
      await write
        .updateTable('user_profile')
        .set({ ...none, ...values })
        .where('id', '=', OLGA.id)
        .execute()
      return hasActiveAdministrator(write)
    }
    assert.equal(await set({}), false)
    assert.equal(await set({ is_staff: true }), true)
    assert.equal(await set({ is_superuser: true }), true)
    assert.equal(await set({ is_superuser: true, is_staff: true, is_active: false }), false)
    await set({ is_superuser: true, is_active: true })
  })

  test('accounts of the sample data are known by their addresses, whatever their case', async () => {
    const set = async (email: string) => {
      await write.updateTable('user_profile').set({ email }).where('id', '=', ANN.id).execute()
      return hasDemoAccounts(write)
    }
    assert.deepEqual(
      [await set('ann@demo.example.org'), await set('ann@Demo.Example'), await set('demo.example@a.example')],
      [false, true, false],
    )
  })

  const SEALED: [table: string, column: string, statement: ReturnType<typeof sql>][] = [
    [
      'user_profile',
      'calendar_token_sealed',
      sql`update user_profile set calendar_token_sealed = 'planted.x' where id = ${ANN.id}`,
    ],
    ['federated_guest', 'client_secret_sealed', sql`update federated_guest set client_secret_sealed = 'planted.x'`],
    [
      'federated_host',
      'access_token_sealed',
      sql`insert into federated_host (name, url, access_token_sealed) values ('Harbour', 'https://h.example', 'planted.x')`,
    ],
    [
      'identity_provider',
      'client_secret_sealed',
      sql`insert into identity_provider (label, internal_name, client_id, authorization_endpoint, token_endpoint, client_secret_sealed)
        values ('A', 'p', 'c', 'https://p.example/a', 'https://p.example/t', 'planted.x')`,
    ],
    [
      'extension_setting',
      'value_sealed',
      sql`with x as (insert into extension (name, source) values ('planted', 'x') returning name)
        insert into extension_setting (extension_name, name, value_sealed) select name, 'key', 'planted.x' from x`,
    ],
  ]
  for (const [table, column, statement] of SEALED)
    test(`secrets of ${table} are examined`, async () => {
      const planted = async () => (await findSealedSecrets(write)).filter((each) => each.startsWith('planted'))
      assert.deepEqual(await planted(), [])
      await run(statement)
      assert.deepEqual(await planted(), ['planted.x'])
      const nullable = ['user_profile', 'identity_provider'].includes(table)
      await run(
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${nullable ? null : 'other.x'} where ${sql.ref(column)} = 'planted.x'`,
      )
    })

  test('one secret of each key is enough', async () => {
    for (const [id, sealed] of [
      [ANN.id, 'k1.a'],
      [OLGA.id, 'k1.b'],
    ] as const)
      await write.updateTable('user_profile').set({ calendar_token_sealed: sealed }).where('id', '=', id).execute()
    assert.equal((await findSealedSecrets(write)).filter((each) => each.startsWith('k1.')).length, 1)
    await write.updateTable('user_profile').set({ calendar_token_sealed: 'k2.b' }).where('id', '=', OLGA.id).execute()
    const found = await findSealedSecrets(write)
    assert.deepEqual(found.filter((each) => /^k[12]\./.test(each)).sort(), ['k1.a', 'k2.b'])
  })
})
