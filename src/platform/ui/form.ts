import { type AttributeValue, attrs, type Child, type Html, html, renderHtml, trustedHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type IconName, iconView } from './icon.ts'

type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet'
export type ButtonData = {
  label: string
  kind?: ButtonKind | undefined
  icon?: IconName | undefined
  small?: boolean | undefined
  name?: string | undefined
  value?: string | undefined
  /** Without `class`, which the button has already. */
  attributes?: (Record<string, AttributeValue> & { class?: never }) | undefined
}

/** An error of a form; with `field` (its name or id) it links to the field. */
export type FormError = { field?: string | undefined; text: string }

export function fieldId(name: string): string {
  return `field-${name.replace(/[^\w-]+/g, '-')}`
}

export function buttonView({ label, kind = 'primary', icon, small, name, value, attributes = {} }: ButtonData): Html {
  return html`<button class="button ${kind}${small && ' small'}" ${attrs({ name, value, ...attributes })}>${icon && iconView(icon, { size: small ? 18 : 20 })}${label}</button>`
}

export function linkButtonView({
  href,
  label,
  kind = 'secondary',
  icon,
  small,
  attributes = {},
}: ButtonData & { href: string }): Html {
  return html`<a class="button ${kind}${small && ' small'}" href="${href}" ${attrs(attributes)}>${icon && iconView(icon, { size: small ? 18 : 20 })}${label}</a>`
}

/**
 * Attributes of a form that updates the page in place with JavaScript and is submitted normally without. The id is unique, so
 * that morphing never turns one button into another while it is pressed.
 */
export const inPlace = (action: string, id: string): Record<string, AttributeValue> => ({
  id,
  'data-hx-post': action,
  'data-hx-target': '#main',
  'data-hx-swap': 'innerMorph',
  // Ignore a second click while the first request is running.
  'data-hx-sync': 'this:drop',
})

/** A form with one button, for actions that change data. With `id`, it updates the page in place. */
export function postButtonView({
  action,
  csrfToken,
  fields = {},
  id,
  ...button
}: ButtonData & {
  action: string
  csrfToken: string
  fields?: Record<string, string | number> | undefined
  id?: string | undefined
}): Html {
  return html`<form class="inline-form" method="post" action="${action}" ${attrs(id === undefined ? {} : inPlace(action, id))}>${csrfField(csrfToken)}${Object.entries(
    fields,
  ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${buttonView(button)}</form>`
}

export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="csrf_token" value="${csrfToken}">`
}

/** The errors above the fields. Errors of fields that `fields` contains name the field and link to it. */
function errorSummaryView(words: Words, errors: readonly FormError[], fields: Html): Html | false {
  if (errors.length === 0) return false
  const markup = renderHtml(fields)
  const lines = errors.map(({ field, text }) => {
    if (field === undefined || !markup.includes(`id="${fieldId(field)}"`)) return html`<li>${text}</li>`
    const label = labelIn(markup, fieldId(field))
    return html`<li><a href="#${fieldId(field)}">${label && html`${label}: `}${text}</a></li>`
  })
  return html`<div class="error-summary" role="alert" tabindex="-1" data-focus><p class="error-title">${iconView('circle-alert')}<span>${words.t('ui.errors_title')}</span></p><ul>${lines}</ul></div>`
}

/** The label of a field as it stands in the form, or else the legend of its group. */
function labelIn(markup: string, id: string): Html | undefined {
  const found =
    new RegExp(`<fieldset[^>]* data-field="${id}"[^>]*><legend>([^<]+)`).exec(markup) ??
    new RegExp(`<label[^>]* for="${id}"[^>]*>(?:<input[^>]*>)?(?:<span>)?([^<]+)`).exec(markup)
  return found ? trustedHtml(found[1]!.trim()) : undefined
}

export type FormViewData = {
  words: Words
  action: string
  csrfToken: string
  /** The label names the action: “Publish event”, not “Submit”. */
  submit: ButtonData | string
  fields: Child
  errors?: readonly FormError[] | undefined
  cancel?: { href: string; label?: string | undefined } | undefined
  /** Secondary or dangerous buttons beside the main one. */
  extra?: Child
  id?: string | undefined
  /** Warns before leaving the page with unsaved changes; on by default, needs JavaScript. */
  guard?: boolean | undefined
  attributes?: Record<string, AttributeValue> | undefined
}

export function formView({
  words,
  action,
  csrfToken,
  submit,
  fields,
  errors = [],
  cancel,
  extra,
  id,
  guard = true,
  attributes = {},
}: FormViewData): Html {
  const shown = html`${fields}`
  return html`<form class="form" method="post" action="${action}" novalidate ${attrs({ id, 'data-guard': guard && words.t('ui.leave_unsaved'), ...attributes })}>
${csrfField(csrfToken)}
${errorSummaryView(words, errors, shown)}
${shown}
<div class="form-actions">${buttonView(typeof submit === 'string' ? { label: submit } : submit)}${cancel && linkButtonView({ href: cancel.href, label: cancel.label ?? words.t('ui.cancel'), kind: 'quiet' })}${extra && html`<div class="form-extra">${extra}</div>`}</div>
</form>`
}

/** A GET form for filters and searches. */
export function filterFormView({
  action,
  submit,
  fields,
  reset,
}: {
  action: string
  submit: string
  fields: Child
  reset?: { href: string; label: string } | undefined
}): Html {
  return html`<form class="filters" action="${action}">${fields}<div class="filter-actions">${buttonView({ label: submit, kind: 'secondary', icon: 'list-filter' })}${reset && linkButtonView({ ...reset, kind: 'quiet' })}</div></form>`
}

export function fieldsetView({ legend, help, fields }: { legend: string; help?: string | undefined; fields: Child }): Html {
  return html`<fieldset class="section"><legend>${legend}</legend>${help && html`<p class="help">${help}</p>`}${fields}</fieldset>`
}

/** Related fields in one row on wide screens. */
export function fieldRowView(...fields: Child[]): Html {
  return html`<div class="field-row">${fields}</div>`
}
