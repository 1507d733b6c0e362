import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { METRICS_TOKEN, openWorld } from '#test/support/world.ts'
import { type ClaimMail, deleteOldNotifications } from './commands/delivery.ts'
import { sendMail } from './jobs/deliveries.ts'
import { KEEP_MS, UNDO_SETTLE_SECONDS } from './rules/delivery.ts'
import { delivery } from './schema.ts'

const MINUTE = 60_000
const NOW = new Date('2031-05-01T10:00:00Z')

describe('notification mails', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const rita = await world.addPerson({ name: 'Rita' })
  beforeEach(async () => {
    world.now = NOW
    outbox.refusing.clear()
    outbox.onSend = async () => {}
    await outbox.clear()
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write
      .updateTable('user_profile')
      .set({ is_active: true, email_invalid: false, disabled_notifications: '[]' })
      .execute()
  })
  const updateProfile = (person: Person, set: Record<string, unknown>) =>
    world.db.write.updateTable('user_profile').set(set).where('id', '=', person.id).execute()

  /** An event with requests of these people, and a function by which a responsible decides about them. */
  async function addRequests(people: Person[], shifts = 1) {
    const event = await world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS, rita],
      responsible: [PAUL],
      shifts: Array.from({ length: shifts }, (_, at) => ({ label: `No. ${at + 1}`, start: `2031-05-0${at + 4}T08:00:00+02:00` })),
    })
    for (const shift of event.shifts) for (const who of people) await world.addParticipation({ who, shift, state: 0 })
    const move = (who: Person, to: 0 | 1 | 2 | 3, shift = 0, requestId: string | null = null) =>
      moveOnBoard(
        { ...contextAs(world, PAUL), requestId },
        { shiftId: event.shifts[shift]!, who: { kind: 'local', id: who.id }, to },
      )
    return { ...event, move }
  }

  test('are sent once even if the journal entry is read twice', async () => {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    const jobs = await world.db.readPool.query(`select payload from graphile_worker._private_jobs order by id desc limit 1`)
    await outbox.readJournal()
    await world.db.writePool.query(`select graphile_worker.add_job('journal', $1)`, [jobs.rows[0].payload])
    await outbox.readJournal()
    await outbox.sendQueued()
    await outbox.runTask('queue_notifications')
    await outbox.sendQueued()
    assert.equal(outbox.sent.length, 1)
    assert.equal((await outbox.rows()).length, 1)
  })

  test('are retried with growing delays and given up, without delaying other recipients', async () => {
    const { move } = await addRequests([ANN, BEN])
    outbox.refusing.add(ANN.email)
    await move(ANN, 1)
    await move(BEN, 1)
    assert.deepEqual(
      (await outbox.deliver()).map(({ to }) => to),
      [BEN.email],
    )
    const row = async () => (await outbox.rows()).find(({ user_id }) => user_id === ANN.id)!
    assert.deepEqual([(await row()).mail, (await row()).attempts], ['waiting', 1])
    // Running the schedule more often does not cause earlier attempts.
    await outbox.runTask('queue_notifications')
    await outbox.sendQueued()
    assert.equal((await row()).attempts, 1)
    let rounds = 0
    while ((await row()).mail === 'waiting' && rounds++ < 20) {
      world.now = new Date((await row()).next_attempt_at.getTime() + 1)
      await outbox.runTask('queue_notifications')
      await outbox.sendQueued()
    }
    assert.deepEqual([(await row()).mail, (await row()).attempts], ['failed', 8])
    assert.doesNotMatch((await row()).mail_reason!, /ann@/)
    assert.match((await row()).mail_reason!, /550 no such person/)
    assert.ok(world.logLines.some((line) => /could not be sent/.test(line)))
    assert.ok(!world.logLines.some((line) => line.includes(ANN.email)))
    const metrics = await world.with({ authorization: `Bearer ${METRICS_TOKEN}` }).get('/metrics', { unchecked: true })
    assert.match(metrics.text, /^turnout_mails_failed 1$/m)
    assert.doesNotMatch(metrics.text, /ann@/)
  })

  test('twin: sent in one loop, a refused address keeps mails from all later recipients', async () => {
    const { move } = await addRequests([ANN, BEN])
    outbox.refusing.add(ANN.email)
    await move(ANN, 1)
    await move(BEN, 1)
    await outbox.readJournal()
    const all = async () => {
      for (const { user_id } of await outbox.rows())
        await outbox.context.mailer.send({ to: user_id === ANN.id ? ANN.email : BEN.email, subject: '', text: '' })
    }
    await assert.rejects(all())
    assert.deepEqual(outbox.sent, [])
  })

  test('arrive when the mail server works again', async () => {
    const { move } = await addRequests([ANN])
    outbox.refusing.add(ANN.email)
    await move(ANN, 1)
    await outbox.deliver()
    outbox.refusing.clear()
    world.now = new Date(NOW.getTime() + 2 * MINUTE)
    await outbox.runTask('queue_notifications')
    await outbox.sendQueued()
    assert.deepEqual(
      outbox.sent.map(({ to }) => to),
      [ANN.email],
    )
  })

  /** Two workers run the same delivery, the second while the first is sending. */
  async function sendConcurrently(claim?: ClaimMail): Promise<number> {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    await outbox.readJournal()
    world.now = new Date(world.now.getTime() + UNDO_SETTLE_SECONDS * 1000)
    const [job] = await outbox.jobs()
    const payload = delivery.parse(job!.payload)
    let isFirst = true
    outbox.onSend = async () => {
      if (!isFirst) return
      isFirst = false
      await sendMail(outbox.context, payload, claim)
    }
    await sendMail(outbox.context, payload, claim)
    return outbox.sent.length
  }
  test('are sent once by two workers with the same job', async () => assert.equal(await sendConcurrently(), 1))
  test('twin: without a claim, two workers send them twice', async () => {
    const withoutClaim: ClaimMail = async (db, { person, bundle }) => {
      const rows = await db
        .selectFrom('notification')
        .select('id')
        .where('user_id', '=', person.id)
        .where('bundle', '=', bundle)
        .where('mail', '=', 'waiting')
        .execute()
      return { ids: rows.map(({ id }) => id), isDigest: false }
    }
    assert.equal(await sendConcurrently(withoutClaim), 2)
  })

  test('of a worker that died are sent by another one after the claim expired', async () => {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    await outbox.readJournal()
    await world.db.write.updateTable('notification').set({ claimed_at: NOW, attempts: 1 }).execute()
    await outbox.sendQueued()
    assert.equal(outbox.sent.length, 0)
    world.now = new Date(NOW.getTime() + 11 * MINUTE)
    await outbox.runTask('queue_notifications')
    await outbox.sendQueued()
    assert.equal(outbox.sent.length, 1)
  })

  test('hold all changes of one request, one mail per recipient', async () => {
    const { move } = await addRequests([ANN, BEN], 3)
    for (const shift of [0, 1, 2]) for (const who of [ANN, BEN]) await move(who, 1, shift, 'save-1')
    const mails = await outbox.deliver()
    assert.deepEqual(mails.map(({ to, subject }) => [to, subject]).sort(), [
      [ANN.email, '3 changes: Harbour run'],
      [BEN.email, '3 changes: Harbour run'],
    ])
    for (const label of ['No. 1', 'No. 2', 'No. 3']) assert.match(mails[0]!.text, new RegExp(`You are confirmed: .*${label}`))
  })

  test('of up to five requests are separate, of more become one digest', async () => {
    const few = await addRequests([ANN], 5)
    for (const shift of [0, 1, 2, 3, 4]) await few.move(ANN, 1, shift, `few-${shift}`)
    assert.equal((await outbox.deliver()).length, 5)
    await outbox.clear()
    await world.db.write.deleteFrom('participation').execute()
    const many = await addRequests([ANN], 6)
    for (const shift of [0, 1, 2, 3, 4, 5]) await many.move(ANN, 1, shift, `many-${shift}`)
    const mails = await outbox.deliver()
    assert.equal(mails.length, 1)
    assert.match(mails[0]!.text, /Here is everything that happened/)
    assert.deepEqual(new Set((await outbox.rows()).map(({ mail }) => mail)), new Set(['sent']))
  })

  const SKIPPED: [what: string, reason: string, before: (of: Awaited<ReturnType<typeof addRequests>>) => Promise<unknown>][] = [
    ['an inactive user', 'inactive', () => world.setActive(ANN, false)],
    ['an address that does not work', 'address', () => updateProfile(ANN, { email_invalid: true })],
    [
      'a user who switched this kind off',
      'switched_off',
      () => updateProfile(ANN, { disabled_notifications: JSON.stringify([['mail', 'participation_state']]) }),
    ],
    [
      'a user who switched this kind off in imported data',
      'switched_off',
      () =>
        updateProfile(ANN, {
          disabled_notifications: JSON.stringify([['ephios_backend_email', 'ephios_participation_state_changed']]),
        }),
    ],
    ['a notification that was read', 'read', () => world.db.write.updateTable('notification').set({ read_at: NOW }).execute()],
    [
      'a notification that is obsolete',
      'obsolete',
      () => world.db.write.updateTable('participation').set({ state: 3 }).execute(),
    ],
    [
      'an event that was deleted meanwhile',
      'not_shown',
      ({ id }) => world.db.write.updateTable('event').set({ deleted_at: NOW }).where('id', '=', id).execute(),
    ],
  ]
  for (const [what, reason, change] of SKIPPED) {
    test(`are skipped for ${what}`, async () => {
      const event = await addRequests([ANN])
      await event.move(ANN, 1)
      await outbox.readJournal()
      await change(event)
      await outbox.sendQueued()
      assert.deepEqual(outbox.sent, [])
      const [row] = await outbox.rows()
      assert.deepEqual([row!.mail, row!.mail_reason], ['skipped', reason])
    })
  }

  test('inactive users get no notification', async () => {
    const { move } = await addRequests([ANN])
    await world.setActive(ANN, false)
    await move(ANN, 1)
    await outbox.readJournal()
    assert.deepEqual(await outbox.rows(), [])
  })

  test('report only the last of two decisions that were made before sending', async () => {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    await move(ANN, 3)
    const mails = await outbox.deliver()
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Not this time: Harbour run'],
    )
  })

  test('of several kinds have one unsubscribe link, which switches off all of them', async () => {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    const changes = { qualification_id: 1, expires_at: [null, null] } as const
    await outbox.record(
      { kind: 'user.qualification_granted', subject: { kind: 'user', id: ANN.id }, changes },
      PAUL,
      'one request',
    )
    await outbox.readJournal()
    await world.db.write.updateTable('notification').set({ bundle: 'one' }).execute()
    world.now = new Date(world.now.getTime() + UNDO_SETTLE_SECONDS * 1000)
    await sendMail(outbox.context, { person: { kind: 'user', id: ANN.id }, bundle: 'one' })
    const [mail] = outbox.sent
    const [, path] = /^<https:\/\/a\.example(\/notifications\/off\/1\.participation_state~profile_changed\.[\w-]{43}\/)>$/.exec(
      mail!.headers!['List-Unsubscribe']!,
    )!
    assert.ok(mail!.text.includes(path!))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await world.with(headers).request('POST', path!, { body: 'List-Unsubscribe=One-Click', unchecked: true })
    assert.equal(answer.status, 200)
    const { disabled_notifications } = await world.db.read
      .selectFrom('user_profile')
      .select('disabled_notifications')
      .where('id', '=', ANN.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(disabled_notifications, [
      ['mail', 'participation_state'],
      ['mail', 'profile_changed'],
    ])
    await world.db.write.updateTable('user_profile').set({ disabled_notifications: '[]' }).where('id', '=', ANN.id).execute()
    const forged = path!.replace('~profile_changed', '~shift_moved')
    assert.equal((await world.with(headers).request('POST', forged, { body: '', unchecked: true })).status, 404)
  })

  test('have a reply address, unsubscribe headers, a link and the time', async () => {
    const { move } = await addRequests([ANN])
    await move(ANN, 1)
    const [mail] = await outbox.deliver()
    assert.equal(mail!.replyTo, PAUL.email)
    assert.match(
      mail!.headers!['List-Unsubscribe']!,
      /^<https:\/\/a\.example\/notifications\/off\/1\.participation_state\.[\w-]{43}\/>$/,
    )
    assert.equal(mail!.headers!['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
    for (const body of [mail!.text, mail!.html!]) {
      assert.match(body, /https:\/\/a\.example\/events\/\d+-harbour-run\//)
      assert.match(body, /Sun 4 May 08:00–09:00/)
      assert.match(body, /Paul/)
    }
  })
})

describe('reminders', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const early = new Date('2031-04-20T10:00:00Z')
  const addShift = async (who: Person, start: string, event: object = {}, state: 0 | 1 = 1) => {
    world.now = early
    const { shifts, id } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [{ start }], ...event })
    await world.addParticipation({ who, shift: shifts[0]!, state })
    return { id, shift: shifts[0]! }
  }
  beforeEach(async () => {
    await outbox.clear()
    await world.db.write.deleteFrom('participation').execute()
  })
  const remindAt = async (time: string) => {
    world.now = new Date(time)
    await outbox.runTask('remind')
    return (await outbox.deliver()).map(({ to, subject }) => [to, subject])
  }

  test('come as long before as the person chose, or else the organisation', async () => {
    const setting = { name: 'reminder_hours', value: '48' }
    await world.db.write.insertInto('setting').values(setting).execute()
    await world.db.write.updateTable('user_profile').set({ reminder_hours: 6 }).where('id', '=', BEN.id).execute()
    await addShift(ANN, '2031-05-04T08:00:00+02:00')
    await addShift(BEN, '2031-05-04T08:00:00+02:00')
    assert.deepEqual(await remindAt('2031-05-02T07:59:00+02:00'), [])
    assert.deepEqual(
      (await remindAt('2031-05-02T08:00:00+02:00')).map(([to]) => to),
      [ANN.email],
    )
    assert.deepEqual(await remindAt('2031-05-04T01:59:00+02:00'), [])
    assert.deepEqual(
      (await remindAt('2031-05-04T02:00:00+02:00')).map(([to]) => to),
      [BEN.email],
    )
    await world.db.write.deleteFrom('setting').where('name', '=', 'reminder_hours').execute()
    await world.db.write.updateTable('user_profile').set({ reminder_hours: null }).execute()
  })

  test('are sent once, a day before', async () => {
    await addShift(ANN, '2031-05-04T08:00:00+02:00')
    assert.deepEqual(await remindAt('2031-05-03T07:59:00+02:00'), [])
    assert.deepEqual(await remindAt('2031-05-03T08:00:00+02:00'), [[ANN.email, 'Reminder, tomorrow: Harbour run']])
    assert.deepEqual(await remindAt('2031-05-03T08:10:00+02:00'), [])
    assert.deepEqual(await remindAt('2031-05-04T07:50:00+02:00'), [])
  })

  for (const [what, meeting, names] of [
    ['no meeting time', '2031-05-04T08:00:00+02:00', false],
    ['a meeting time', '2031-05-04T07:30:00+02:00', true],
  ] as const)
    test(`${names ? 'name' : 'do not name'} a meeting of a shift with ${what} to a person who comes later`, async () => {
      const { shift } = await addShift(ANN, '2031-05-04T08:00:00+02:00')
      const individual = { individual_start_time: new Date('2031-05-04T08:20:00+02:00') }
      await world.db.write.updateTable('participation').set(individual).where('shift_id', '=', shift).execute()
      await world.db.write
        .updateTable('shift')
        .set({ meeting_time: new Date(meeting) })
        .where('id', '=', shift)
        .execute()
      world.now = new Date('2031-05-03T09:00:00+02:00')
      await outbox.runTask('remind')
      const [mail] = await outbox.deliver()
      assert.equal(/Meet at/.test(mail!.text), names, mail!.text)
    })

  test('are sent again when the shift moves to another day', async () => {
    const { shift } = await addShift(ANN, '2031-05-04T08:00:00+02:00')
    assert.equal((await remindAt('2031-05-03T08:00:00+02:00')).length, 1)
    const times = {
      meeting_time: new Date('2031-05-06T06:00:00Z'),
      start_time: new Date('2031-05-06T06:00:00Z'),
      end_time: new Date('2031-05-06T09:00:00Z'),
    }
    await world.db.write.updateTable('shift').set(times).where('id', '=', shift).execute()
    assert.equal((await remindAt('2031-05-05T08:30:00+02:00')).length, 1)
  })

  test('are sent once when the shift moves within a day that has two dates in UTC', async () => {
    const { shift } = await addShift(ANN, '2031-05-04T00:30:00+02:00')
    assert.equal((await remindAt('2031-05-03T08:00:00+02:00')).length, 1)
    const later = new Date('2031-05-04T06:00:00Z')
    const times = { meeting_time: later, start_time: later, end_time: new Date('2031-05-04T09:00:00Z') }
    await world.db.write.updateTable('shift').set(times).where('id', '=', shift).execute()
    await outbox.deliver()
    assert.deepEqual(await remindAt('2031-05-03T09:00:00+02:00'), [])
  })

  const NO_REMINDER: [what: string, event: object, state: 0 | 1][] = [
    ['a cancelled event', { cancelled: true }, 1],
    ['a deleted event', { deleted: true }, 1],
    ['a draft', { draft: true }, 1],
    ['a request', {}, 0],
  ]
  for (const [what, event, state] of NO_REMINDER)
    test(`are not sent for ${what}`, async () => {
      await addShift(ANN, '2031-05-04T08:00:00+02:00', event, state)
      assert.deepEqual(await remindAt('2031-05-03T12:00:00+02:00'), [])
    })

  test('select the confirmed people of coming shifts, before any mail is considered', async () => {
    const start = '2031-05-04T08:00:00+02:00'
    const times = { start, end: '2031-05-04T12:00:00+02:00' }
    const { shifts } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [times] })
    const shift = shifts[0]!
    world.now = early
    const inactive = await world.addPerson({ name: 'Ines', isActive: false })
    const [rejected, declined] = [await world.addPerson({ name: 'Rosa' }), await world.addPerson({ name: 'Dora' })]
    const dispatched = await world.addPerson({ name: 'Gerd' })
    const fresh = await world.addPerson({ name: 'Fritz' })
    const selected = [
      await world.addParticipation({ who: ANN, shift }),
      await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift }),
      await world.addParticipation({ who: { visitor: { name: 'Nina' }, of: NORD }, shift }),
      await world.addParticipation({ who: PAUL, shift, start: '2031-05-04T10:00:00+02:00' }),
    ]
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: declined, shift, state: 2 })
    await world.addParticipation({ who: rejected, shift, state: 3 })
    await world.addParticipation({ who: dispatched, shift, state: 4 })
    await world.addParticipation({ who: inactive, shift })
    await world.addParticipation({ who: { placeholder: 'Fire brigade' }, shift })
    for (const event of [{ cancelled: true }, { deleted: true }, { draft: true }]) await addShift(OLGA, start, event)
    // Confirmed on the last day.
    world.now = new Date('2031-05-03T09:00:00+02:00')
    await world.addParticipation({ who: fresh, shift })
    const remindedAt = async (time: string) => {
      world.now = new Date(time)
      await outbox.runTask('remind')
      const rows = await world.db.read
        .selectFrom('notification')
        .select('participation_id')
        .where('kind', '=', 'reminder')
        .orderBy('participation_id')
        .execute()
      return rows.map(({ participation_id }) => participation_id)
    }
    assert.deepEqual(await remindedAt('2031-05-03T07:59:59+02:00'), [])
    assert.deepEqual(await remindedAt('2031-05-03T09:30:00+02:00'), selected.slice(0, 3), 'Paul begins later')
    assert.deepEqual(await remindedAt('2031-05-03T10:00:00+02:00'), selected)
    await outbox.clear()
    assert.deepEqual(await remindedAt('2031-05-04T08:00:00+02:00'), selected.slice(3), 'the shift of the others has begun')
  })

  test('of one day go into one mail', async () => {
    await addShift(BEN, '2031-05-04T08:00:00+02:00')
    await addShift(BEN, '2031-05-04T14:00:00+02:00', { title: 'City fair' })
    const mails = await remindAt('2031-05-03T20:00:00+02:00')
    assert.deepEqual(mails, [[BEN.email, '2 notifications from Turnout']])
  })

  test('are deleted after 90 days, like all notifications', async () => {
    await addShift(ANN, '2031-05-04T08:00:00+02:00')
    await remindAt('2031-05-03T08:00:00+02:00')
    world.now = new Date('2031-07-31T08:00:00Z')
    const forget = () => deleteOldNotifications(world.db.write, new Date(world.now.getTime() - KEEP_MS))
    assert.equal(await forget(), 0)
    assert.equal((await outbox.rows()).length, 1)
    world.now = new Date('2031-08-02T08:00:00Z')
    assert.equal(await forget(), 1)
    assert.equal((await outbox.rows()).length, 0)
  })
})
