import { settingsView } from '#features/accounts/users/views/settings.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type Refused, type UserRequest } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { addPeriod, addWeeklyTime, deleteEntry } from '../commands/entries.ts'
import { findOwnAvailability } from '../queries/availability.ts'
import { findCalendars, findUpcomingTimes } from '../queries/calendars.ts'
import { periodForm, weeklyForm } from '../schema.ts'
import { AVAILABILITY, availabilityView } from '../views/availability.ts'
import { type Base, type CalendarOptions, calendarPages } from './calendars.ts'

/** Busy times that the page shows. */
const MAX_UPCOMING = 10

async function show(
  base: string,
  { context, csrfToken }: UserRequest,
  refused: { weekly?: Refused | undefined; period?: Refused | undefined },
): Promise<PageBody> {
  const { db, now, words, site } = context
  const today = words.inputDate(now)
  const userId = context.actor.userId
  const entries = await findOwnAvailability(db, userId, today)
  const calendars = await findCalendars(db, site, userId)
  const entriesAndForms = availabilityView({
    words,
    base,
    csrfToken,
    ...entries,
    now,
    calendars,
    upcoming: calendars.length ? await findUpcomingTimes(db, userId, now, MAX_UPCOMING) : [],
    weeklyState: refused.weekly ?? weeklyForm.state({ kind: 'cannot', weekday: '1' }),
    periodState: refused.period ?? periodForm.state({ days_kind: 'cannot', first: today, last: today }),
  })
  const [title, intro] = [words.t('availability.title'), words.t('availability.intro')]
  // Guardians are on pages of their child, not of their own account.
  const main =
    base === AVAILABILITY
      ? settingsView({
          context,
          current: 'availability',
          main: html`<div class="stack"><p class="muted">${intro}</p>${entriesAndForms}</div>`,
        })
      : html`${pageHeadView({ title, facts: intro })}${entriesAndForms}`
  return { title, main }
}

const weeklyPage = (path: string, base: Base) =>
  formPage({
    path,
    access: signedIn,
    form: weeklyForm.schema,
    show: (request, refused) => show(base(request), request, { weekly: refused }),
    submit: async (request, form) => {
      const {
        context: { words },
        commandContext,
      } = request
      const outcome = await addWeeklyTime(commandContext, form)
      if (!outcome.ok) return { refused: [{ field: 'until', text: words.t(`availability.refused_${outcome.reason}`) }] }
      return { redirect: base(request), flash: { kind: 'good', text: words.t('availability.saved') } }
    },
  })

const periodPage = (path: string, base: Base) =>
  formPage({
    path: `${path}days/`,
    access: signedIn,
    form: periodForm.schema,
    show: (request, refused) => show(base(request), request, { period: refused }),
    submit: async (request, { days_kind: kind, first, last }) => {
      const {
        context: { words, now },
        commandContext,
      } = request
      const outcome = await addPeriod(commandContext, { kind, first, last }, words.inputDate(now))
      if (!outcome.ok) return { refused: [{ field: 'last', text: words.t(`availability.refused_${outcome.reason}`) }] }
      return { redirect: base(request), flash: { kind: 'good', text: words.t('availability.saved') } }
    },
  })

const deletePage = (path: string, base: Base, table: 'weekly_time' | 'day_period') =>
  actionPage({
    path,
    access: signedIn,
    form: emptyForm,
    submit: async (request) => {
      const {
        context: { words },
        commandContext,
      } = request
      const { id } = request.path as { id: number }
      await deleteEntry(commandContext, table, id)
      return { redirect: base(request), flash: { kind: 'info', text: words.t('availability.deleted') } }
    },
  })

/** `path`: the first page; the others are below. */
export const availabilityPagesAt = (path: string, base: Base, options: CalendarOptions): Page[] => [
  weeklyPage(path, base),
  periodPage(path, base),
  ...calendarPages(path, base, options),
  deletePage(`${path}weekly/{id}/delete/`, base, 'weekly_time'),
  deletePage(`${path}days/{id}/delete/`, base, 'day_period'),
]

export const availabilityPages = (options: CalendarOptions): Page[] =>
  availabilityPagesAt(AVAILABILITY, () => AVAILABILITY, options)
