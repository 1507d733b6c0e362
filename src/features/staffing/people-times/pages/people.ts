import { dayOf } from '#features/accounts/users/rules.ts'
import { findQualificationNames } from '#features/staffing/disposition/queries/people-search.ts'
import { findStoredLimits } from '#features/staffing/working-time-limits/queries.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { spanOfDay } from '#platform/i18n/days.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findGroups, findPeople, mayPlan } from '../queries/people.ts'
import { findPlaces } from '../queries/places.ts'
import { PEOPLE, peopleUrl, periodOf, readPeopleChoice } from '../rules/choice.ts'
import { makeTable } from '../rules/table.ts'
import { peopleView } from '../views/people.ts'

const PAGE_SIZE = 200

export const peopleHead = () => html`<link rel="stylesheet" href="${assetUrl('people-times.css')}">`

export const peopleTimesPage = viewPage({
  path: PEOPLE,
  access: signedIn,
  keeps: true,
  show: async ({ context, query }) => {
    const { db, words, now, site } = context
    const { timeZone } = site
    if (!(await mayPlan(context))) throw new Problem('permission_denied')
    const today = dayOf(now, timeZone)
    const wished = readPeopleChoice(query, today)
    const { days: names, previous, next } = periodOf(wished)
    const days = names.map((day) => spanOfDay(day, timeZone))
    const period = { start: days[0]!.start, end: days.at(-1)!.end }
    const [groups, { all: skills }, limits] = await Promise.all([
      findGroups(context),
      findQualificationNames(context),
      findStoredLimits(db),
    ])
    // Members of other groups cannot be found by guessing ids.
    const group = groups.find(({ id }) => id === wished.group)?.id
    const choice = { ...wished, group }
    const { people, count } = await findPeople(
      context,
      { groupId: group, skillId: choice.skill, search: choice.search },
      { period, page: choice.page, pageSize: PAGE_SIZE },
    )
    // The list may have become shorter since the link was rendered.
    if (people.length === 0 && count > 0) return { redirect: peopleUrl({ ...choice, page: Math.ceil(count / PAGE_SIZE) }, today) }
    const places = await findPlaces(
      context,
      people.map(({ id }) => id),
      period,
      limits,
    )
    const rows = makeTable({ people, places, days, limits, timeZone })
    const data = { words, now, today, choice, previous, next, days, rows, count, pageSize: PAGE_SIZE, groups, skills }
    return {
      title: words.t('people_times.title'),
      main: peopleView(data),
      head: peopleHead(),
      scripts: [assetUrl('people-times.js')],
      breadcrumb: [{ href: '/planning/', label: words.t('people_times.planning') }],
      wide: true,
    }
  },
})
