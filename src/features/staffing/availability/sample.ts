import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { DAY, HOUR } from '#platform/sample-data/calendar.ts'

const WEEKS = 12

/** Ann works on Mondays until the afternoon, is on holiday later, and has uploaded a private calendar. */
export async function loadAvailability(context: SampleContext): Promise<void> {
  const { language, tx, now, calendar } = context
  const ann = castMember(context, 'ann')
  await tx
    .insertInto('weekly_time')
    .values({ user_id: ann.id, kind: 'cannot', weekday: 1, from_minute: 8 * 60, until_minute: 16 * 60 })
    .execute()
  await tx
    .insertInto('day_period')
    .values({ user_id: ann.id, kind: 'cannot', first_day: calendar.dayFrom(90), last_day: calendar.dayFrom(100) })
    .execute()
  const { id } = await tx
    .insertInto('private_calendar')
    .values({
      user_id: ann.id,
      name: { en: 'Family', de: 'Familie' }[language],
      counts_all_day: true,
      covers_until: new Date(now.getTime() + 365 * DAY),
      unread_count: 0,
      last_success_at: new Date(now.getTime() - 2 * HOUR),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const times = Array.from({ length: WEEKS }, (_, index) => ({
    calendar_id: id,
    start_time: calendar.at(index + 1, 3, '07:30'),
    end_time: calendar.at(index + 1, 3, '07:30', 1.5),
    is_all_day: false,
  }))
  await tx.insertInto('busy_time').values(times).execute()
}
