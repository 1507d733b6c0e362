import type { Additions } from '#extension'
import { personPage } from '#features/accounts/people/points.ts'
import { eventPage } from '#features/events/events/points.ts'
import { eventForm as eventFormPage, shiftForm as shiftFormPage } from '#features/planning/planning/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Addition } from '#platform/features/extension-points.ts'
import { homePage } from '#platform/features/home.ts'
import type { Html } from '#platform/html/html.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import { wordOf } from '../rules/names.ts'
import { adaptFormSection } from './adapt-form.ts'
import type { Host } from './adapt-requests.ts'
import { contextFor, textsOf } from './contexts.ts'

/** What an extension shows on pages of Turnout. A part that fails is left out. */
export function adaptAdditions(host: Host, additions: Additions): Addition[] {
  const { name, guard, budgets } = host
  const { eventSection, personSection, homeLink, eventForm, shiftForm, eventAction, personAction } = additions
  const omit = <Result>(what: string, context: RequestContext, work: (own: ReturnType<typeof contextFor>) => Promise<Result>) =>
    guard.omit(what, budgets.sectionMs, () => work(contextFor(name, context)))
  const found: Addition[] = []
  if (eventSection)
    found.push(
      eventPage.section.add({
        show: async (context, { id, mayChange }) =>
          (await omit('event section', context, (own) => eventSection(own, { id, mayChange }))) as unknown as Html | undefined,
      }),
    )
  if (personSection)
    found.push(
      personPage.section.add(
        async (context, { userId: id }) =>
          (await omit('person section', context, (own) => personSection(own, { id }))) as unknown as Html | undefined,
      ),
    )
  if (homeLink)
    found.push(
      homePage.link.add(async ({ context }) => {
        const link = await omit('home link', context, homeLink)
        return link && { ...link, icon: 'puzzle' as const }
      }),
    )
  if (eventForm) found.push(eventFormPage.section.add(adaptFormSection(host, 'event form', eventForm)))
  if (shiftForm) found.push(shiftFormPage.section.add(adaptFormSection(host, 'shift form', shiftForm)))
  if (eventAction)
    found.push(
      eventPage.action.add({
        href: (id) => eventAction.path.replaceAll('{event}', String(id)),
        task: eventAction.task,
        label: wordOf(name, eventAction.label) as PlainKey,
        icon: 'puzzle',
        isFor: ({ mayChange }) => mayChange,
      }),
    )
  if (personAction)
    found.push(
      personPage.action.add(({ words }, { userId }) => {
        const t = textsOf(name, words)
        const href = personAction.path.replaceAll('{user}', String(userId))
        return { href, label: t(personAction.label), help: t(personAction.help), icon: 'puzzle' }
      }),
    )
  return found
}
