import type { RequestContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { addPeriod, addWeeklyTime, deleteEntry } from './commands.ts'
import { findOwnAvailability } from './queries.ts'
import { periodForm, weeklyForm } from './schema.ts'
import { AVAILABILITY, availabilityView } from './views.ts'

function requireUserId({ actor }: RequestContext): number {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor.userId
}

async function show(
  { context, csrfToken }: PageRequest,
  refused: { weekly?: Refused | undefined; period?: Refused | undefined },
): Promise<PageBody> {
  const { db, now, words } = context
  const today = words.inputDate(now)
  const entries = await findOwnAvailability(db, requireUserId(context), today)
  const main = availabilityView({
    words,
    csrfToken,
    ...entries,
    weeklyState: refused.weekly ?? weeklyForm.state({ kind: 'cannot', weekday: '1' }),
    periodState: refused.period ?? periodForm.state({ days_kind: 'cannot', first: today, last: today }),
  })
  return { title: words.t('availability.title'), main }
}

const weeklyPage = formPage({
  path: AVAILABILITY,
  access: signedIn,
  form: weeklyForm.schema,
  show: (request, refused) => show(request, { weekly: refused }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await addWeeklyTime(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: 'until', text: words.t(`availability.refused_${outcome.reason}`) }] }
    return { redirect: AVAILABILITY, flash: { kind: 'good', text: words.t('availability.saved') } }
  },
})

const periodPage = formPage({
  path: `${AVAILABILITY}days/`,
  access: signedIn,
  form: periodForm.schema,
  show: (request, refused) => show(request, { period: refused }),
  submit: async ({ context: { words, now }, commandContext }, { days_kind: kind, first, last }) => {
    const outcome = await addPeriod(commandContext, { kind, first, last }, words.inputDate(now))
    if (!outcome.ok) return { refused: [{ field: 'last', text: words.t(`availability.refused_${outcome.reason}`) }] }
    return { redirect: AVAILABILITY, flash: { kind: 'good', text: words.t('availability.saved') } }
  },
})

const deletePage = (path: `/settings/availability/${'weekly' | 'days'}/{id}/delete/`, table: 'weekly_time' | 'day_period') =>
  actionPage({
    path,
    access: signedIn,
    form: emptyForm,
    submit: async ({ context: { words }, commandContext, path: { id } }) => {
      await deleteEntry(commandContext, table, id)
      return { redirect: AVAILABILITY, flash: { kind: 'info', text: words.t('availability.deleted') } }
    },
  })

export const availabilityPages: Page[] = [
  weeklyPage,
  periodPage,
  deletePage('/settings/availability/weekly/{id}/delete/', 'weekly_time'),
  deletePage('/settings/availability/days/{id}/delete/', 'day_period'),
]
