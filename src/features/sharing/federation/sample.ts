import { randomSecret } from '#platform/auth/secrets.ts'
import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { DAY, HOUR } from '#platform/sample-data/calendar.ts'

/** A partner that shares events with us, with copies of these events. */
export async function loadHost(context: SampleContext): Promise<void> {
  const { tx, now, calendar, keyring } = context
  const lastSuccess = new Date(now.getTime() - 26 * HOUR)
  const { id: hostId } = await tx
    .insertInto('federated_host')
    .values({
      name: 'Wasserwacht Seenland',
      url: 'https://seenland.example',
      paused: true,
      last_latency_ms: 84,
      access_token_sealed: keyring.seal(randomSecret(40)),
      created_at: new Date(now.getTime() - 90 * DAY),
      last_attempt_at: lastSuccess,
      last_success_at: lastSuccess,
      next_attempt_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = (remoteId: number, title: string, location: string, start_time: Date, end_time: Date) => ({
    host_id: hostId,
    remote_id: remoteId,
    title,
    location,
    start_time,
    end_time,
    type_title: 'Wasserrettung',
    fetched_at: lastSuccess,
    description: 'We are short of people who can **drive a trailer**.',
    signup_url: `https://seenland.example/events/${remoteId}/`,
  })
  const [regatta] = await tx
    .insertInto('partner_event')
    .values([
      event(512, 'Regatta auf dem Waldsee', 'Bootshaus Waldsee', calendar.at(2, 7, '09:00'), calendar.at(2, 7, '18:00')),
      event(530, 'Lifeguards at the triathlon', 'Strandbad', calendar.at(6, 7, '07:00'), calendar.at(6, 7, '15:00')),
    ])
    .returning(['id', 'start_time', 'end_time'])
    .execute()
  await tx
    .insertInto('participation_abroad')
    .values({
      partner_event_id: regatta!.id,
      user_id: castMember(context, 'paul').id,
      remote_shift_id: 1201,
      shift_label: 'Boot 2',
      state: 0,
      start_time: regatta!.start_time!,
      end_time: regatta!.end_time!,
      fetched_at: lastSuccess,
    })
    .execute()
}
