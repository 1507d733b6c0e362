import { randomBytes } from 'node:crypto'
import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { DAY } from '#platform/sample-data/calendar.ts'

/** A webhook that is paused. Nobody knows the secret: to try it, people make a new one on the page. */
export async function loadWebhook(context: SampleContext): Promise<void> {
  const { language, tx, now, keyring } = context
  const olga = castMember(context, 'olga')
  const before = (days: number) => new Date(now.getTime() - days * DAY)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const webhook = await tx
    .insertInto('webhook')
    .values({
      owner_id: olga.id,
      name: { en: 'Calendar of the town', de: 'Kalender der Stadt' }[language],
      description: {
        en: 'Copies events and shifts into the calendar of the town council.',
        de: 'Überträgt Veranstaltungen und Schichten in den Kalender der Stadtverwaltung.',
      }[language],
      url: `https://${{ en: 'calendar.saltmouth', de: 'kalender.ahrensmuende' }[language]}.example/turnout`,
      kinds: ['event', 'shift'],
      scopes: ['PUBLIC_READ'],
      active: false,
      off_at: before(2),
      secret_sealed: keyring.seal(secret),
      created_at: before(30),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const feed = await tx.selectFrom('change_feed').select(['id', 'position']).executeTakeFirstOrThrow()
  await tx
    .insertInto('webhook_queue')
    .values({ webhook_id: webhook.id, feed_id: feed.id, position: feed.position, next_at: now })
    .execute()
}
