// Keeps the look of the site, a copy of the own coming shifts and of check-in lists that planners have opened, for times without a
// connection, and shows push messages.
// The server replaces the two values below.
const VERSION = '%VERSION%'
const SHELL = JSON.parse('%SHELL%')

const SHELL_CACHE = `shell-${VERSION}`
const PERSONAL_CACHE = 'personal'
const OFFLINE = '/offline/'
const OWN_SHIFTS = '/my-shifts/offline/'
/** Pages that are kept when a person opens them. */
const KEPT_PAGE = /^\/events\/\d+\/check-in\/$/

self.addEventListener('install', (event) => {
  event.waitUntil(fillShell())
})

async function fillShell() {
  const cache = await caches.open(SHELL_CACHE)
  await cache.addAll(SHELL)
  // Without cookies: this page must not contain anything personal.
  await cache.put(OFFLINE, await fetch(OFFLINE, { credentials: 'omit' }))
  await self.skipWaiting()
}

self.addEventListener('activate', (event) => {
  event.waitUntil(replaceOldShells())
})

async function replaceOldShells() {
  for (const name of await caches.keys()) if (name.startsWith('shell-') && name !== SHELL_CACHE) await caches.delete(name)
  // The browser requests a page while the worker starts, so that the worker delays nothing.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return
  if (request.method === 'POST' && url.pathname === '/accounts/logout/') event.waitUntil(signOut())
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(showPage(event))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(findAsset(request))
})

async function showPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const copy =
      (await findKeptPage(event.request)) ??
      (await findCopy(PERSONAL_CACHE, OWN_SHIFTS)) ??
      (await findCopy(SHELL_CACHE, OFFLINE))
    if (copy) return copy
    throw error
  }
}

/** URLs of assets contain a hash of the content. Those of kept pages are kept with them. */
const findAsset = async (request) =>
  (await findCopy(SHELL_CACHE, request)) ?? (await findCopy(PERSONAL_CACHE, request)) ?? fetch(request)

/** The page with the same query, or else another day of it. */
async function findKeptPage(request) {
  if (!KEPT_PAGE.test(new URL(request.url).pathname)) return undefined
  const cache = await caches.open(PERSONAL_CACHE)
  return (await cache.match(request.url)) ?? cache.match(request.url, { ignoreSearch: true })
}

async function keepPage(path) {
  if (!KEPT_PAGE.test(new URL(path, self.location.origin).pathname)) return
  const response = await fetch(path, { redirect: 'manual' })
  const cache = await caches.open(PERSONAL_CACHE)
  // Redirected to sign in, or no longer allowed.
  if (!response.ok) return cache.delete(path)
  const text = await response.clone().text()
  await cache.put(path, response)
  for (const [address] of text.matchAll(/\/assets\/[\w.-]+/g))
    if (!SHELL.includes(address) && !(await cache.match(address))) await cache.add(address)
}

const findCopy = async (cacheName, request) => (await caches.open(cacheName)).match(request)

self.addEventListener('message', (event) => {
  if (event.data === 'refresh') event.waitUntil(copyOwnShifts())
  if (event.data?.keep) event.waitUntil(keepPage(event.data.keep))
  if (event.data === 'forget') event.waitUntil(caches.delete(PERSONAL_CACHE))
})

async function copyOwnShifts() {
  const response = await fetch(OWN_SHIFTS, { redirect: 'manual' })
  if (response.ok) await (await caches.open(PERSONAL_CACHE)).put(OWN_SHIFTS, response)
  // Redirected to sign in: the session has ended.
  else if (response.type === 'opaqueredirect') await caches.delete(PERSONAL_CACHE)
}

/** Nobody who uses this browser later may read the shifts or get the messages of the person. */
async function signOut() {
  await caches.delete(PERSONAL_CACHE)
  const subscription = await self.registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json()
  const icon = SHELL.find((address) => address.includes('icon-192'))
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.url ?? '/'))
})

async function openPage(path) {
  const url = new URL(path, self.location.origin)
  // A message never leads to another site.
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const open = windows.find((client) => client.url === url.href) ?? windows[0]
  if (!open) return self.clients.openWindow(url.href)
  await open.focus()
  if (open.url !== url.href) await open.navigate(url.href)
}
