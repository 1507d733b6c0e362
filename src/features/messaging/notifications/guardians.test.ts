import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { endGuardianshipsOfAge } from '#features/accounts/families/jobs.ts'
import { endGuardianship } from '#features/accounts/users/commands/guardians.ts'
import { addPushDevice } from '#features/messaging/push/commands/devices.ts'
import { pushSubscriptionForm } from '#features/messaging/push/schema.ts'
import { noAddress } from '#platform/no-address.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, PAUL, type Person } from '#test/support/people.ts'
import { startPushService } from '#test/support/push-service.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { createDue } from './commands/create.ts'

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

function makeFamilies(world: World) {
  const { write } = world.db
  const addChild = async (name: string, dateOfBirth: string, contactEmail: string | null = null): Promise<Person> => {
    const email = noAddress(name.toLowerCase().replaceAll(/\W+/g, '-'))
    const child = await world.addPerson({ name, email, dateOfBirth } as never)
    await write
      .updateTable('user_profile')
      .set({ email_invalid: true, contact_email: contactEmail })
      .where('id', '=', child.id)
      .execute()
    return child
  }
  const link = (guardian: Person, child: Person) =>
    write.insertInto('guardianship').values({ guardian_id: guardian.id, child_id: child.id, since: world.now }).execute()
  return { addChild, link }
}

