import { layoutPart } from '#platform/features/layout.ts'
import { type FooterPage, footerPages } from './queries.ts'
import { contentPagePath } from './views.ts'

/** Links to pages of the organisation in the footer. */
export const footerPart = layoutPart({
  read: ({ actor }) => footerPages(actor.kind === 'user'),
  show: (pages: FooterPage[]) => ({
    footLinks: pages.map(({ title, slug }) => ({ href: contentPagePath(slug), label: title })),
  }),
})
