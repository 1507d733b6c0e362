import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveParticipation } from '#features/disposition/commands/disposition.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { METRICS_TOKEN, openWorld } from '#test/support/world.ts'
import type { Claiming } from './commands/deliver.ts'
import { sendMail } from './jobs/deliveries.ts'
import { Post } from './post.test.ts'
import { delivery } from './schema.ts'

const MINUTE = 60_000
const NOW = new Date('2031-05-01T10:00:00Z')

describe('sending mails', async () => {
  const world = await openWorld()
  const post = new Post(world)
  const rita = await world.hasPerson({ name: 'Rita' })
  beforeEach(async () => {
    world.now = NOW
    post.refusing.clear()
    post.onSend = async () => {}
    await post.empty()
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write
      .updateTable('user_profile')
      .set({ is_active: true, email_invalid: false, disabled_notifications: '[]' })
      .execute()
  })
  const choose = (person: Person, set: Record<string, unknown>) =>
    world.db.write.updateTable('user_profile').set(set).where('id', '=', person.id).execute()

  /** An event that these people are asked to take part in, and how a responsible confirms them. */
  async function asked(people: Person[], shifts = 1) {
    const event = await world.hasEvent({
      title: 'Harbour run',
      seenBy: [HELPERS, rita],
      responsible: [PAUL],
      shifts: Array.from({ length: shifts }, (_, at) => ({ label: `No. ${at + 1}`, start: `2031-05-0${at + 4}T08:00:00+02:00` })),
    })
    for (const shift of event.shifts) for (const who of people) await world.hasParticipation({ who, shift, state: 0 })
    const move = (who: Person, to: 0 | 1 | 2 | 3, shift = 0, requestId: string | null = null) =>
      moveParticipation(
        { ...contextAs(world, PAUL), requestId },
        { shiftId: event.shifts[shift]!, who: { kind: 'local', id: who.id }, to },
      )
    return { ...event, move }
  }

  test('reading the same entry again tells nobody anything twice', async () => {
    const { move } = await asked([ANN])
    await move(ANN, 1)
    const jobs = await world.db.readPool.query(`select payload from graphile_worker._private_jobs order by id desc limit 1`)
    await post.read()
    await world.db.writePool.query(`select graphile_worker.add_job('journal', $1)`, [jobs.rows[0].payload])
    await post.read()
    await post.send()
    await post.run('queue_notifications')
    await post.send()
    assert.equal(post.sent.length, 1)
    assert.equal((await post.rows()).length, 1)
  })

  test('one address that refuses mails holds up nobody, is tried again with pauses, and is given up in the end', async () => {
    const { move } = await asked([ANN, BEN])
    post.refusing.add(ANN.email)
    await move(ANN, 1)
    await move(BEN, 1)
    assert.deepEqual(
      (await post.deliver()).map(({ to }) => to),
      [BEN.email],
    )
    const row = async () => (await post.rows()).find(({ user_id }) => user_id === ANN.id)!
    assert.deepEqual([(await row()).mail, (await row()).attempts], ['waiting', 1])
    // Not before its time, however often the timetable looks.
    await post.run('queue_notifications')
    await post.send()
    assert.equal((await row()).attempts, 1)
    let rounds = 0
    while ((await row()).mail === 'waiting' && rounds++ < 20) {
      world.now = new Date((await row()).next_attempt_at.getTime() + 1)
      await post.run('queue_notifications')
      await post.send()
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

  test('the twin: in one loop, the address that refuses mails keeps them from everybody behind it', async () => {
    const { move } = await asked([ANN, BEN])
    post.refusing.add(ANN.email)
    await move(ANN, 1)
    await move(BEN, 1)
    await post.read()
    const all = async () => {
      for (const { user_id } of await post.rows())
        await post.around.mailer.send({ to: user_id === ANN.id ? ANN.email : BEN.email, subject: '', text: '' })
    }
    await assert.rejects(all())
    assert.deepEqual(post.sent, [])
  })

  test('a mail that failed once arrives when the server is back', async () => {
    const { move } = await asked([ANN])
    post.refusing.add(ANN.email)
    await move(ANN, 1)
    await post.deliver()
    post.refusing.clear()
    world.now = new Date(NOW.getTime() + 2 * MINUTE)
    await post.run('queue_notifications')
    await post.send()
    assert.deepEqual(
      post.sent.map(({ to }) => to),
      [ANN.email],
    )
  })

  /** Two workers with the same delivery in hand, the second while the first is sending. */
  async function twice(claim?: Claiming): Promise<number> {
    const { move } = await asked([ANN])
    await move(ANN, 1)
    await post.read()
    const [job] = await post.jobs()
    const wish = delivery.parse(job!.payload)
    let isFirst = true
    post.onSend = async () => {
      if (!isFirst) return
      isFirst = false
      await sendMail(post.around, wish, claim)
    }
    await sendMail(post.around, wish, claim)
    return post.sent.length
  }
  test('two workers with the same mail in their hands send it once', async () => assert.equal(await twice(), 1))
  test('the twin: without claiming it, they send it twice', async () => {
    const take: Claiming = async (db, { person, bundle }) => {
      const rows = await db
        .selectFrom('notification')
        .select('id')
        .where('user_id', '=', person.id)
        .where('bundle', '=', bundle)
        .where('mail', '=', 'waiting')
        .execute()
      return { ids: rows.map(({ id }) => id), isDigest: false }
    }
    assert.equal(await twice(take), 2)
  })

  test('what a worker had in hand when it died is sent by another one later', async () => {
    const { move } = await asked([ANN])
    await move(ANN, 1)
    await post.read()
    await world.db.write.updateTable('notification').set({ claimed_at: NOW, attempts: 1 }).execute()
    await post.send()
    assert.equal(post.sent.length, 0)
    world.now = new Date(NOW.getTime() + 11 * MINUTE)
    await post.run('queue_notifications')
    await post.send()
    assert.equal(post.sent.length, 1)
  })

  test('all changes of one save make one mail for each person', async () => {
    const { move } = await asked([ANN, BEN], 3)
    for (const shift of [0, 1, 2]) for (const who of [ANN, BEN]) await move(who, 1, shift, 'save-1')
    const mails = await post.deliver()
    assert.deepEqual(mails.map(({ to, subject }) => [to, subject]).sort(), [
      [ANN.email, '3 changes: Harbour run'],
      [BEN.email, '3 changes: Harbour run'],
    ])
    for (const label of ['No. 1', 'No. 2', 'No. 3'])
      assert.match(mails[0]!.text, new RegExp(`confirmed and expected: .*${label}`))
  })

  test('a few saves are a few mails, many become one', async () => {
    const few = await asked([ANN], 5)
    for (const shift of [0, 1, 2, 3, 4]) await few.move(ANN, 1, shift, `few-${shift}`)
    assert.equal((await post.deliver()).length, 5)
    await post.empty()
    await world.db.write.deleteFrom('participation').execute()
    const many = await asked([ANN], 6)
    for (const shift of [0, 1, 2, 3, 4, 5]) await many.move(ANN, 1, shift, `many-${shift}`)
    const mails = await post.deliver()
    assert.equal(mails.length, 1)
    assert.match(mails[0]!.text, /Since a lot has happened/)
    assert.deepEqual(new Set((await post.rows()).map(({ mail }) => mail)), new Set(['sent']))
  })

  const SKIPPED: [what: string, reason: string, before: (of: Awaited<ReturnType<typeof asked>>) => Promise<unknown>][] = [
    ['somebody who is not active any more', 'inactive', () => world.setActive(ANN, false)],
    ['an address that mails came back from', 'address', () => choose(ANN, { email_invalid: true })],
    [
      'somebody who switched it off',
      'switched_off',
      () => choose(ANN, { disabled_notifications: JSON.stringify([['mail', 'participation_state']]) }),
    ],
    [
      'somebody who switched it off before they came here',
      'switched_off',
      () =>
        choose(ANN, { disabled_notifications: JSON.stringify([['ephios_backend_email', 'ephios_participation_state_changed']]) }),
    ],
    ['somebody who has read it', 'read', () => world.db.write.updateTable('notification').set({ read_at: NOW }).execute()],
    ['what is no longer true', 'obsolete', () => world.db.write.updateTable('participation').set({ state: 3 }).execute()],
    [
      'an event that was deleted meanwhile',
      'not_shown',
      ({ id }) => world.db.write.updateTable('event').set({ deleted_at: NOW }).where('id', '=', id).execute(),
    ],
  ]
  for (const [what, reason, change] of SKIPPED) {
    test(`no mail for ${what}`, async () => {
      const event = await asked([ANN])
      await event.move(ANN, 1)
      await post.read()
      await change(event)
      await post.send()
      assert.deepEqual(post.sent, [])
      const [row] = await post.rows()
      assert.deepEqual([row!.mail, row!.mail_reason], ['skipped', reason])
    })
  }

  test('somebody who is not active is not told at all', async () => {
    const { move } = await asked([ANN])
    await world.setActive(ANN, false)
    await move(ANN, 1)
    await post.read()
    assert.deepEqual(await post.rows(), [])
  })

  test('confirmed and then rejected before the mail was sent: one mail, with the last word', async () => {
    const { move } = await asked([ANN])
    await move(ANN, 1)
    await move(ANN, 3)
    const mails = await post.deliver()
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Not this time: Harbour run'],
    )
  })

  test('a mail says who answers, how to have no more of them, and that it was sent by a program', async () => {
    const { move } = await asked([ANN])
    await move(ANN, 1)
    const [mail] = await post.deliver()
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
  const post = new Post(world)
  const early = new Date('2031-04-20T10:00:00Z')
  const confirmed = async (who: Person, start: string, wish: object = {}, state: 0 | 1 = 1) => {
    world.now = early
    const { shifts, id } = await world.hasEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [{ start }], ...wish })
    await world.hasParticipation({ who, shift: shifts[0]!, state })
    return { id, shift: shifts[0]! }
  }
  beforeEach(async () => {
    await post.empty()
    await world.db.write.deleteFrom('participation').execute()
  })
  const remindAt = async (time: string) => {
    world.now = new Date(time)
    await post.run('remind')
    return (await post.deliver()).map(({ to, subject }) => [to, subject])
  }

  test('come a day before, once', async () => {
    await confirmed(ANN, '2031-05-04T08:00:00+02:00')
    assert.deepEqual(await remindAt('2031-05-03T07:59:00+02:00'), [])
    assert.deepEqual(await remindAt('2031-05-03T08:00:00+02:00'), [[ANN.email, 'Reminder, tomorrow: Harbour run']])
    assert.deepEqual(await remindAt('2031-05-03T08:10:00+02:00'), [])
    assert.deepEqual(await remindAt('2031-05-04T07:50:00+02:00'), [])
  })

  test('come again when the shift is moved to another day', async () => {
    const { shift } = await confirmed(ANN, '2031-05-04T08:00:00+02:00')
    assert.equal((await remindAt('2031-05-03T08:00:00+02:00')).length, 1)
    const times = {
      meeting_time: new Date('2031-05-06T06:00:00Z'),
      start_time: new Date('2031-05-06T06:00:00Z'),
      end_time: new Date('2031-05-06T09:00:00Z'),
    }
    await world.db.write.updateTable('shift').set(times).where('id', '=', shift).execute()
    assert.equal((await remindAt('2031-05-05T08:30:00+02:00')).length, 1)
  })

  const NOT: [what: string, wish: object, state: 0 | 1][] = [
    ['a cancelled event', { cancelled: true }, 1],
    ['a deleted event', { deleted: true }, 1],
    ['a draft', { draft: true }, 1],
    ['somebody who has only asked', {}, 0],
  ]
  for (const [what, wish, state] of NOT)
    test(`do not come for ${what}`, async () => {
      await confirmed(ANN, '2031-05-04T08:00:00+02:00', wish, state)
      assert.deepEqual(await remindAt('2031-05-03T12:00:00+02:00'), [])
    })

  test('of one day are one mail', async () => {
    await confirmed(BEN, '2031-05-04T08:00:00+02:00')
    await confirmed(BEN, '2031-05-04T14:00:00+02:00', { title: 'City fair' })
    const mails = await remindAt('2031-05-03T20:00:00+02:00')
    assert.deepEqual(mails, [[BEN.email, '2 pieces of news from Turnout']])
  })

  test('and all other news are forgotten after three months', async () => {
    await confirmed(ANN, '2031-05-04T08:00:00+02:00')
    await remindAt('2031-05-03T08:00:00+02:00')
    world.now = new Date('2031-07-31T08:00:00Z')
    await post.run('forget_notifications')
    assert.equal((await post.rows()).length, 1)
    world.now = new Date('2031-08-02T08:00:00Z')
    await post.run('forget_notifications')
    assert.equal((await post.rows()).length, 0)
  })
})
