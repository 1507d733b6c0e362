import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Json } from '#test/support/api-response.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const DAY = 24 * 3600 * 1000
const text = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
const daysFrom = (date: string, days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

/** Independent calculation: counts birthdays one by one; a birthday on 29 February counts on 1 March in other years. */
function birthdaysUntil(birth: string, today: string): number {
  let age = -1
  const [year, month, day] = birth.split('-').map(Number) as [number, number, number]
  for (let each = year; text(each, month, day) <= today; each++) age++
  return age
}

/** Noon in the zone, so that the day is unambiguous; each zone is also tested one second before and after midnight. */
const ZONES: [zone: string, offsetMinutes: number][] = [
  ['UTC', 0],
  ['Asia/Kathmandu', 345],
  ['Pacific/Kiritimati', 840],
  ['Pacific/Pago_Pago', -660],
]
const TODAYS = ['2031-05-01', '2032-02-28', '2032-02-29', '2032-03-01', '2033-02-28', '2033-03-01', '2031-12-31', '2032-01-01']

describe('ages', () => {
  test('are calculated correctly by the model of this test', () => {
    assert.deepEqual(
      [
        birthdaysUntil('2013-05-01', '2031-04-30'),
        birthdaysUntil('2013-05-01', '2031-05-01'),
        birthdaysUntil('2012-02-29', '2030-02-28'),
        birthdaysUntil('2012-02-29', '2030-03-01'),
        birthdaysUntil('2012-02-29', '2032-02-29'),
        birthdaysUntil('2031-05-01', '2031-05-01'),
      ],
      [17, 18, 17, 18, 20, 0],
    )
  })
  for (const [timeZone, offset] of ZONES)
    describe(`in ${timeZone}`, async () => {
      const world = await openWorld({ timeZone })
      const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
      // Birth dates around each tested day, at the ages that matter, and on 29 February.
      const births = new Set<string>(['2012-02-29', '2014-02-28', '2014-03-01', '2016-02-29', '1931-05-01', '2000-02-29'])
      for (const today of TODAYS)
        for (const years of [0, 1, 17, 18, 19, 99])
          for (const days of [-1, 0, 1])
            births.add(daysFrom(text(Number(today.slice(0, 4)) - years, Number(today.slice(5, 7)), Number(today.slice(8))), days))
      const rows = [...births].map((date_of_birth, n) => ({
        email: `p${n}@a.example`,
        display_name: date_of_birth,
        date_of_birth,
      }))
      const people = await world.db.write.insertInto('user_profile').values(rows).returning('id').execute()
      const participations = people.map(({ id }) => ({
        shift_id: shifts[0]!,
        kind: 'local',
        user_id: id,
        state: 1,
        event_id: 0,
        start_time: world.now,
        end_time: world.now,
      }))
      await world.db.write.insertInto('participation').values(participations).execute()
      await world.addParticipation({ who: await world.addPerson({ name: 'ageless' }), shift: shifts[0]! })
      // Later years.
      const token = await world.makeToken(OLGA, SCOPES, { expires: null })
      const olga = world.with({ authorization: `Bearer ${token}` })

      for (const today of TODAYS)
        test(`are correct on ${today} for ${births.size} users`, async () => {
          const midnight = Date.parse(today) - offset * 60_000
          for (const now of [midnight, midnight + DAY / 2, midnight + DAY - 1]) {
            world.now = new Date(now)
            const { body } = await olga.get('/api/participations-userinfo/?limit=1000')
            const open = (await olga.get('/api/participations/?limit=1000')).body.results
            assert.equal(body.results.length, births.size + 1)
            const checked = body.results.filter(
              (row: Json) => row.participant.display_name !== 'ageless' && row.participant.date_of_birth <= today,
            )
            assert.ok(checked.length > 60)
            for (const { id, participant } of checked) {
              const age = birthdaysUntil(participant.date_of_birth, today)
              assert.deepEqual(
                [participant.age, participant.is_minor],
                [age, age < 18],
                `${participant.date_of_birth} on ${today}`,
              )
              assert.equal(open.find((row: Json) => row.id === id).participant.is_minor, age < 18)
            }
          }
        })
      test('a user without a birth date is not a minor', async () => {
        const { body } = await olga.get('/api/participations-userinfo/?limit=1000')
        const ageless = body.results.at(-1).participant
        assert.deepEqual([ageless.age, ageless.date_of_birth, ageless.is_minor], [null, null, false])
      })
    })
})
