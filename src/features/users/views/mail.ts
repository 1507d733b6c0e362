import { type Html, html, renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'

export type MailData = {
  words: Words
  siteName: string
  /** Of the receiver. */
  name: string
  siteUrl: string
  paragraphs: readonly string[]
  /** One thing to do. Its address begins with that of the site, whatever host a request came by. */
  action?: { label: string; path: string } | undefined
  /** Small print below. */
  notes?: readonly string[] | undefined
}

/** One mail in both forms; each says everything. */
export function mailBodies(data: MailData): { text: string; html: string } {
  return { text: textOf(data), html: renderHtml(mailView(data)) }
}

function textOf({ words, siteName, name, siteUrl, paragraphs, action, notes = [] }: MailData): string {
  const link = action ? [`${action.label}:\n${siteUrl}${action.path}`] : []
  const parts = [words.t('mail.greeting', { name }), ...paragraphs, ...link, ...notes, `-- \n${siteName}\n${siteUrl}/`]
  return `${parts.join('\n\n')}\n`
}

// Programs that show mails know no stylesheets: what is to look right is said at each element.
function mailView({ words, siteName, name, siteUrl, paragraphs, action, notes = [] }: MailData): Html {
  return html`<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${siteName}</title></head>
<body style="margin:0;padding:24px 12px;background:#f3f1ed;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1d1f23">
<div style="max-width:560px;margin:0 auto;padding:28px 24px;border-radius:10px;background:#ffffff">
<p style="margin:0 0 20px;font-weight:600;color:#0f6e6e">${siteName}</p>
<p style="margin:0 0 16px">${words.t('mail.greeting', { name })}</p>
${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>\n`)}${action && actionView(words, action.label, `${siteUrl}${action.path}`)}${notes.map((note) => html`<p style="margin:0 0 12px;font-size:14px;color:#5d5a55">${note}</p>\n`)}</div>
<p style="max-width:560px;margin:16px auto 0;text-align:center;font-size:13px"><a href="${siteUrl}/" style="color:#5d5a55">${siteUrl}</a></p>
</body></html>
`
}

function actionView(words: Words, label: string, href: string): Html {
  return html`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f6e6e;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#5d5a55">${words.t('mail.link_help')}<br><a href="${href}" style="color:#0f6e6e;word-break:break-all">${href}</a></p>
`
}
