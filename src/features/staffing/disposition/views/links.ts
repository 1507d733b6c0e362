import { waitingListPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOn } from '#platform/features/modules.ts'
import { type Html, html } from '#platform/html/html.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { boardPage, type LinkedBoard } from '../points.ts'

export type LinkAbove = { href: string; label: string; icon: IconName }

/** What features add above a board. */
export const linksAbove = ({ site, words }: RequestContext, board: LinkedBoard): LinkAbove[] => {
  const added = site.added(boardPage.link).flatMap(({ label, icon, path }) => {
    const href = path(board)
    return href === undefined ? [] : { href, label: words.t(label), icon }
  })
  if (!('shift' in board) || board.isPast || !isOn(site, 'waiting_list')) return added
  return [...added, { href: waitingListPath(board.shift), label: words.t('offers.line'), icon: 'hourglass' }]
}

export const linkAboveView = ({ href, label, icon }: LinkAbove): Html =>
  html`<a class="fact" href="${href}">${iconView(icon, { size: 18 })}<span>${label}</span></a>`
