import type { Clock } from '#platform/clock.ts'
import { html } from '#platform/html/html.ts'
import type { Redirect } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { FEDERATION } from '../views/links.ts'

/** For pages that send requests to partners. */
export type PartnerAccess = { outbound: Outbound; clock: Clock }

export const head = () => html`<link rel="stylesheet" href="${assetUrl('federation.css')}">`

export const crumbs = (words: Words, ...between: { href: string; label: string }[]) =>
  manageCrumbs(words, { href: FEDERATION, label: words.t('federation.place') }, ...between)

export const redirectWithFlash = (redirect: string, kind: Flash['kind'], text: string): Redirect => ({
  redirect,
  flash: { kind, text },
})
