import { directionOf } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { attrs, type Html, html, renderHtml } from './html.ts'
import { mailName } from './mail-name.ts'
import { markdownView } from './markdown.ts'

type MailLink = { label: string; path: string }
export type MailData = {
  words: Words
  siteName: string
  /** Of the receiver. */
  name: string
  /** Whom the mail is for, if others read the mailbox, too. */
  about?: string | undefined
  siteUrl: string
  paragraphs: readonly string[]
  /** What somebody wrote, as Markdown. */
  message?: string | undefined
  /** What it is about: a name, and a few facts. */
  card?: { title: string; lines: readonly string[] } | undefined
  /** Several things at once. */
  sections?: readonly { title: string; lines: readonly string[] }[] | undefined
  /** One thing to do. Its address begins with that of the site, whatever host a request came by. */
  action?: MailLink | undefined
  /** The other answer to the same question. */
  otherAction?: MailLink | undefined
  /** Small print below. */
  notes?: readonly string[] | undefined
  /** Why this mail came, and how to have no more of them. */
  footer?: { text: string; links: readonly MailLink[] } | undefined
}

/** One mail in both forms; each says everything. */
export function mailBodies(data: MailData): { text: string; html: string } {
  const shown = { ...data, name: mailName(data.name), about: data.about === undefined ? undefined : mailName(data.about) }
  return { text: textOf(shown), html: renderHtml(mailView(shown)) }
}

function textOf(data: MailData): string {
  const {
    words,
    siteName,
    name,
    about,
    siteUrl,
    paragraphs,
    message,
    card,
    sections = [],
    action,
    otherAction,
    notes = [],
    footer,
  } = data
  const linkText = ({ label, path }: MailLink) => `${label}:\n${siteUrl}${path}`
  const parts = [
    words.t('mail.greeting', { name }),
    ...(about === undefined ? [] : [words.t('mail.about', { name: about })]),
    ...paragraphs,
    ...(message === undefined ? [] : [message]),
    ...(card ? [[card.title, ...card.lines].map((line) => `  ${line}`).join('\n')] : []),
    ...sections.map(({ title, lines }) => [title, ...lines.map((line) => `- ${line}`)].filter(Boolean).join('\n')),
    ...(action ? [linkText(action)] : []),
    ...(otherAction ? [linkText(otherAction)] : []),
    ...notes,
    `-- \n${siteName}\n${siteUrl}/`,
    ...(footer ? [[footer.text, ...footer.links.map(linkText)].filter(Boolean).join('\n')] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

// Programs that show mails know no stylesheets: what is to look right is said at each element.
function mailView(data: MailData): Html {
  const {
    words,
    siteName,
    name,
    about,
    siteUrl,
    paragraphs,
    message,
    card,
    sections = [],
    action,
    otherAction,
    notes = [],
    footer,
  } = data
  return html`<!doctype html>
<html ${attrs({ lang: words.language, dir: directionOf(words.language) })}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${siteName}</title></head>
<body style="margin:0;padding:24px 12px;background:#f3f1ed;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1d1f23">
<div style="max-width:560px;margin:0 auto;padding:28px 24px;border-radius:10px;background:#ffffff">
<p style="margin:0 0 20px;font-weight:600;color:#0f6e6e">${siteName}</p>
<p style="margin:0 0 16px">${words.t('mail.greeting', { name })}</p>
${about !== undefined && html`<p style="margin:0 0 16px;padding:8px 12px;border-radius:8px;background:#eef5f4;font-weight:600">${words.t('mail.about', { name: about })}</p>\n`}${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>\n`)}${message !== undefined && html`<div style="margin:0 0 20px;padding:2px 0 2px 16px;border-left:3px solid #0f6e6e">${markdownView(message)}</div>\n`}${card && cardView(card)}${sections.map(sectionView)}${action && actionView(words, action.label, `${siteUrl}${action.path}`)}${otherAction && html`<p style="margin:0 0 24px"><a href="${`${siteUrl}${otherAction.path}`}" style="display:inline-block;padding:11px 19px;border:1px solid #0f6e6e;border-radius:8px;color:#0f6e6e;font-weight:600;text-decoration:none">${otherAction.label}</a></p>\n`}${notes.map((note) => html`<p style="margin:0 0 12px;font-size:14px;color:#5d5a55">${note}</p>\n`)}</div>
${footer && footerView(siteUrl, footer)}<p style="max-width:560px;margin:16px auto 0;text-align:center;font-size:13px"><a href="${siteUrl}/" style="color:#5d5a55">${siteUrl}</a></p>
</body></html>
`
}

function cardView({ title, lines }: NonNullable<MailData['card']>): Html {
  return html`<div style="margin:0 0 20px;padding:14px 16px;border:1px solid #e3dfd8;border-left:4px solid #0f6e6e;border-radius:8px;background:#fbfaf8">
<p style="margin:0;font-size:18px;font-weight:600">${title}</p>
${lines.map((line) => html`<p style="margin:2px 0 0;color:#45423e">${line}</p>\n`)}</div>
`
}

function sectionView({ title, lines }: { title: string; lines: readonly string[] }): Html {
  return html`${title && html`<p style="margin:20px 0 6px;font-weight:600">${title}</p>\n`}<ul style="margin:0 0 16px;padding:0 0 0 20px">${lines.map((line) => html`<li style="margin:0 0 6px">${line}</li>`)}</ul>
`
}

function footerView(siteUrl: string, { text, links }: NonNullable<MailData['footer']>): Html {
  const shown = links.map(({ label, path }) => ({ label, href: `${siteUrl}${path}` }))
  return html`<p style="max-width:560px;margin:16px auto 0;text-align:center;font-size:13px;color:#5d5a55">${text}${shown.map(({ label, href }) => html` <a href="${href}" style="color:#5d5a55;white-space:nowrap">${label}</a>`)}</p>
`
}

function actionView(words: Words, label: string, href: string): Html {
  return html`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f6e6e;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5d5a55">${words.t('mail.link_help')}<br><a href="${href}" style="color:#0f6e6e;word-break:break-all">${href}</a></p>
`
}
