import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { FORMER_ADDRESSES } from './former-addresses.ts'

describe('addresses of ephios', async () => {
  const world = await openWorld()
  const get = (path: string) => world.withSession(OLGA).get(path, { unchecked: true })

  for (const [former] of FORMER_ADDRESSES) {
    test(`${former} leads to a page that exists`, async () => {
      const path = former.replace('{id}', String(ANN.id)).replace('{uid}', 'MQ').replace('{token}', 'abc-123')
      const { status, headers } = await get(path)
      assert.equal(status, 303)
      const there = headers.location!
      assert.ok(!there.includes('{'), there)
      // The instance has no application with this id; the others exist.
      assert.equal((await get(there)).status, /applications\/\d/.test(there) ? 404 : 200, there)
    })
  }

  test('lead to the same person and group', async () => {
    assert.equal((await get('/users/4/edit/')).headers.location, '/manage/people/4/')
    assert.equal((await get('/groups/2/edit/')).headers.location, '/manage/groups/2/')
  })

  test('show nothing to people who may not see the page', async () => {
    const { headers } = await world.nobody.get('/users/', { unchecked: true })
    const { status, headers: next } = await world.nobody.get(headers.location!, { unchecked: true })
    assert.equal(status, 303)
    assert.match(next.location!, /^\/accounts\/login\//)
  })
})

describe('links of guests from ephios', async () => {
  const world = await openWorld()
  const { id, shifts } = await world.addEvent({ title: 'Harbour run', shifts: [{ label: 'First aid' }, {}] })
  const guests = await Promise.all(
    ([1, 0] as const).map((state, n) =>
      world.addParticipation({ who: { guest: { name: `Gus ${n}` } }, shift: shifts[0]!, state }),
    ),
  )
  await world.db.write
    .updateTable('guest')
    .set({ access_token_hash: hashSecret('secretOfGus') })
    .where('display_name', '=', 'Gus 0')
    .execute()
  await world.db.write
    .insertInto('guest_share')
    .values({ event_id: id, token_hash: hashSecret('secretOfShare'), token_sealed: 'sealed' })
    .execute()
  const get = (path: string, language = 'en') => world.with({ 'accept-language': language }).get(path, { unchecked: true })

  test('say that they are from the former system, and what is known about the guest', async () => {
    assert.equal(guests.length, 2)
    const { status, text, headers } = await get('/guests/secretOfGus/')
    assert.equal(status, 200)
    assert.match(text, /This link is from our former system/)
    assert.match(text, /Harbour run/)
    assert.match(text, /First aid, [^<]*: confirmed/)
    assert.doesNotMatch(text, /requested/, 'registrations of other guests are not shown')
    assert.match(text, /Please contact the person who sent you the link\./)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match((await get('/guests/secretOfGus/', 'de')).text, /Dieser Link stammt aus unserem früheren System/)
  })

  test('of registrations name the event', async () => {
    const { status, text } = await get(`/guests/register/${id}/secretOfShare/`)
    assert.equal(status, 200)
    assert.match(text, /Harbour run/)
    assert.doesNotMatch(text, /What you entered before/)
  })

  test('name the organisation and its imprint', async () => {
    await world.db.write
      .insertInto('setting')
      .values([
        { name: 'organization_name', value: JSON.stringify('Bereitschaft Musterstadt') },
        { name: 'imprint', value: JSON.stringify('Markt 1') },
      ])
      .execute()
    const { text } = await get('/guests/secretOfGus/')
    assert.match(text, /Bereitschaft Musterstadt now plans with new software/)
    assert.match(text, /<a href="\/imprint\/">Imprint<\/a>/)
  })

  test('that are unknown, closed or of another event explain themselves and name no event', async () => {
    const other = await world.addEvent({ title: 'Regatta' })
    const isUnknown = async (path: string) => {
      const { status, text } = await get(path)
      assert.equal(status, 404, path)
      assert.match(text, /This link is from our former system/)
      assert.match(text, /We do not know this link/)
      assert.doesNotMatch(text, /Harbour run|Regatta/)
    }
    await isUnknown('/guests/secretOfShare/')
    await isUnknown('/guests/unknown/')
    await isUnknown(`/guests/register/${id}/secretOfGus/`)
    await isUnknown(`/guests/register/${other.id}/secretOfShare/`)
    await world.db.write.updateTable('guest_share').set({ active: false }).execute()
    await isUnknown(`/guests/register/${id}/secretOfShare/`)
    await world.db.write.updateTable('guest_share').set({ active: true }).execute()
    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    await isUnknown(`/guests/register/${id}/secretOfShare/`)
    await isUnknown('/guests/secretOfGus/')
  })
})
