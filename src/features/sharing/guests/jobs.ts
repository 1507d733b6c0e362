import { getOrganizationName, getSettings } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { mailBodies } from '#platform/html/mail-body.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { AddressError, type Mailer } from '#platform/mail/mail.ts'
import { clearGuestMailFailure } from './commands/mail-failure.ts'
import { getMailedGuest } from './queries.ts'
import { mailedPath, makeMailToken } from './rules.ts'
import { guestSettings, LINK_MAIL_TASK, linkMail } from './schema.ts'

type GuestJobContext = { db: Database; clock: Clock; mailer: Mailer; site: Site }

export function guestTasks(context: GuestJobContext): Task[] {
  return [{ name: LINK_MAIL_TASK, run: (payload) => sendLinkMail(context, linkMail.parse(payload).guestId) }]
}

async function sendLinkMail({ db, clock, mailer, site }: GuestJobContext, guestId: number): Promise<void> {
  const guest = await getMailedGuest(db.write, guestId)
  if (!guest) return
  const words = wordsFor(guest.language ?? site.defaultLanguage ?? 'en', site.timeZone)
  const siteName = (await getOrganizationName(db.read)) ?? 'Turnout'
  const { guest_retention_days: days } = await getSettings(db.read, guestSettings)
  const { title, location, start, end } = guest.event
  const bodies = mailBodies({
    words,
    siteName,
    name: guest.name,
    siteUrl: site.url,
    paragraphs: [words.t('guests.mail_text', { site: siteName }), ...(guest.isProved ? [] : [words.t('guests.mail_confirm')])],
    card: { title, lines: [start && end ? words.span(start, end, clock.now()) : '', location].filter(Boolean) },
    action: {
      label: words.t('guests.mail_action'),
      path: mailedPath(makeMailToken(site.keyring, guest)),
    },
    notes: [words.t('guests.mail_secret'), words.t('guests.mail_stranger', { count: days })],
  })
  try {
    await mailer.send({ to: guest.email, guestId, subject: words.t('guests.mail_subject', { event: title }), ...bodies })
  } catch (error) {
    // Trying again would not help. The planner sees it in the list of guests, and can send the link again.
    if (error instanceof AddressError) return
    throw error
  }
  await clearGuestMailFailure(db.write, guestId)
}
