import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextOf } from '#test/support/command-context.ts'
import { OLGA } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { signInToTryOut, TRY_OUT_GUARD } from './commands/try-out.ts'
import { signInPages } from './pages/sign-in.ts'
import { isLoopback, SAMPLE_PEOPLE, SAMPLE_ROLES, TRY_OUT } from './rules/try-out.ts'

describe('addresses of the same machine', () => {
  for (const [ip, expected] of [
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['10.127.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['::2', false],
    ['127.example.org', false],
    ['', false],
  ] as const)
    test(`${ip || 'none'}: ${expected}`, () => assert.equal(isLoopback(ip), expected))
})

describe('looking around in the sample data', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const ids = new Map<string, number>()
  for (const [role, email] of Object.entries(SAMPLE_PEOPLE)) ids.set(role, (await world.addPerson({ name: role, email })).id)
  const contextWith = (isTryOut: boolean) => {
    const context = contextOf(world, ANONYMOUS)
    return { ...context, site: { ...context.site, isTryOut } }
  }
  const device = { device: 'a browser', userAgent: 'Firefox' }
  const HERE = '127.0.0.1'
  const countSessions = async () => (await read.selectFrom('session').select('id_hash').execute()).length

  for (const role of SAMPLE_ROLES)
    test(`a button signs in as the ${role}`, async () => {
      const session = await signInToTryOut(contextWith(true), { role, ip: HERE, device })
      const row = await read
        .selectFrom('session')
        .select('user_id')
        .where('id_hash', '=', hashSecret(session!.sessionId))
        .executeTakeFirstOrThrow()
      assert.equal(row.user_id, ids.get(role))
    })

  for (const [what, isTryOut, ip] of [
    ['an instance in use', false, HERE],
    ['another machine', true, '192.168.1.20'],
  ] as const) {
    test(`is refused for ${what}`, async () => {
      const before = await countSessions()
      assert.equal(await signInToTryOut(contextWith(isTryOut), { role: 'administrator', ip, device }), undefined)
      assert.equal(await countSessions(), before)
    })
    test(`would work for ${what} without the guard`, async () => {
      const open = { ...TRY_OUT_GUARD, mayEnter: () => true }
      assert.ok(await signInToTryOut(contextWith(isTryOut), { role: 'administrator', ip, device }, open))
    })
  }

  test('is refused for people who are not active, or have a second factor', async () => {
    const before = await countSessions()
    await write.updateTable('user_profile').set({ is_active: false }).where('email', '=', SAMPLE_PEOPLE.planner).execute()
    const factor = { user_id: ids.get('volunteer')!, secret_sealed: 's', last_step: 0, created_at: NOW }
    await write.insertInto('totp_factor').values(factor).execute()
    for (const role of ['planner', 'volunteer'] as const)
      assert.equal(await signInToTryOut(contextWith(true), { role, ip: HERE, device }), undefined)
    assert.equal(await countSessions(), before)
  })

  test('the address exists only while the program is tried out', async () => {
    const paths = (isTryOut: boolean) => signInPages({ limiter: {}, resets: {}, isTryOut } as never).map(({ path }) => path)
    assert.deepEqual([paths(true).includes(TRY_OUT), paths(false).includes(TRY_OUT)], [true, false])
    assert.equal((await world.with({}).get('/accounts/login/', { unchecked: true })).text.includes(TRY_OUT), false)
    assert.equal((await world.withSession(OLGA).get(TRY_OUT, { unchecked: true })).status, 404)
  })
})
