import { type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'

export const PAGES = '/manage/pages/'
export const editPath = (id: number): string => `${PAGES}${id}/`
export const contentPagePath = (slug: string): string => `/pages/${encodeURIComponent(slug)}/`

type Listed = { id: number; title: string; slug: string; in_footer: boolean; is_public: boolean }

export function contentPagesView({ words, pages, mayAdd }: { words: Words; pages: readonly Listed[]; mayAdd: boolean }): Html {
  const add = mayAdd && linkButtonView({ href: `${PAGES}new/`, label: words.t('pages.new'), icon: 'plus', kind: 'primary' })
  return html`${pageHeadView({ title: words.t('pages.list'), facts: words.t('pages.intro'), actions: [add] })}
${
  pages.length
    ? tableView<Listed>({
        caption: words.t('pages.list'),
        rows: pages,
        columns: [
          { label: words.t('pages.title'), main: true, cell: ({ id, title }) => html`<a href="${editPath(id)}">${title}</a>` },
          {
            label: words.t('pages.address'),
            cell: ({ slug }) => html`<a class="wrap" href="${contentPagePath(slug)}">${contentPagePath(slug)}</a>`,
          },
          {
            label: words.t('pages.readers'),
            cell: ({ is_public }) =>
              badgeView({
                tone: is_public ? 'info' : 'quiet',
                text: words.t(is_public ? 'pages.for_everybody' : 'pages.for_signed_in'),
              }),
          },
          { label: words.t('pages.footer'), cell: ({ in_footer }) => words.t(in_footer ? 'pages.yes' : 'pages.no') },
        ],
      })
    : emptyView({ icon: 'file-text', text: words.t('pages.none') })
}`
}

export function contentPageView({
  words,
  page,
  mayEdit,
}: {
  words: Words
  page: { id: number; title: string; content: string; is_public: boolean }
  mayEdit: boolean
}): Html {
  return html`${pageHeadView({
    title: page.title,
    badge: !page.is_public && badgeView({ tone: 'quiet', text: words.t('pages.for_signed_in') }),
    actions: [mayEdit && linkButtonView({ href: editPath(page.id), label: words.t('pages.edit'), icon: 'pencil' })],
  })}${page.content ? markdownView(page.content, { firstLevel: 2 }) : html`<p class="muted">${words.t('pages.empty')}</p>`}`
}
