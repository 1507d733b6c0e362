import { readFileSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Extension, Screen, ScreenFacts } from '#extension'
import { storeDeviceApplication } from '#features/access/oauth/commands/program-applications.ts'
import { getBranding } from '#features/operations/settings/queries.ts'
import type { DB } from '#platform/db/tables.ts'
import { attrs, html, renderHtml, trustedHtml } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { weakEtag } from '#platform/http/etag.ts'
import { type Download, type Page, viewPage } from '#platform/http/page.ts'
import { directionOf, type Language, sourceLanguageOf } from '#platform/i18n/languages.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import { qrView } from '#platform/ui/qr.ts'
import { moduleOf } from '../rules/names.ts'
import type { Host } from './adapt-requests.ts'

const access = open('a program without data; it gets a token as a device')
const REVALIDATE = { 'cache-control': 'no-cache' }
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const WORKER = readFileSync(new URL('../../../../../assets/screen-worker.js', import.meta.url), 'utf8')

/** The page and its files. The page has no session, no cookie and no data. */
export function screenPages(host: Host, { words: texts }: Extension, screen: Screen): Page[] {
  const file = (name: string, contentType: string, content: string) =>
    viewPage({
      path: `${screen.path}${name}`,
      access,
      isForPrograms: true,
      show: async (): Promise<Download> => ({
        content,
        contentType: `${contentType}; charset=utf-8`,
        headers: { ...REVALIDATE, 'content-security-policy': POLICY },
        etag: weakEtag(content),
      }),
    })
  return [
    viewPage({
      path: screen.path,
      access,
      isForPrograms: true,
      show: async ({ context: { db, site, ...context } }): Promise<Download> => {
        const { name } = await getBranding(db)
        // Nobody has chosen a language in this browser.
        const words = site.defaultLanguage ? wordsFor(site.defaultLanguage, site.timeZone, site) : context.words
        const language = sourceLanguageOf(words.language)
        const facts: ScreenFacts = {
          clientId: clientOf(host.name),
          scope: screen.scopes.join(' '),
          codePage: codePageOf(site.url),
          language: words.language,
          timeZone: words.timeZone,
          siteName: name ?? 'Turnout',
          words: texts[language],
        }
        const content = renderHtml(documentView(words, texts[language][screen.title] as string, facts))
        const headers = { ...REVALIDATE, 'content-security-policy': POLICY, 'content-language': words.language }
        return { content, contentType: 'text/html; charset=utf-8', headers, etag: weakEtag(content) }
      },
    }),
    file('screen.js', 'text/javascript', readFileSync(screen.script, 'utf8')),
    file('screen.css', 'text/css', readFileSync(screen.style, 'utf8')),
    file('worker.js', 'text/javascript', WORKER),
  ]
}

const clientOf = (name: string): string => moduleOf(name)

function codePageOf(siteUrl: string): ScreenFacts['codePage'] {
  const url = new URL('/device/', siteUrl).href
  const picture = renderHtml(qrView({ text: url, title: url })).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  return { url, qr: `data:image/svg+xml,${encodeURIComponent(picture)}` }
}

function documentView(words: Words, title: string, facts: ScreenFacts) {
  // In JSON, `<` occurs in strings only, so that the escape has the same meaning.
  const json = trustedHtml(JSON.stringify(facts).replaceAll('<', '\\u003c'))
  return html`<!doctype html>
<html ${attrs({ lang: words.language, dir: directionOf(words.language) })}><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><link rel="stylesheet" href="screen.css">${trustedHtml('<script type="application/json" id="screen">')}${json}${trustedHtml('</script>')}
<script type="module" src="screen.js"></script></head><body><main></main><noscript>${words.t('extensions.screen_needs_script')}</noscript></body></html>
`
}

/** Its client: people who enter the code of a screen read its name. */
export async function storeClient(
  db: Kysely<DB>,
  { name, words, screens = [] }: Extension,
  { language, now }: { language: Language; now: Date },
): Promise<void> {
  for (const { title, scopes } of screens)
    await storeDeviceApplication(db, {
      clientId: clientOf(name),
      name: words[sourceLanguageOf(language)][title] as string,
      scopes,
      now,
    })
}