describe('guardianships that end with the 18th birthday', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { addChild, link } = makeFamilies(world)
  const outbox = new NotificationOutbox(world)
  const rows = () =>
    write.selectFrom('notification').select(['user_id', 'about_id', 'kind', 'mail', 'mail_reason']).orderBy('id').execute()
  const mails = async () => (await outbox.deliver()).map(({ to, subject }) => [to, subject]).sort()
  const due = (now: string, timeZone = 'Europe/Berlin') => {
    world.now = new Date(now)
    return createDue(write, { now: world.now, site: { ...world.app.site, timeZone } })
  }
  beforeEach(async () => {
    await outbox.clear()
    await write.deleteFrom('guardianship').execute()
    await write.deleteFrom('setting').execute()
  })

  test('are announced 30 days before, by the day of the time zone', async () => {
    const child = await addChild('Table Kid', '2013-06-10')
    await link(ANN, child)
    for (const [born, now, timeZone, isDue] of [
      ['2013-06-10', '2031-05-11T21:59:00Z', 'Europe/Berlin', true],
      ['2013-06-10', '2031-05-10T22:00:00Z', 'Europe/Berlin', true],
      ['2013-06-10', '2031-05-10T21:59:00Z', 'Europe/Berlin', false],
      ['2013-06-10', '2031-05-10T22:00:00Z', 'UTC', false],
      ['2013-06-10', '2031-05-10T12:00:00Z', 'Pacific/Auckland', true],
      ['2013-06-10', '2031-06-09T21:59:00Z', 'Europe/Berlin', true],
      ['2013-06-10', '2031-06-09T22:00:00Z', 'Europe/Berlin', false],
      ['2012-02-29', '2030-01-30T12:00:00Z', 'Europe/Berlin', true],
      ['2012-02-29', '2030-01-29T12:00:00Z', 'Europe/Berlin', false],
      ['2012-02-29', '2030-02-28T12:00:00Z', 'Europe/Berlin', true],
      ['2012-02-29', '2030-03-01T12:00:00Z', 'Europe/Berlin', false],
      ['2012-02-28', '2030-02-28T12:00:00Z', 'Europe/Berlin', false],
    ] as const) {
      await write.deleteFrom('notification').execute()
      await write.updateTable('user_profile').set({ date_of_birth: born }).where('id', '=', child.id).execute()
      await due(now, timeZone)
      assert.equal(
        (await rows()).some(({ kind }) => kind === 'guardianship_ending'),
        isDue,
        [born, now, timeZone].join(' '),
      )
    }
  })

  test('are announced once to the child and each guardian, and say what to do', async () => {
    const child = await addChild('Mia Keller', '2013-06-10', 'mia@home.example')
    for (const guardian of [ANN, BEN]) await link(guardian, child)
    for (const now of ['2031-05-12T10:00:00Z', '2031-05-13T10:00:00Z']) await due(now)
    const subject = 'Mia Keller: guardianship ends on 10 June 2031 (for Mia Keller)'
    assert.deepEqual(await mails(), [
      [ANN.email, subject],
      [BEN.email, subject],
      ['mia@home.example', subject],
    ])
    assert.match(outbox.sent[0]!.text, /turns 18 on 10 June 2031\..*no sign-in yet\. Ask somebody who manages people/s)
    const all = (await rows()).map(({ user_id, about_id, mail }) => [user_id, about_id, mail])
    assert.deepEqual(all, [
      [child.id, null, 'sent'],
      [ANN.id, child.id, 'skipped'],
      [BEN.id, child.id, 'skipped'],
    ])
    const { body } = await (await browserOf(world, ANN)).get('/notifications/')
    assert.match(plain(body), /End of guardianships for Mia Keller.*Mia Keller turns 18 on 10 June 2031/)
    assert.ok(body.includes(`href="/family/${child.id}/"`))
  })

  test('are not announced any more if they ended earlier, stay, or the birth date was corrected', async () => {
    const act: [string, (child: Person) => Promise<unknown>][] = [
      ['ended', (child) => endGuardianship(contextAs(world, ANN), { guardianId: ANN.id, childId: child.id })],
      ['stay', () => sql`insert into setting (name, value) values ('guardianship_stays', 'true')`.execute(write)],
      [
        'corrected',
        ({ id }) => write.updateTable('user_profile').set({ date_of_birth: '2015-06-10' }).where('id', '=', id).execute(),
      ],
    ]
    for (const [what, change] of act) {
      const child = await addChild(`Kid ${what}`, '2013-06-10', `${what}@home.example`)
      await link(ANN, child)
      await due('2031-05-12T10:00:00Z')
      await change(child)
      assert.deepEqual(await mails(), [], what)
      const [own] = await write
        .selectFrom('notification')
        .select(['mail', 'mail_reason'])
        .where('user_id', '=', child.id)
        .execute()
      assert.deepEqual(own, { mail: 'skipped', mail_reason: 'obsolete' }, what)
      await write.deleteFrom('setting').execute()
      await write.deleteFrom('guardianship').execute()
    }
  })

  test('say so on the day: each guardian and the child once, the child only if it has a mailbox of its own', async () => {
    const end = (now: string) => {
      world.now = new Date(now)
      return endGuardianshipsOfAge({ db: world.db, clock: { now: () => world.now }, site: world.app.site })
    }
    const child = await addChild('Leap Kid', '2012-02-29', 'leap@home.example')
    const shared = await addChild('Shared Kid', '2012-02-29', ANN.email.toUpperCase())
    for (const guardian of [ANN, BEN]) await link(guardian, child)
    await link(ANN, shared)
    assert.equal(await end('2030-02-28T12:00:00Z'), 0)
    assert.equal(await end('2030-03-01T00:10:00Z'), 3)
    assert.equal(await end('2030-03-02T00:10:00Z'), 0)
    assert.deepEqual(await mails(), [
      [ANN.email, 'Leap Kid is of age: guardianship ended'],
      [ANN.email, 'Shared Kid is of age: guardianship ended'],
      [BEN.email, 'Leap Kid is of age: guardianship ended'],
      ['leap@home.example', 'Leap Kid is of age: guardianship ended (for Leap Kid)'],
    ])
  })
})

