import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { textareaField, textField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, formView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { FieldName } from './rules.ts'

export type ShownField = { key: string; name: FieldName; isLong: boolean; maxLength: number; value: string; isOutdated: boolean }
type TranslationsData = {
  words: Words
  csrfToken: string
  action: string
  back: string
  title: string
  facts: string
  originals: readonly { name: FieldName; original: string }[]
  languages: readonly { code: string; name: string; fields: readonly ShownField[] }[]
  errors: readonly FormError[]
}

export function translationsView({ words, title, facts, originals, languages, errors, ...form }: TranslationsData): Html {
  const original = factListView(
    originals.map((each) => ({
      name: words.t(`translations.field_${each.name}`),
      value: html`<span class="pre-line">${each.original}</span>`,
    })),
  )
  const fieldView = (language: string, { key, name, isLong, maxLength, value, isOutdated }: ShownField): Html => {
    const help = [
      name === 'choices' && words.t('translations.choices_help'),
      isOutdated && words.t('translations.outdated'),
    ].filter((text) => text !== false)
    const data = {
      words,
      name: key,
      label: words.t(`translations.field_${name}`),
      help: help.length ? help.join(' ') : undefined,
      error: errors.find(({ field }) => field === key)?.text,
      value,
      attributes: { lang: language, dir: 'auto', maxlength: maxLength },
    }
    return isLong ? textareaField({ ...data, rows: name === 'content' ? 12 : 5 }) : textField(data)
  }
  return html`${pageHeadView({ title, facts })}
${cardView({ title: words.t('translations.original'), body: html`${original}<p class="muted">${words.t('translations.help')}</p>` })}
${cardView({
  body: formView({
    words,
    csrfToken: form.csrfToken,
    action: form.action,
    errors,
    submit: words.t('translations.save'),
    cancel: { href: form.back },
    fields: languages.map(({ code, name, fields }) =>
      fieldsetView({ legend: name, fields: fields.map((field) => fieldView(code, field)) }),
    ),
  }),
})}`
}

/** In the form of an event: a line, because most people do not translate. */
export const progressView = (words: Words, href: string, lines: readonly string[]): Html =>
  html`<p><a href="${href}">${words.t('translations.title')}</a><br><small class="muted">${lines.join(' · ')}</small></p>`
