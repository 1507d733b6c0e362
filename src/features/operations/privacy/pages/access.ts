import { eventPath } from '#features/events/events/rules/slug.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { explainEvent, findCandidates, getEventAudience } from '../queries/explanation.ts'
import { accessLinkView, accessView, type Explained } from '../views/access.ts'

/** Who sees an event and why, for administrators. */
export const eventAccessPage = viewPage({
  path: '/events/{event}/access/',
  access: staff,
  show: async ({ context, path, query }) => {
    const { db, words } = context
    const audience = requireFound(await getEventAudience(db, path.event))
    const text = (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200)
    const people: Explained[] = []
    for (const candidate of await findCandidates(db, text)) {
      const explanation = await explainEvent(db, audience.id, candidate)
      if (explanation) people.push({ ...candidate, explanation })
    }
    return {
      title: words.t('privacy.access_title', { title: audience.title }),
      breadcrumb: [{ href: eventPath(audience.id, audience.title), label: audience.title }],
      main: accessView({ words, audience, query: text, people }),
    }
  },
})

export async function accessSection({ actor, words }: RequestContext, event: { id: number }): Promise<Html | undefined> {
  return isStaff(actor) ? accessLinkView(words, event.id) : undefined
}
