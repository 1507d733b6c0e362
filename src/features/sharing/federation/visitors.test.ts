import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { ALLOW, addShared, link, visit } from '#test/support/federation.ts'
import { type Instance, openInstance, TestBrowser } from '#test/support/instance.ts'
import { ANN, BEN, type Person, VERA } from '#test/support/people.ts'

const INSTANT = { flow: 'instant_confirmation' }

async function addQualification(at: Instance, uuid: string, title: string, includes: string[] = []): Promise<number> {
  const category = await at.db.write
    .insertInto('qualification_category')
    .values({ title: `for ${title}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await at.db.write
    .insertInto('qualification')
    .values({ uuid, title, abbreviation: title.slice(0, 2), category_id: category.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const included = await at.db.read.selectFrom('qualification').select(['id', 'uuid']).execute()
  for (const each of included.filter((other) => includes.includes(other.uuid)))
    await at.db.write.insertInto('qualification_inclusion').values({ qualification_id: id, included_id: each.id }).execute()
  return id
}

describe('visitors', async () => {
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const c = await openInstance({ host: 'c.localhost', allow: ALLOW })
  const ab = await link(a, b)
  const ac = await link(a, c)
  const { id: eventId } = await addShared(a, {}, [ab.guestId, ac.guestId])

  const visits = async (person: Person, home = b, guestId = ab.guestId) => {
    const browser = new TestBrowser(a)
    const page = await visit(browser, await home.browserOf(person), `/events/shared/${eventId}/${guestId}/`)
    assert.equal(page.status, 200, page.text)
    return browser
  }
  const known = (guestId = ab.guestId) =>
    a.db.read
      .selectFrom('visitor')
      .select(['id', 'remote_id', 'email', 'display_name', 'date_of_birth'])
      .where('federated_guest_id', '=', guestId)
      .orderBy('id')
      .execute()
  const change = (person: Person, values: { email?: string; display_name?: string; date_of_birth?: string | null }) =>
    b.db.write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
  const heldBy = async (person: Person) => {
    const rows = await a.db.read
      .selectFrom('visitor_qualification as h')
      .innerJoin('visitor as v', 'v.id', 'h.visitor_id')
      .innerJoin('qualification as q', 'q.id', 'h.qualification_id')
      .select('q.title')
      .where('v.remote_id', '=', person.id)
      .where('v.federated_guest_id', '=', ab.guestId)
      .orderBy('q.title')
      .execute()
    return rows.map(({ title }) => title)
  }

  test('are identified by their id at home; their profile is updated at each visit', async () => {
    await visits(ANN)
    const [first] = await known()
    assert.deepEqual(
      { ...first, id: 0 },
      { id: 0, remote_id: ANN.id, email: ANN.email, display_name: 'Ann', date_of_birth: ANN.dateOfBirth },
    )
    await change(ANN, { email: 'anna@a.example', display_name: 'Anna Nord', date_of_birth: null })
    const browser = await visits(ANN)
    assert.deepEqual(await known(), [
      { id: first!.id, remote_id: ANN.id, email: 'anna@a.example', display_name: 'Anna Nord', date_of_birth: null },
    ])
    assert.match((await browser.go(`/events/shared/${eventId}/${ab.guestId}/`)).text, /You are here as Anna Nord/)
  })

  test('an email address that passes to another person does not pass on the visitor record', async () => {
    await change(ANN, { email: 'office@a.example' })
    await visits(ANN)
    const before = await known()
    await change(ANN, { email: 'ann@a.example' })
    await change(BEN, { email: 'office@a.example' })
    await visits(BEN)
    const after = await known()
    assert.equal(after.length, before.length + 1)
    assert.deepEqual(
      after.map(({ remote_id, email }) => [remote_id, email]),
      [
        [ANN.id, 'office@a.example'],
        [BEN.id, 'office@a.example'],
      ],
      'two people with the same address stay separate',
    )
  })

  test('a record without a remote id is matched by email address, once', async () => {
    const { id: imported } = await a.db.write
      .insertInto('visitor')
      .values({ federated_guest_id: ab.guestId, display_name: 'Vera of then', email: 'VERA@A.example' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const shared = await addShared(a, { shifts: [INSTANT] }, [ab.guestId])
    await a.db.write
      .insertInto('participation')
      .values({ shift_id: shared.shifts[0]!, event_id: shared.id, kind: 'visitor', visitor_id: imported, state: 1 } as never)
      .execute()
    const browser = await visits(VERA)
    const row = (await known()).find(({ id }) => id === imported)
    assert.deepEqual([row?.remote_id, row?.email, row?.display_name], [VERA.id, VERA.email, 'Vera'])
    assert.match((await browser.go(`/events/shared/${shared.id}/${ab.guestId}/`)).text, /You are confirmed/)
    // The address passes to a new person: the record has a remote id now, so it is not matched again.
    await change(VERA, { email: 'vera.old@a.example' })
    await b.db.write
      .insertInto('user_profile')
      .values({ id: 50, email: VERA.email, display_name: 'New Vera', created_at: b.now })
      .execute()
    await visits({ ...VERA, id: 50 })
    const rows = (await known()).filter(({ email }) => email.toLowerCase() === VERA.email)
    assert.deepEqual(
      rows.map(({ id, remote_id }) => [id === imported, remote_id]),
      [
        [true, VERA.id],
        [false, 50],
      ],
    )
  })

  test('the same id at two instances means two visitors', async () => {
    await visits(ANN)
    await visits(ANN, c, ac.guestId)
    const [atB, atC] = [await known(), await known(ac.guestId)]
    assert.equal(atC.length, 1)
    assert.equal(atC[0]!.remote_id, ANN.id)
    assert.ok(!atB.some(({ id }) => id === atC[0]!.id))
  })

  test('get qualifications by uuid, or the known ones that an unknown one includes; updated at each visit', async () => {
    const [medic, doctor, aid, driver] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    for (const [uuid, title] of [
      [medic, 'Medic'],
      [aid, 'First aid'],
      [driver, 'Driver'],
    ] as const) {
      await addQualification(a, uuid, `${title} here`)
      await addQualification(b, uuid, `${title} at home`)
    }
    // Exists at home only, and includes two that exist here.
    const doctorId = await addQualification(b, doctor, 'Doctor', [medic, aid])
    const idAtHome = async (uuid: string) =>
      (await b.db.read.selectFrom('qualification').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()).id
    const grant = (qualification: number) =>
      b.db.write.insertInto('qualification_grant').values({ user_id: ANN.id, qualification_id: qualification }).execute()
    const withdraw = (qualification: number) =>
      b.db.write
        .deleteFrom('qualification_grant')
        .where('user_id', '=', ANN.id)
        .where('qualification_id', '=', qualification)
        .execute()

    await grant(await idAtHome(driver))
    await visits(ANN)
    assert.deepEqual(await heldBy(ANN), ['Driver here'])
    await grant(doctorId)
    await visits(ANN)
    assert.deepEqual(await heldBy(ANN), ['Driver here', 'First aid here', 'Medic here'])
    await withdraw(await idAtHome(driver))
    await withdraw(doctorId)
    await visits(ANN)
    assert.deepEqual(await heldBy(ANN), [])
  })

  test('can sign up with a required qualification; a participation stays when it is withdrawn', async () => {
    const uuid = randomUUID()
    const here = await addQualification(a, uuid, 'Boat here')
    const atHome = await addQualification(b, uuid, 'Boat at home')
    const shift = { ...INSTANT, configuration: { required_qualification_ids: [here], minimum_number_of_participants: 1 } }
    const { id, shifts } = await addShared(a, { shifts: [shift] }, [ab.guestId])
    const path = `/shifts/shared/${shifts[0]}/${ab.guestId}/signup/`
    assert.equal((await (await visits(BEN)).post(path, { quick: '1' })).status, 409)
    await b.db.write.insertInto('qualification_grant').values({ user_id: BEN.id, qualification_id: atHome }).execute()
    assert.equal((await (await visits(BEN)).post(path, { quick: '1' })).status, 303)
    await b.db.write.deleteFrom('qualification_grant').where('user_id', '=', BEN.id).execute()
    const browser = await visits(BEN)
    const { text } = await browser.go(`/events/shared/${id}/${ab.guestId}/`)
    assert.match(text, /You are confirmed/, 'the participation stays; responsibles see what is missing')
  })

  test('have the age that their home instance reports', async () => {
    const shift = { ...INSTANT, configuration: { minimum_age: 18 } }
    const { shifts } = await addShared(a, { shifts: [shift] }, [ab.guestId])
    const path = `/shifts/shared/${shifts[0]}/${ab.guestId}/signup/`
    const year = a.now.getUTCFullYear()
    for (const [born, status] of [
      [`${year - 10}-01-01`, 409],
      [`${year - 30}-01-01`, 303],
    ] as const) {
      await change(BEN, { date_of_birth: born })
      assert.equal((await (await visits(BEN)).post(path, { quick: '1' })).status, status, String(born))
    }
  })
})
