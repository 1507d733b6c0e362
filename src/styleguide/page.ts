import { open } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { styleguideView } from './elements.ts'

/** Shows every UI element in every state; served by `npm start` only. */
export const styleguidePage = viewPage({
  path: '/styleguide/',
  access: open('shows elements, no data'),
  show: async ({ context }) => ({ title: context.words.t('frame.styleguide'), main: styleguideView(context.words), wide: true }),
})
