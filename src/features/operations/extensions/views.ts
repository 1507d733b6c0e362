import { type Html, html } from '#platform/html/html.ts'
import { isMessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import type { StoredExtension } from './queries/extensions.ts'
import { wordOf } from './rules/names.ts'

/** Below the modules: which versions run, and why others do not. */
export function extensionsView(
  words: Words,
  extensions: readonly StoredExtension[],
  withSettings: readonly { extension: string; href: string }[] = [],
): Html {
  const linkView = (name: string) => {
    const page = withSettings.find(({ extension }) => extension === name)
    return (
      page &&
      html` <a href="${page.href}">${words.t('extensions.settings')}<span class="sr-only">: ${titleOf(words, name)}</span></a>`
    )
  }
  const facts = extensions.map((extension) => ({
    name: titleOf(words, extension.name),
    value: html`${stateView(words, extension)}${linkView(extension.name)}`,
  }))
  return cardView({
    title: words.t('extensions.title'),
    body: html`<p class="muted">${words.t('extensions.text')}</p>${factListView(facts)}`,
  })
}

/** Of one that could not be loaded, only the name is known. */
function titleOf({ t }: Words, name: string): string {
  const key = wordOf(name, 'title')
  return isMessageKey(key) ? t(key as 'ui.cancel') : name
}

function stateView(words: Words, { version, problem, stoppedAt, stoppedBecause }: StoredExtension): Html {
  const bad = badgeView({ tone: 'bad', text: words.t('extensions.problem') })
  if (problem !== null) return html`${bad} <span class="wrap">${words.t('extensions.left_out', { reason: problem })}</span>`
  const running = words.t('extensions.running', { version: version ?? '' })
  if (stoppedAt === null) return html`${running}`
  const stopped = words.t('extensions.stopped', { at: words.dateTime(stoppedAt), reason: stoppedBecause ?? '' })
  return html`${bad} <span class="wrap">${stopped}</span> <span class="muted">${running}</span>`
}
