import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, type UserRequest } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkUrl } from '#platform/outbound/addresses.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import {
  addCalendarAddress,
  addCalendarFile,
  type CalendarAccess,
  changeCalendar,
  MAX_CALENDAR_BYTES,
  refreshOwnCalendar,
  removeCalendar,
} from '../commands/calendars.ts'
import { findCalendars } from '../queries/calendars.ts'
import type { PrivateCalendar } from '../rules/calendars.ts'
import { normalizeAddress } from '../rules/refreshing.ts'
import { addressForm, calendarForm, fileForm } from '../schema.ts'
import { addAddressView, addFileView, calendarView, removeCalendarView } from '../views/calendars.ts'

/** Where the pages are: the own ones, or those of a child. */
export type Base = (request: PageRequest) => string

export type CalendarOptions = {
  access: CalendarAccess
  /** Calendars that one person has read. */
  perPerson: RateLimiter
}

async function requireCalendar({ context, path }: UserRequest): Promise<PrivateCalendar> {
  const all = await findCalendars(context.db, context.site, context.actor.userId)
  return requireFound(all.find(({ id }) => id === (path as { id: number }).id))
}

const crumbs = (words: Words, base: string, ...more: Crumb[]): Crumb[] => [
  { href: base, label: words.t('availability.title') },
  ...more,
]

const mayRead = async ({ context }: UserRequest, { perPerson }: CalendarOptions): Promise<boolean> =>
  (await perPerson.takeShared(String(context.actor.userId))).allowed

const addAddressPage = (path: string, base: Base, options: CalendarOptions) =>
  formPage({
    path: `${path}calendars/address/`,
    access: signedIn,
    form: addressForm.schema,
    show: async (request, refused) => {
      const { words } = request.context
      const state = refused ?? addressForm.state({ counts_all_day: true })
      const main = addAddressView({ words, csrfToken: request.csrfToken, base: base(request), state })
      return { title: words.t('availability.add_address'), breadcrumb: crumbs(words, base(request)), main }
    },
    submit: async (request, { address: typed, name, counts_all_day: countsAllDay }) => {
      const { words, site } = request.context
      const refuse = (text: string) => ({ refused: [{ field: 'address', text }] })
      const address = normalizeAddress(typed)
      const problem = checkUrl(address, site.outboundAllow ?? [])
      if (problem) return refuse(words.t(`availability.address_${problem}`))
      if (!(await mayRead(request, options))) return refuse(words.t('availability.calendar_wait'))
      const added = await addCalendarAddress(request.commandContext, options.access, { address, name, countsAllDay })
      if (!added.ok) return refuse(words.t(`availability.failure_${added.reason}`))
      const text = words.t('availability.calendar_added', { count: added.count })
      return { redirect: base(request), flash: { kind: 'good', text } }
    },
  })

const addFilePage = (path: string, base: Base, options: CalendarOptions) =>
  formPage({
    path: `${path}calendars/file/`,
    access: signedIn,
    form: fileForm.schema,
    // Twice as much, so that the form can say that a file is too large.
    files: { maxBytes: 2 * MAX_CALENDAR_BYTES },
    show: async (request, refused) => {
      const { words } = request.context
      const state = refused ?? fileForm.state({ counts_all_day: true })
      const main = addFileView({
        words,
        csrfToken: request.csrfToken,
        base: base(request),
        state,
        maxBytes: MAX_CALENDAR_BYTES,
      })
      return { title: words.t('availability.add_file'), breadcrumb: crumbs(words, base(request)), main }
    },
    submit: async (request, { file, name, counts_all_day: countsAllDay }) => {
      const { words } = request.context
      const refuse = (text: string) => ({ refused: [{ field: 'file', text }] })
      const bytes = Buffer.from(file.slice(file.indexOf(',') + 1), 'base64')
      if (bytes.length > MAX_CALENDAR_BYTES) return refuse(words.t('availability.failure_too_large'))
      if (!(await mayRead(request, options))) return refuse(words.t('availability.calendar_wait'))
      const added = await addCalendarFile(request.commandContext, options.access, {
        text: bytes.toString('utf8'),
        name,
        countsAllDay,
      })
      if (!added.ok) return refuse(words.t(`availability.failure_${added.reason}`))
      const text = words.t('availability.calendar_added', { count: added.count })
      return { redirect: base(request), flash: { kind: 'good', text } }
    },
  })

const calendarPage = (path: string, base: Base) =>
  formPage({
    path: `${path}calendars/{id}/`,
    access: signedIn,
    form: calendarForm.schema,
    show: async (request, refused) => {
      const { words } = request.context
      const calendar = await requireCalendar(request)
      const state = refused ?? calendarForm.state({ name: calendar.name, counts_all_day: calendar.countsAllDay })
      const main = calendarView({ words, csrfToken: request.csrfToken, base: base(request), state, calendar })
      return { title: calendar.name, breadcrumb: crumbs(words, base(request)), main }
    },
    submit: async (request, { name, counts_all_day: countsAllDay }) => {
      const { words } = request.context
      const { id } = await requireCalendar(request)
      await changeCalendar(request.commandContext, id, { name, countsAllDay })
      return { redirect: base(request), flash: { kind: 'good', text: words.t('availability.calendar_saved') } }
    },
  })

const refreshPage = (path: string, base: Base, options: CalendarOptions) =>
  actionPage({
    path: `${path}calendars/{id}/refresh/`,
    access: signedIn,
    form: emptyForm,
    submit: async (request) => {
      const { words } = request.context
      const { id } = await requireCalendar(request)
      const redirect = `${base(request)}calendars/${id}/`
      if (!(await mayRead(request, options)))
        return { redirect, flash: { kind: 'bad', text: words.t('availability.calendar_wait') } }
      const refreshed = await refreshOwnCalendar(request.commandContext, options.access, id)
      if (!refreshed.ok) return { redirect, flash: { kind: 'bad', text: words.t(`availability.failure_${refreshed.reason}`) } }
      return { redirect, flash: { kind: 'good', text: words.t('availability.calendar_refreshed') } }
    },
  })

const removePage = (path: string, base: Base) =>
  formPage({
    path: `${path}calendars/{id}/remove/`,
    access: signedIn,
    form: emptyForm,
    show: async (request) => {
      const { words } = request.context
      const calendar = await requireCalendar(request)
      const own = { href: `${base(request)}calendars/${calendar.id}/`, label: calendar.name }
      const main = removeCalendarView({ words, csrfToken: request.csrfToken, base: base(request), calendar })
      return {
        title: words.t('availability.remove_title', { name: calendar.name }),
        breadcrumb: crumbs(words, base(request), own),
        main,
      }
    },
    submit: async (request) => {
      const { words } = request.context
      await removeCalendar(request.commandContext, (request.path as { id: number }).id)
      return { redirect: base(request), flash: { kind: 'info', text: words.t('availability.calendar_removed') } }
    },
  })

/** `path`: the availability page; these are below. */
export const calendarPages = (path: string, base: Base, options: CalendarOptions): Page[] => [
  addAddressPage(path, base, options),
  addFilePage(path, base, options),
  calendarPage(path, base),
  refreshPage(path, base, options),
  removePage(path, base),
]
