import { sql } from 'kysely'
import { failedAddressOf } from '#features/accounts/users/queries/address-state.ts'
import { isStaff, userIdOf } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { MANAGE } from '#platform/ui/manage.ts'
import { failedDelivery } from './queries/state.ts'

const MAIL = '/manage/mail/'

/** What administrators must know about mail, on the pages where they look after the instance. */
export const mailPart = layoutPart({
  read: ({ actor }) => (isStaff(actor) ? failedDelivery : sql`null::json`),
  show: (failed: { reason: string } | null, { actor, words, site, isAt }) => {
    if (!isStaff(actor) || isAt(MAIL) || !(isAt('/') || isAt(MANAGE))) return {}
    const link = { href: MAIL, label: words.t('mails.notice_link') }
    if (site.isMailOff && !site.isTryOut) return { notices: [{ tone: 'warn', text: words.t('mails.notice_not_set_up'), link }] }
    return failed ? { notices: [{ tone: 'bad', text: words.t('mails.notice_failing', { reason: failed.reason }), link }] } : {}
  },
})

const ADDRESS = '/settings/profile/address/'

/** A notice until the address that mails do not reach is changed or tried again. */
export const addressPart = layoutPart({
  read: ({ actor }) => failedAddressOf(userIdOf(actor)),
  show: (email: string | null, { words, isAt }) => {
    if (email === null || isAt(ADDRESS)) return {}
    const link = { href: ADDRESS, label: words.t('mails.notice_address_link') }
    return { notices: [{ tone: 'warn', text: words.t('mails.notice_address', { email }), link }] }
  },
})