describe('notifications of a child', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { addChild, link } = makeFamilies(world)
  const outbox = new NotificationOutbox(world)
  const service = await startPushService()
  after(() => service.stop())
  const mia = await addChild('Mia Keller', '2020-03-04')
  const tom = await addChild('Tom Keller', '2018-03-04')
  const youth = await world.addGroup('Youth', [mia, tom])
  for (const child of [mia, tom]) await link(ANN, child)
  // Ann herself does not see the event.
  const event = await world.addEvent({
    title: 'Youth run',
    seenBy: [youth],
    responsible: [PAUL],
    shifts: [{ start: '2031-05-04T08:00:00+02:00' }],
  })
  const own = await world.addEvent({
    title: 'Run of Ann',
    seenBy: [youth],
    responsible: [ANN],
    shifts: [{ start: '2031-05-05T08:00:00+02:00' }],
  })
  const confirm = async (child: Person, by = PAUL) => {
    const [shiftId] = (by === ANN ? own : event).shifts as [number]
    await world.addParticipation({ who: child, shift: shiftId, state: 0 })
    await moveOnBoard(
      { ...contextAs(world, by), requestId: 'one click' },
      { shiftId, who: { kind: 'local', id: child.id }, to: 1 },
    )
  }
  const copies = () =>
    write
      .selectFrom('notification')
      .select(['user_id', 'about_id', 'push'])
      .where('about_id', 'is not', null)
      .orderBy('id')
      .execute()
  beforeEach(async () => {
    service.received.length = 0
    await outbox.clear()
    await write.deleteFrom('push_device').execute()
    await write.deleteFrom('participation').execute()
    await write.updateTable('user_profile').set({ disabled_notifications: '[]' }).where('id', '=', ANN.id).execute()
  })
  const subscribe = () =>
    addPushDevice(
      contextAs(world, ANN),
      { device: 'device-of-ann', userAgent: 'Chrome' },
      pushSubscriptionForm.parse(service.subscribe('phone')),
    )

  test('are in the list of the guardian, once for each child, and lead to the page of the child', async () => {
    for (const child of [mia, tom]) await confirm(child)
    const mails = await outbox.deliver()
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, / \(for (\w+)/.exec(subject)?.[1]]),
      [
        [ANN.email, 'Mia'],
        [ANN.email, 'Tom'],
      ],
    )
    assert.deepEqual(await copies(), [
      { user_id: ANN.id, about_id: mia.id, push: 'none' },
      { user_id: ANN.id, about_id: tom.id, push: 'none' },
    ])
    const { body } = await (await browserOf(world, ANN)).get('/notifications/')
    assert.deepEqual(checkMarkup(body), [])
    assert.match(plain(body), /Youth run for Tom Keller.*Youth run for Mia Keller/)
    for (const child of [mia, tom]) assert.ok(body.includes(`href="/family/${child.id}/events/${event.id}`))
    assert.doesNotMatch((await (await browserOf(world, BEN)).get('/notifications/')).body, /Youth run/)
  })

  test('come by push to the devices of the guardian, by the settings of the guardian', async () => {
    await subscribe()
    await confirm(mia)
    await outbox.deliver()
    const message = service.received[0]!.message as { title: string; url: string }
    assert.equal(service.received.length, 1)
    assert.deepEqual([message.title, message.url.startsWith(`/family/${mia.id}/events/`)], ['Youth run (for Mia Keller)', true])
    await write
      .updateTable('user_profile')
      .set({ disabled_notifications: JSON.stringify([['push', 'participation_state']]) })
      .where('id', '=', ANN.id)
      .execute()
    await confirm(tom)
    await outbox.deliver()
    assert.equal(service.received.length, 1)
    assert.deepEqual(
      (await copies()).map(({ push }) => push),
      ['sent', 'skipped'],
    )
  })

  test('are two for the guardian of two children whom one change concerns', async () => {
    for (const who of [mia, tom]) await world.addParticipation({ who, shift: event.shifts[0]!, state: 1 })
    await outbox.record(
      { kind: 'event.cancelled', subject: { kind: 'event', id: event.id }, eventId: event.id, changes: {} },
      PAUL,
    )
    await outbox.readJournal()
    assert.deepEqual(
      (await copies()).map(({ about_id }) => about_id),
      [mia.id, tom.id],
    )
  })

  test('are not shown to a guardian who did it', async () => {
    await link(BEN, mia)
    await confirm(mia, ANN)
    await outbox.readJournal()
    assert.deepEqual(
      (await copies()).map(({ user_id }) => user_id),
      [BEN.id],
    )
    await write.deleteFrom('guardianship').where('guardian_id', '=', BEN.id).execute()
  })

  test('end with the guardianship, and come for nobody whom guardians may not act for', async () => {
    await confirm(tom)
    await outbox.readJournal()
    assert.equal((await copies()).length, 1)
    await endGuardianship(contextAs(world, ANN), { guardianId: ANN.id, childId: tom.id })
    assert.deepEqual(await write.selectFrom('notification').select('id').where('user_id', '=', ANN.id).execute(), [])
    await write.insertInto('user_permission').values({ user_id: mia.id, permission: 'view_user' }).execute()
    await confirm(mia)
    await outbox.readJournal()
    assert.deepEqual(await copies(), [])
  })
})
