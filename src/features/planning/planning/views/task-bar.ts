import { EVENT_TASKS, type EventTask } from '#features/events/events/points.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { planPath } from './editor.ts'

/** A link of another feature, in the menu of its task. */
export type TaskLink = { href: string; label: string; icon: IconName; task: EventTask }

export type TaskBarData = {
  words: Words
  csrfToken: string
  eventId: number
  /** Permissions of the reader for this event. */
  may: { change: boolean; publish: boolean; duplicate: boolean; delete: boolean }
  isDraft: boolean
  isCancelled: boolean
  hasShifts: boolean
  links: readonly TaskLink[]
}

const ICONS: Record<EventTask, IconName> = { plan: 'pencil', staff: 'users', day: 'user-check', after: 'history' }

/** Everything that the reader can do with the event, in one menu for each task; nothing for those who cannot do anything. */
export function taskBarView(data: TaskBarData): Html | false {
  const { words, csrfToken, eventId, may, isDraft, hasShifts } = data
  const menus = EVENT_TASKS.flatMap((task) => {
    const entries = entriesOf(data, task)
    return entries.length ? [menuView(words, task, entries)] : []
  })
  const publish =
    isDraft &&
    may.publish &&
    hasShifts &&
    postButtonView({ action: planPath(eventId, 'publish'), csrfToken, label: words.t('plan.publish') })
  if (!menus.length && !publish) return false
  return html`<nav class="task-bar" aria-label="${words.t('plan.tasks')}">${menus}${publish}</nav>`
}

/** Menus of one name close each other, without scripts, too. */
const menuView = (words: Words, task: EventTask, entries: readonly Html[]): Html =>
  html`<details class="menu task-menu" name="task"><summary class="button secondary">${iconView(ICONS[task], { size: 18 })}<span>${words.t(`plan.task.${task}`)}</span></summary><ul class="menu-list" role="list">${entries.map((entry) => html`<li>${entry}</li>`)}</ul></details>`

function entriesOf(data: TaskBarData, task: EventTask): Html[] {
  const added = data.links
    .filter((link) => link.task === task)
    .map(({ href, label, icon }) => linkButtonView({ href, label, icon, kind: 'quiet', small: true }))
  if (task !== 'plan') return added
  const { words, csrfToken, eventId, may, isDraft, isCancelled } = data
  const own = (what: Parameters<typeof planPath>[1], label: string, icon: IconName): Html =>
    linkButtonView({ href: planPath(eventId, what), label, icon, kind: 'quiet', small: true })
  const first = may.change
    ? [own('edit', words.t('plan.act.edit'), 'pencil'), own('shifts/new', words.t('plan.act.add_shift'), 'plus')]
    : []
  const copy = may.duplicate ? [own('duplicate', words.t('plan.act.duplicate'), 'copy')] : []
  const cancel = may.change && !isDraft && !isCancelled ? [own('cancel', words.t('plan.act.cancel'), 'calendar-x')] : []
  const reopen =
    may.change && isCancelled
      ? [
          postButtonView({
            action: planPath(eventId, 'reopen'),
            csrfToken,
            label: words.t('plan.act.reopen'),
            icon: 'undo-2',
            kind: 'quiet',
            small: true,
          }),
        ]
      : []
  const remove = may.change && may.delete ? [own('delete', words.t('plan.act.delete'), 'trash-2')] : []
  return [...first, ...added, ...copy, ...cancel, ...reopen, ...remove]
}
