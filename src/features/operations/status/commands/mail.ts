import { getMailHealth } from '#features/messaging/mails/queries/state.ts'
import { countMails } from '#features/messaging/notifications/queries/outbox.ts'
import { type Check, type Fact, isOwnMachine } from '../schema.ts'

const MAIL = '/manage/mail/'

export const mailCheck: Check = {
  area: 'mail',
  find: async ({ db, config, now, words }) => {
    const isSetUp = config.mailUrl !== undefined
    const { failure, late, addresses } = await getMailHealth(db.read, now, isSetUp)
    const { failed } = await countMails(db.read, now)
    const bad: Fact[] = []
    if (!isSetUp) bad.push({ state: isOwnMachine(config) ? 'info' : 'bad', text: words.t('status.mail_none'), href: MAIL })
    if (failure !== undefined) bad.push({ state: 'bad', text: words.t('status.mail_failing', { reason: failure }), href: MAIL })
    if (late) bad.push({ state: 'bad', text: words.t('status.mail_late', { count: late }), href: MAIL })
    if (failed) bad.push({ state: 'bad', text: words.t('status.mail_failed', { count: failed }), href: MAIL })
    const state = bad.length ? bad : [{ state: 'good' as const, text: words.t('status.mail_works'), href: MAIL }]
    return addresses
      ? [...state, { state: 'info', text: words.t('status.mail_addresses', { count: addresses }), href: MAIL }]
      : state
  },
}
