import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from '#platform/ui/icon.ts'
import { isWriting, mergeScopes, type OfferedScope } from '../rules/scopes.ts'

export const scopeSentence = (words: Words, scope: OfferedScope): string => words.t(`oauth.scope_${scope}`)

export function scopeListView(words: Words, scopes: readonly string[]): Html {
  return html`<ul class="scope-list">${mergeScopes(scopes).map((scope) => {
    const known = scope as OfferedScope
    return html`<li>${iconView(isWriting(scope) ? 'pencil' : 'check', { size: 18 })}<span>${scopeSentence(words, known)}</span></li>`
  })}</ul>`
}
