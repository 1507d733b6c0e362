import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { changePerson } from '#features/accounts/users/commands/people.ts'
import { customize, decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const INSTANT = { flow: 'instant_confirmation' }
const FREE = { flowConfiguration: { user_can_decline_confirmed: true, user_can_customize_signup_times: true } }
const START = '2031-05-04T08:00:00+02:00'
const LATER = '2031-05-04T09:00:00+02:00'
const END = '2031-05-04T12:00:00+02:00'
const OVER = { start: '2031-04-20T08:00:00.000Z', end: '2031-04-20T12:00:00.000Z' }

describe('notifications go to', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const setLanguage = (person: Person, language: 'en' | 'de') =>
    world.db.write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', person.id).execute()
  await setLanguage(BEN, 'de')
  const rita = await world.addPerson({ name: 'Rita' })
  const planned = (shift: object = {}) =>
    world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS],
      responsible: [PLANNERS, rita],
      shifts: [{ label: 'North', start: START, end: END, ...shift }],
    })
  beforeEach(async () => {
    await outbox.clear()
    await world.db.write.deleteFrom('participation').execute()
  })

  type Mails = [to: string, subject: string][]
  const mails = async (): Promise<Mails> =>
    (await outbox.deliver()).map(({ to, subject }): [string, string] => [to, subject]).sort()

  test('a changed profile: the person, not the one who changed it', async () => {
    const stella = await world.addPerson({ name: 'Stella', isStaff: true })
    const { name, email, dateOfBirth } = ANN
    const form = { name, email, date_of_birth: dateOfBirth, phone: '040 555000', language: 'en', groups: [HELPERS.id] } as const
    const change = (who: Person, more: object) =>
      changePerson(contextAs(world, stella), who.id, {
        ...form,
        groups: [...form.groups],
        is_staff: false,
        is_visible: true,
        ...more,
      })
    await change(ANN, { groups: [] })
    const [mail, ...others] = await outbox.deliver()
    assert.deepEqual([mail!.to, mail!.subject, others], [ANN.email, 'Your profile was changed', []])
    assert.match(mail!.text, /Your profile was changed: phone and groups\..*Changed by Stella\./s)
    assert.match(mail!.text, /https:\/\/a\.example\/settings\/profile\//)
    await change(stella, { name: 'Stella S', email: stella.email, is_staff: true })
    assert.deepEqual(await mails(), [])
    assert.match(
      (await world.withSession(ANN).get('/notifications/', { unchecked: true })).text,
      /Your profile was changed: phone/,
    )
  })

  const CASES: [what: string, act: () => Promise<unknown>, expected: Mails][] = [
    [
      'a request: the responsibles',
      async () => signUp(contextAs(world, ANN), { shiftId: (await planned()).shifts[0]! }),
      [
        [PAUL.email, 'Ann wants to take part: Harbour run'],
        [rita.email, 'Ann wants to take part: Harbour run'],
      ],
    ],
    [
      'an instant sign-up: the responsibles',
      async () => signUp(contextAs(world, ANN), { shiftId: (await planned(INSTANT)).shifts[0]! }),
      [
        [PAUL.email, 'Ann takes part: Harbour run'],
        [rita.email, 'Ann takes part: Harbour run'],
      ],
    ],
    [
      'a confirmation: the participant in their language, and the other responsible',
      async () => {
        const { shifts } = await planned()
        await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 0 })
        await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: BEN.id }, to: 1 })
      },
      [
        [BEN.email, 'Du bist bestätigt: Harbour run'],
        [rita.email, 'Ben is confirmed: Harbour run'],
      ],
    ],
    [
      'a rejection: the participant and the other responsible',
      async () => {
        const { shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
        await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to: 3 })
      },
      [
        [ANN.email, 'Not this time: Harbour run'],
        [rita.email, 'Ann was rejected: Harbour run'],
      ],
    ],
    [
      'new times of a confirmed participant: that participant',
      async () => {
        const { shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        const times = { start: new Date(LATER), end: null }
        await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to: 1, times })
      },
      [[ANN.email, 'Your times have changed: Harbour run']],
    ],
    [
      'real times after the shift: nobody',
      async () => {
        const { shifts } = await planned(OVER)
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        const times = { start: new Date('2031-04-20T09:00:00Z'), end: null }
        await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to: 1, times })
      },
      [],
    ],
    [
      'a correction of a shift that is over, and of the place: nobody',
      async () => {
        const { id, shifts } = await planned(OVER)
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        const subject = { kind: 'shift', id: shifts[0]! } as const
        const before = '2031-04-20T07:00:00.000Z'
        await outbox.record({ kind: 'shift.changed', subject, eventId: id, changes: { start_time: [before, OVER.start] } }, PAUL)
        const changes = { location: ['Pier 3', ''] as const }
        await outbox.record({ kind: 'event.changed', subject: { kind: 'event', id }, eventId: id, changes }, PAUL)
      },
      [],
    ],
    [
      'a confirmed participant declines: the responsibles',
      async () => {
        const { shifts } = await planned(FREE)
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        await decline(contextAs(world, ANN), { shiftId: shifts[0]! })
      },
      [
        [PAUL.email, 'Ann cannot come after all: Harbour run'],
        [rita.email, 'Ann cannot come after all: Harbour run'],
      ],
    ],
    [
      'a request is withdrawn: the responsibles',
      async () => {
        const { shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
        await decline(contextAs(world, ANN), { shiftId: shifts[0]! })
      },
      [
        [PAUL.email, 'Ann withdrew the request: Harbour run'],
        [rita.email, 'Ann withdrew the request: Harbour run'],
      ],
    ],
    [
      'a decline without a request: the responsibles',
      async () => decline(contextAs(world, ANN), { shiftId: (await planned()).shifts[0]! }),
      [
        [PAUL.email, 'Ann cannot come: Harbour run'],
        [rita.email, 'Ann cannot come: Harbour run'],
      ],
    ],
    [
      'a participant changes their own times: the responsibles',
      async () => {
        const { shifts } = await planned(FREE)
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        const outcome = await customize(contextAs(world, ANN), {
          shiftId: shifts[0]!,
          details: { times: { start: new Date(LATER), end: null } },
        })
        assert.ok(outcome.ok, JSON.stringify(outcome))
      },
      [
        [PAUL.email, 'Ann changed their times: Harbour run'],
        [rita.email, 'Ann changed their times: Harbour run'],
      ],
    ],
    [
      'a late change that needs a new decision: the responsibles',
      async () => {
        const { shifts } = await planned({
          flowConfiguration: { ...FREE.flowConfiguration, late_change_asks_again: 'P30D' },
        })
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        await customize(contextAs(world, ANN), {
          shiftId: shifts[0]!,
          details: { times: { start: new Date(LATER), end: null } },
        })
      },
      [
        [PAUL.email, 'Ann needs a new decision: Harbour run'],
        [rita.email, 'Ann needs a new decision: Harbour run'],
      ],
    ],
    [
      'a moved shift: participants who are requested or confirmed',
      async () => {
        const { id, shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
        await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
        await world.addParticipation({ who: OLGA, shift: shifts[0]!, state: 2 })
        await world.db.write
          .updateTable('shift')
          .set({ start_time: new Date(LATER) })
          .where('id', '=', shifts[0]!)
          .execute()
        const changes = { start_time: [new Date(START).toISOString(), new Date(LATER).toISOString()] as const }
        await outbox.record({ kind: 'shift.changed', subject: { kind: 'shift', id: shifts[0]! }, eventId: id, changes }, PAUL)
      },
      [
        [ANN.email, 'New time: Harbour run'],
        [BEN.email, 'Neue Zeit: Harbour run'],
      ],
    ],
    [
      'a new place: each participant once, even with several shifts',
      async () => {
        const { id, shifts } = await world.addEvent({
          seenBy: [HELPERS],
          responsible: [PAUL],
          location: 'Pier 4',
          shifts: [{ start: START }, { start: LATER }],
        })
        for (const shift of shifts) await world.addParticipation({ who: ANN, shift })
        const changes = { location: ['Pier 3', 'Pier 4'] as const }
        await outbox.record({ kind: 'event.changed', subject: { kind: 'event', id }, eventId: id, changes }, PAUL)
      },
      [[ANN.email, 'New place: Harbour run']],
    ],
    [
      'a changed description: nobody',
      async () => {
        const { id, shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]! })
        const changes = { description: ['a', 'b'] as const }
        await outbox.record({ kind: 'event.changed', subject: { kind: 'event', id }, eventId: id, changes }, PAUL)
      },
      [],
    ],
    [
      'a cancelled event: participants, except the user who cancelled it',
      async () => {
        const { id, shifts } = await world.addEvent({
          seenBy: [HELPERS],
          responsible: [PAUL],
          cancelled: true,
          shifts: [{}],
        })
        for (const who of [ANN, PAUL]) await world.addParticipation({ who, shift: shifts[0]! })
        await outbox.record({ kind: 'event.cancelled', subject: { kind: 'event', id }, eventId: id, changes: {} }, PAUL)
      },
      [[ANN.email, 'Cancelled: Harbour run']],
    ],
    [
      'a deleted event: participants',
      async () => {
        const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], deleted: true, shifts: [{}] })
        await world.addParticipation({ who: BEN, shift: shifts[0]! })
        await outbox.record(
          {
            kind: 'event.deleted',
            subject: { kind: 'event', id },
            eventId: id,
            changes: { deleted_at: [null, START], title: ['', ''] },
          },
          PAUL,
        )
      },
      [[BEN.email, 'Gelöscht: Harbour run']],
    ],
    [
      'a restored event: participants',
      async () => {
        const { id, shifts } = await planned()
        await world.addParticipation({ who: ANN, shift: shifts[0]! })
        await outbox.record(
          { kind: 'event.restored', subject: { kind: 'event', id }, eventId: id, changes: { deleted_at: [START, null] } },
          PAUL,
        )
      },
      [[ANN.email, 'Takes place after all: Harbour run']],
    ],
    [
      'a deleted shift: users in the journal entry',
      async () => {
        const { id } = await planned()
        const changes = {
          confirmed_user_ids: [[ANN.id, PAUL.id], []],
          requested_user_ids: [[BEN.id], []],
          label: ['South', null],
          start_time: [START, null],
          end_time: [END, null],
        } as const
        await outbox.record({ kind: 'shift.deleted', subject: { kind: 'shift', id: 999 }, eventId: id, changes }, PAUL)
      },
      [
        [ANN.email, 'A shift was deleted: Harbour run'],
        [BEN.email, 'Eine Schicht wurde gelöscht: Harbour run'],
      ],
    ],
    [
      'a deleted shift: guests in the journal entry',
      async () => {
        const { id, shifts } = await planned()
        await world.addParticipation({ who: { guest: { name: 'Gil' } }, shift: shifts[0]! })
        const guest = await world.db.read
          .selectFrom('guest')
          .select('id')
          .where('display_name', '=', 'Gil')
          .executeTakeFirstOrThrow()
        const changes = {
          confirmed_user_ids: [[], []],
          requested_user_ids: [[], []],
          guest_ids: [[guest.id], []],
          label: ['South', null],
          start_time: [START, null],
          end_time: [END, null],
        } as const
        await outbox.record({ kind: 'shift.deleted', subject: { kind: 'shift', id: 999 }, eventId: id, changes }, PAUL)
      },
      [['Gil@guest.example', 'A shift was deleted: Harbour run']],
    ],
    [
      'a published event: participants confirmed in the draft, for each of their shifts',
      async () => {
        const { id, shifts } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [{}, {}] })
        for (const shift of shifts) await world.addParticipation({ who: ANN, shift })
        await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 0 })
        await outbox.record(
          { kind: 'event.published', subject: { kind: 'event', id }, eventId: id, changes: { active: [false, true] } },
          PAUL,
        )
      },
      [[ANN.email, '2 changes: Harbour run']],
    ],
    [
      'a published event: users who opted in and can see it',
      async () => {
        const { id } = await planned()
        const wants = { enabled_notifications: JSON.stringify([['mail', 'event_published']]) }
        await world.db.write.updateTable('user_profile').set(wants).where('id', 'in', [BEN.id, OLGA.id]).execute()
        await outbox.record(
          { kind: 'event.published', subject: { kind: 'event', id }, eventId: id, changes: { active: [false, true] } },
          PAUL,
        )
      },
      [[BEN.email, 'Neue Veranstaltung: Harbour run']],
    ],
    [
      'a cancelled event: guests too, but no placeholders',
      async () => {
        const { id, shifts } = await world.addEvent({ cancelled: true, shifts: [{}] })
        await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: shifts[0]! })
        await world.addParticipation({ who: { placeholder: 'A neighbour' }, shift: shifts[0]! })
        await outbox.record({ kind: 'event.cancelled', subject: { kind: 'event', id }, eventId: id, changes: {} }, PAUL)
      },
      [['Gus@guest.example', 'Cancelled: Harbour run']],
    ],
  ]
  for (const [what, act, expected] of CASES) {
    test(what, async () => {
      await act()
      assert.deepEqual(await mails(), expected.toSorted())
    })
  }

  test('a responsible gets one notification about their own participation, and none about what they did', async () => {
    const { shifts } = await planned()
    await world.addParticipation({ who: PAUL, shift: shifts[0]!, state: 0 })
    await moveOnBoard(contextAs(world, rita), { shiftId: shifts[0]!, who: { kind: 'local', id: PAUL.id }, to: 1 }).catch(() => {})
    await world.grants(rita, 'change_event')
    const context = contextAs(world, { ...rita, permissions: ['change_event'] })
    await moveOnBoard(context, { shiftId: shifts[0]!, who: { kind: 'local', id: PAUL.id }, to: 1 })
    assert.deepEqual(await mails(), [[PAUL.email, 'You are confirmed: Harbour run']])
  })

  test('the mail to a participant contains comments for participants, but none for responsibles', async () => {
    const { shifts } = await planned()
    const who = { kind: 'local' as const, id: ANN.id }
    await world.addParticipation({
      who: ANN,
      shift: shifts[0]!,
      state: 0,
      comments: [{ text: 'canary zero', level: 0, by: PAUL }],
    })
    const comment = { text: 'canary hidden from participants', isHidden: true }
    await moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who, to: 1, comment })
    const all = JSON.stringify((await outbox.deliver()).filter(({ to }) => to === ANN.email))
    assert.match(all, /You are confirmed/)
    assert.doesNotMatch(all, /canary/)
    await moveOnBoard(contextAs(world, PAUL), {
      shiftId: shifts[0]!,
      who,
      to: 3,
      comment: { text: 'too many people', isHidden: false },
    })
    const [mail] = (await outbox.deliver()).filter(({ to }) => to === ANN.email)
    assert.match(mail!.text, /Paul writes: “too many people”/)
    assert.match(mail!.html!, /too many people/)
  })
})
