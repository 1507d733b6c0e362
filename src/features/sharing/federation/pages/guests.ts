import { staff } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { deleteGuest } from '../commands/delete-guest.ts'
import { shareManyWith } from '../commands/share-many.ts'
import { type GuestLink, getGuestLink } from '../queries/links.ts'
import { findShareable } from '../queries/shareable.ts'
import { sharesForm } from '../schema.ts'
import { FEDERATION, guestPath } from '../views/links.ts'
import { guestListPath, guestView } from '../views/partners.ts'
import { crumbs, head, redirectWithFlash } from './federation-page.ts'

const PAGE_SIZE = 100

async function requireGuest({ context, path }: PageRequest<{ id: number }>): Promise<GuestLink> {
  return requireFound(await getGuestLink(context.db, context.now, path.id))
}

/** Invalid values count as absent. */
function readQuery(query: URLSearchParams): { q: string; page: number } {
  const page = query.get('page') ?? ''
  return {
    q: (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200),
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

const guestPage = formPage({
  path: `${FEDERATION}guests/{id}/`,
  access: staff,
  form: sharesForm,
  show: async (request) => {
    const guest = await requireGuest(request)
    const { words, now } = request.context
    const { q, page } = readQuery(request.query)
    const terms = q.split(/\s+/).filter(Boolean).slice(0, 10)
    const { count, rows } = await findShareable(request.context, guest.id, terms, {
      limit: PAGE_SIZE,
      offset: (page - 1) * PAGE_SIZE,
    })
    if (!rows.length && count > 0) return { redirect: guestListPath(guest.id, q, Math.ceil(count / PAGE_SIZE)) }
    return {
      title: words.t('federation.share_title', { name: guest.name }),
      head: head(),
      breadcrumb: crumbs(words),
      main: guestView({
        words,
        now,
        csrfToken: request.csrfToken,
        guest,
        q,
        page,
        pageSize: PAGE_SIZE,
        count,
        events: rows,
      }),
    }
  },
  submit: async (request, { shown, chosen }) => {
    const { id, name } = await requireGuest(request)
    const changed = await shareManyWith(request.commandContext, { guestId: id, shown, chosen })
    if (changed === undefined) throw new Problem('not_found')
    const { words } = request.context
    const { q, page } = readQuery(request.query)
    const text = changed ? words.t('federation.share_saved', { name, count: changed }) : words.t('federation.share_same')
    return redirectWithFlash(guestListPath(id, q, page), 'good', text)
  },
})

const endPage = formPage({
  path: `${FEDERATION}guests/{id}/end/`,
  access: staff,
  form: emptyForm,
  show: async (request) => {
    const { id, name, events, visitors, participations } = await requireGuest(request)
    const { words } = request.context
    const title = words.t('federation.end_title', { name })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: guestPath(id, 'end'),
      submit: words.t('federation.end'),
      cancel: { href: guestPath(id) },
      consequences: [
        words.t('federation.end_guest_events', { count: events }),
        ...(visitors ? [words.t('federation.end_guest_visitors', { count: visitors })] : []),
        ...(participations ? [words.t('federation.end_guest_places', { count: participations, name })] : []),
        words.t('federation.end_guest_told', { name }),
      ],
    })
    return { title, head: head(), breadcrumb: crumbs(words, { href: guestPath(id), label: name }), main }
  },
  submit: async (request) => {
    const { id, name } = await requireGuest(request)
    await deleteGuest(request.commandContext, id)
    return redirectWithFlash(FEDERATION, 'good', request.context.words.t('federation.left', { name }))
  },
})

export const guestPages: Page[] = [guestPage, endPage]
