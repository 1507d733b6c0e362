import { createCalendarAddress, resetCalendarAddress } from '#features/accounts/users/commands/calendar.ts'
import { getCalendarToken } from '#features/accounts/users/queries/calendar.ts'
import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { CALENDAR, calendarSettingsView, RESET, resetCalendarView } from '../views/feed-settings.ts'

const calendarSettingsPage = formPage({
  path: CALENDAR,
  access: signedIn,
  form: emptyForm,
  show: async ({ context, csrfToken }) => {
    const { words, site } = context
    const found = await getCalendarToken(context)
    const address = typeof found === 'object' ? `${site.url}/calendar/${encodeURIComponent(found.token)}/` : found
    const main = calendarSettingsView({ words, csrfToken, address })
    return { title: words.t('settings.calendar'), main: settingsView({ context, current: 'calendar', main }) }
  },
  submit: async ({ context, commandContext }) => {
    await createCalendarAddress(commandContext)
    return { redirect: CALENDAR, flash: { kind: 'good', text: context.words.t('calendar.made') } }
  },
})

const resetPage = formPage({
  path: RESET,
  access: signedIn,
  form: emptyForm,
  show: async ({ context: { words }, csrfToken }) => ({
    title: words.t('calendar.reset_title'),
    main: resetCalendarView({ words, csrfToken }),
    breadcrumb: settingsCrumbs(words, 'calendar'),
  }),
  submit: async ({ context, commandContext }) => {
    await resetCalendarAddress(commandContext)
    return { redirect: CALENDAR, flash: { kind: 'good', text: context.words.t('calendar.was_reset') } }
  },
})

export const calendarSettingsPages: Page[] = [calendarSettingsPage, resetPage]
