import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createDue } from './commands/create.ts'

const MONDAY = '2031-05-05T05:00:00Z'
const short = (start: string, missing = 2) => ({ start, stats: { missing, free: 5, min: 2, max: 5 } })

describe('the weekly mail about shifts that need people', async () => {
  const world = await openWorld({ now: new Date('2031-05-05T04:50:00Z'), timeZone: 'Europe/Berlin' })
  const outbox = new NotificationOutbox(world)
  const mails = async (at: string) => {
    world.now = new Date(at)
    await createDue(world.db.write, { now: world.now, site: { ...world.app.site, timeZone: 'Europe/Berlin' } })
    return outbox.deliver()
  }
  const { shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [short('2031-05-08T08:00:00Z'), short('2031-05-30T08:00:00Z'), short('2031-05-01T08:00:00Z')],
  })
  await world.addEvent({ title: 'Enough', seenBy: [HELPERS], responsible: [ANN], shifts: [{ start: '2031-05-08T08:00:00Z' }] })

  test('goes once, on Monday at seven in the zone of the instance, to the responsible people only', async () => {
    assert.deepEqual(await mails('2031-05-05T04:50:00Z'), [])
    const [mail, ...others] = await mails(MONDAY)
    assert.deepEqual([mail?.to, mail?.subject, others], [PAUL.email, '1 shift needs people', []])
    assert.match(mail!.text, /Harbour run, Thu 8 May 10:00–11:00 \(2 missing\)/)
    assert.match(mail!.text, /https:\/\/a\.example\/planning\//)
    assert.deepEqual(await mails('2031-05-05T05:10:00Z'), [])
    assert.deepEqual(await mails('2031-05-06T05:00:00Z'), [])
  })

  test('can be switched off, and is not sent while nothing is missing', async () => {
    await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL, OLGA], shifts: [short('2031-05-20T08:00:00Z')] })
    const choose = (disabled: string) =>
      world.db.write.updateTable('user_profile').set({ disabled_notifications: disabled }).where('id', '=', PAUL.id).execute()
    await choose('[["mail", "weekly_shortages"]]')
    assert.deepEqual(
      (await mails('2031-05-12T05:00:00Z')).map(({ to }) => to),
      [OLGA.email],
    )
    await choose('[]')
    await world.db.write.updateTable('shift').set({ missing: 0 }).execute()
    assert.deepEqual(await mails('2031-05-19T05:00:00Z'), [])
    assert.ok(shifts.length)
  })

  test('names shifts first that will probably stay short', async () => {
    const starts = [3, 4, 5, 6, 7, 8].map((day) => short(`2031-06-0${day}T08:00:00Z`))
    const { write } = world.db
    const { id: market, shifts: many } = await world.addEvent({
      title: 'Market',
      seenBy: [HELPERS],
      responsible: [BEN],
      shifts: starts,
    })
    const row = { usual_percent: 80, low: 1, middle: 1, high: 2, compared_with: 9, made_at: world.now }
    const rows = [
      { ...row, shift_id: many[4]!, stays_short: false },
      { ...row, shift_id: many[5]!, stays_short: true },
    ]
    await write.insertInto('shift_forecast').values(rows).execute()
    const mail = (await mails('2031-06-02T05:00:00Z')).find(({ to }) => to === BEN.email)!
    const named = [...mail.text.matchAll(/Market, \w+ (\d+) Jun .*?\((.*?)\)/g)].map(([, day, missing]) => [day, missing])
    assert.deepEqual(named, [
      ['3', '2 missing'],
      ['4', '2 missing'],
      ['5', '2 missing'],
      ['6', '2 missing'],
      ['8', '2 missing, will probably stay short'],
    ])
    await write.updateTable('event').set({ active: false }).where('id', '=', market).execute()
  })

  test('names no events that the reader is no longer responsible for', async () => {
    const { id } = await world.addEvent({
      title: 'Secret',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [short('2031-05-28T08:00:00Z')],
    })
    world.now = new Date('2031-05-26T05:00:00Z')
    await createDue(world.db.write, { now: world.now, site: { ...world.app.site, timeZone: 'Europe/Berlin' } })
    await world.db.write.deleteFrom('event_user_grant').where('event_id', '=', id).execute()
    assert.deepEqual(await outbox.deliver(), [])
  })
})
