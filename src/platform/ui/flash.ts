import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { inPlace } from './form.ts'
import { type IconName, iconView } from './icon.ts'

type FlashKind = 'good' | 'info' | 'warn' | 'bad'
export type Flash = {
  kind: FlashKind
  text: string
  /** What a list shows in place of the buttons of the row: “You're in”. Default: the text. */
  short?: string | undefined
  /** `seconds`: the button disappears then (needs JavaScript); the server refuses it anyway. */
  undo?: { action: string; label?: string; fields?: Record<string, string>; seconds?: number } | undefined
}

const ICONS: Record<FlashKind, IconName> = { good: 'circle-check', info: 'info', warn: 'triangle-alert', bad: 'circle-x' }

type FlashData = { words: Words; flash: Flash; csrfToken: string; isBusy?: boolean }

/** The result of the last action. The dismiss button needs JavaScript. */
export function flashView({ words, flash, csrfToken, isBusy = false }: FlashData): Html {
  const { kind, text, short, undo } = flash
  return html`<div class="flash tone-${kind}" role="${kind === 'bad' ? 'alert' : 'status'}" data-flash ${attrs({ 'data-busy': isBusy, 'data-short': short })}>
${iconView(isBusy ? 'hourglass' : ICONS[kind])}<p>${text}</p>
${
  undo &&
  html`<form method="post" action="${undo.action}" ${attrs({ ...inPlace(undo.action, `undo${undo.action.replaceAll(/\W+/g, '-')}`), 'data-undo': true, 'data-seconds': undo.seconds })}><input type="hidden" name="csrf_token" value="${csrfToken}">${Object.entries(
    undo.fields ?? {},
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<span class="undo-keys" data-keys hidden><span class="sr-only">${words.t('ui.undo_with')} </span><kbd>${words.t('ui.undo_keys')}</kbd></span><button class="button small quiet" aria-keyshortcuts="Control+Z">${iconView('undo-2', { size: 18 })}${undo.label ?? words.t('ui.undo')}</button></form>`
}
<button type="button" class="button icon-only quiet flash-close" data-dismiss hidden>${iconView('x', { title: words.t('ui.dismiss') })}</button>
</div>`
}

/** Where messages appear: with JavaScript a toast at the bottom of the window, otherwise above the page. */
export function flashesView({ words, flashes, csrfToken }: { words: Words; flashes: readonly Flash[]; csrfToken: string }): Html {
  return html`<div id="flashes" aria-live="polite">${flashes.map((flash) => flashView({ words, flash, csrfToken }))}</div>`
}

/** Messages that the script shows while a request runs, or when there is no response. */
export function toastTemplatesView(words: Words): Html {
  const messages = { busy: 'info', offline: 'bad', failed: 'bad' } as const
  const names = Object.keys(messages) as (keyof typeof messages)[]
  return html`${names.map((name) => {
    const flash = { kind: messages[name], text: words.t(`ui.toast_${name}`) }
    return html`<template data-toast="${name}">${flashView({ words, flash, csrfToken: '', isBusy: name === 'busy' })}</template>`
  })}`
}
