import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { contextAs, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createCalendarAddress, resetCalendarAddress } from './calendar.ts'

const world = await openWorld()
const tokenOf = async (id: number) => {
  const { calendar_token_hash: hash, calendar_token_sealed: sealed } = await world.db.read
    .selectFrom('user_profile')
    .select(['calendar_token_hash', 'calendar_token_sealed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!hash && !sealed) return undefined
  const token = world.app.site.keyring.unseal(sealed!)
  assert.deepEqual(hash, hashSecret(token), 'the address that is shown is the one that works')
  return token
}

test('a calendar address is made once, replaced only on demand, and is one person’s alone', async () => {
  await createCalendarAddress(contextOf(world, ANONYMOUS))
  assert.deepEqual([await tokenOf(ANN.id), await tokenOf(BEN.id)], [undefined, undefined])
  const context = contextAs(world, ANN)
  await createCalendarAddress(context)
  const first = await tokenOf(ANN.id)
  assert.match(first!, /^\w{40}$/)
  await createCalendarAddress(context)
  assert.equal(await tokenOf(ANN.id), first)
  await resetCalendarAddress(context)
  const second = await tokenOf(ANN.id)
  assert.ok(second && second !== first)
  assert.equal(await tokenOf(BEN.id), undefined)
  await resetCalendarAddress(contextAs(world, BEN))
  assert.deepEqual(
    [await journalOf(world, 'user', ANN.id), await journalOf(world, 'user', BEN.id)].map((all) => all.map(({ kind }) => kind)),
    [['user.calendar_address_made', 'user.calendar_address_reset'], ['user.calendar_address_made']],
  )
})
