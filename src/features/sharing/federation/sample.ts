import { randomSecret } from '#platform/auth/secrets.ts'
import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { DAY, HOUR } from '#platform/sample-data/calendar.ts'
import { inLanguage } from '#platform/sample-data/language.ts'

const TEXTS = {
  partner: { en: 'Lakeland Lifeguards', de: 'Wasserwacht Seenland' },
  type: { en: 'Water rescue', de: 'Wasserrettung' },
  description: {
    en: 'We are short of people who can **drive a trailer**.',
    de: 'Uns fehlen Leute, die **mit Anhänger fahren** dürfen.',
  },
  regatta: { en: 'Regatta on Forest Lake', de: 'Regatta auf dem Waldsee' },
  boathouse: { en: 'Forest Lake boathouse', de: 'Bootshaus Waldsee' },
  triathlon: { en: 'Lifeguards at the triathlon', de: 'Wasserrettung beim Triathlon' },
  season: { en: 'First day of the season', de: 'Anbaden' },
  beach: { en: 'Lido', de: 'Strandbad' },
  shift: { en: 'Boat 2', de: 'Boot 2' },
}

/** A partner that shares events with us, with copies of these events. */
export async function loadHost(context: SampleContext): Promise<void> {
  const { language, tx, now, calendar, keyring } = context
  const texts = inLanguage(TEXTS, language)
  const lastSuccess = new Date(now.getTime() - 26 * HOUR)
  const { id: hostId } = await tx
    .insertInto('federated_host')
    .values({
      name: texts.partner,
      url: 'https://seenland.example',
      paused: true,
      speaks_turnout: true,
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
    type_title: texts.type,
    fetched_at: lastSuccess,
    description: texts.description,
    signup_url: `https://seenland.example/events/${remoteId}/`,
  })
  const [regatta] = await tx
    .insertInto('partner_event')
    .values([
      event(512, texts.regatta, texts.boathouse, calendar.at(2, 7, '09:00'), calendar.at(2, 7, '18:00')),
      event(530, texts.triathlon, texts.beach, calendar.at(6, 7, '07:00'), calendar.at(6, 7, '15:00')),
    ])
    .returning(['id', 'start_time', 'end_time'])
    .execute()
  await tx
    .insertInto('participation_abroad')
    .values({
      partner_event_id: regatta!.id,
      user_id: castMember(context, 'paul').id,
      remote_shift_id: 1201,
      shift_label: texts.shift,
      state: 0,
      start_time: regatta!.start_time!,
      end_time: regatta!.end_time!,
      fetched_at: lastSuccess,
    })
    .execute()
  await tx.insertInto('host_updates').values({ host_id: hostId, agreed_at: lastSuccess, next_attempt_at: now }).execute()
  await tx
    .insertInto('partner_hours')
    .values({
      user_id: castMember(context, 'paul').id,
      host_id: hostId,
      host_name: texts.partner,
      remote_id: 7_702,
      remote_shift_id: 1_144,
      title: texts.season,
      shift_label: texts.shift,
      start_time: calendar.at(-3, 7, '09:00'),
      end_time: calendar.at(-3, 7, '15:30'),
    })
    .execute()
}
