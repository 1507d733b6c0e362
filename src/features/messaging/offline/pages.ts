import { readFileSync } from 'node:fs'
import { findOwnShifts } from '#features/events/browse/queries/shifts.ts'
import { getBranding, getLogo } from '#features/operations/settings/queries.ts'
import { logoPath } from '#features/operations/settings/views.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { assetUrl, pageAssets } from '#platform/ui/assets.ts'
import { makeManifest, makeServiceWorker } from './rules.ts'
import { offlineView, ownShiftsView } from './views.ts'

const MAX_SHIFTS = 50
/** Browsers ask for these files again at every visit. */
const REVALIDATE = { 'cache-control': 'public, no-cache' }

const manifestPage = viewPage({
  path: '/manifest.webmanifest',
  access: open('browsers request it without cookies'),
  show: async ({ context: { db, words } }) => {
    const { name, logoVersion } = await getBranding(db)
    const logo = logoVersion === undefined ? undefined : await getLogo(db, logoVersion)
    const manifest = makeManifest({
      name: name ?? 'Turnout',
      language: words.language,
      shortcut: words.t('web_app.own_shifts'),
      icons: {
        small: assetUrl('icon-192.png'),
        large: assetUrl('icon-512.png'),
        maskable: assetUrl('icon-maskable-512.png'),
      },
      logo: logo && { ...logo, url: logoPath(logoVersion!) },
    })
    const content = JSON.stringify(manifest)
    const etag = `"${hashSecret(content).toString('base64url').slice(0, 16)}"`
    return { content, contentType: 'application/manifest+json; charset=utf-8', headers: REVALIDATE, etag }
  },
})

const SERVICE_WORKER = readFileSync(new URL('../../../../assets/service-worker.js', import.meta.url), 'utf8')

const serviceWorkerPage = (path: string) =>
  viewPage({
    path,
    access: open('the same for everybody'),
    show: async () => {
      const { stylesheets, script, webApp, htmx, favicon } = pageAssets()
      const ownStyles = [assetUrl('find.css'), assetUrl('handbook.css')]
      const shell = [...stylesheets, script, webApp, htmx, favicon, ...ownStyles, assetUrl('icon-192.png')]
      const { content, version } = makeServiceWorker(SERVICE_WORKER, shell)
      // The policy of this response applies to the requests of the worker.
      const headers = { ...REVALIDATE, 'content-security-policy': "default-src 'none'; connect-src 'self'" }
      return { content, contentType: 'text/javascript; charset=utf-8', headers, etag: `"${version}"` }
    },
  })

const offlinePage = viewPage({
  path: '/offline/',
  access: open('shown without a connection, without anything personal'),
  show: async ({ context: { words } }) => ({ title: words.t('web_app.offline'), bare: true, main: offlineView(words) }),
})

/** Browsers keep a copy of this page for times without a connection. */
const ownShiftsPage = viewPage({
  path: '/my-shifts/offline/',
  access: signedIn,
  show: async ({ context }) => {
    const { words, now } = context
    const { confirmed, requested } = await findOwnShifts(context, MAX_SHIFTS)
    const main = ownShiftsView({ words, now, confirmed: confirmed.rows, requested: requested.rows })
    return { title: words.t('web_app.own_shifts'), bare: true, main }
  },
})

export const webAppPages: Page[] = [
  manifestPage,
  serviceWorkerPage('/service-worker.js'),
  // Browsers that installed the app of ephios ask for its worker, and accept no redirect: they get this one.
  serviceWorkerPage('/serviceworker.js'),
  offlinePage,
  ownShiftsPage,
]
