import { attrs, type Html, html, trustedHtml } from '#platform/html/html.ts'
import { directionOf } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { PageAssets } from './assets.ts'
import { toastTemplatesView } from './flash.ts'

export type DocumentData = {
  words: Words
  title: string
  siteName: string
  /** URL of the organisation's logo, which replaces the default. */
  logo?: string | undefined
  nonce: string
  /** Whose copies the browser may keep; undefined if the page does not know. */
  copiesOf?: string | undefined
  assets: PageAssets
  head?: Html | undefined
  scripts?: readonly string[] | undefined
}

/** Runs before the first paint, so that a remembered theme does not flash. */
const THEME_SCRIPT = `try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`
/**
 * On a slow phone people choose before the scripts have arrived. Their listeners get these events again as soon as all scripts have run,
 * which is when the document has loaded; the timeout lets scripts go first that wait for the same event.
 */
const EARLY_INPUT_SCRIPT = `(function(d){var early=[],kinds=['input','change']
function keep(e){early.push(e)}
for(var kind of kinds)d.addEventListener(kind,keep,true)
d.addEventListener('DOMContentLoaded',function(){setTimeout(function(){
for(var kind of kinds)d.removeEventListener(kind,keep,true)
for(var e of early)if(e.target.isConnected)e.target.dispatchEvent(new Event(e.type,{bubbles:true}))})})})(document)`
const HTMX_CONFIG = JSON.stringify({
  // The content security policy refuses scripts and styles without the nonce, so htmx must not add any.
  includeIndicatorCSS: false,
  // Going back reloads the page, as without JavaScript.
  history: 'reload',
  // Opened details stay open when the page is updated in place.
  morphIgnore: ['data-htmx-powered', 'open'],
})

export const documentTitle = ({ title, siteName }: Pick<DocumentData, 'title' | 'siteName'>): string =>
  title === siteName ? title : `${title} · ${siteName}`

/** `hasParts`: something on the page is replaced without loading the page again, which needs the largest script. */
export function documentView({
  words,
  title,
  siteName,
  nonce,
  copiesOf,
  assets,
  head,
  scripts = [],
  body,
  bodyClass,
  hasParts = true,
}: DocumentData & { body: Html; bodyClass: string; hasParts?: boolean }): Html {
  return html`<!doctype html>
<html ${attrs({ lang: words.language, dir: directionOf(words.language) })}>
<head>
<meta charset="utf-8">
<title>${documentTitle({ title, siteName })}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#1f2022" media="(prefers-color-scheme: dark)">
<meta name="htmx-config" content="${HTMX_CONFIG}">
${copiesOf && html`<meta name="copies-of" content="${copiesOf}">`}
${assets.stylesheets.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<link rel="icon" href="${assets.favicon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assets.touchIcon}">
<link rel="manifest" href="/manifest.webmanifest">
${inlineScript(nonce, `${THEME_SCRIPT}\n${EARLY_INPUT_SCRIPT}`)}
${hasParts && html`<script ${attrs({ nonce, src: assets.htmx, defer: true })}></script>`}
<script ${attrs({ nonce, src: assets.script, defer: true, 'data-copied': words.t('ui.copied') })}></script>
<script ${attrs({ nonce, src: assets.answers, defer: true })}></script>
<script ${attrs({ nonce, src: assets.webApp, type: 'module' })}></script>
${scripts.map((src) => html`<script ${attrs({ nonce, src, type: 'module' })}></script>`)}
${head}</head>
<body class="${bodyClass}">${body}${toastTemplatesView(words)}</body>
</html>
`
}

function inlineScript(nonce: string, script: string): Html {
  if (!/^[\w+/=-]+$/.test(nonce)) throw new TypeError('not a nonce')
  return trustedHtml(`<script nonce="${nonce}">${script}</script>`)
}
