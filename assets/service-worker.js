// Keeps the look of the site, a copy of the own coming shifts, of check-in lists that planners have opened and of the handbook once a
// chapter was read, for times without a connection, and shows push messages.
// The server replaces the two values below.
const VERSION = '%VERSION%'
const SHELL = JSON.parse('%SHELL%')

const SHELL_CACHE = `shell-${VERSION}`
/** Pages of the handbook are the same for everybody. They go with the version that they are about. */
const HELP_CACHE = `help-${VERSION}`
const HELP = '/help/'
const HELP_PICTURES = '/help/images/'
/** A chapter or the list of chapters; with the language. */
const HELP_CHAPTER = /^(\/help\/[a-z]{2}\/)(?:[a-z0-9-]+\/)?$/
const OFFLINE = '/offline/'
const OWN_SHIFTS = '/my-shifts/offline/'
/** Pages that are kept when a person opens them. */
const KEPT_PAGE = /^\/events\/\d+\/check-in\/$/
const REFRESH_MS = 10 * 60_000

// Copies belong to a person and a session. The server sends a marker of both with each page, and names the cache of the copies.
const MARKER = 'x-copies-of'
const COPIES = 'copies-'
const OWNER_CACHE = 'owner'
const OWNER = '/copies-of/'
/** Beside the copies, so that it is deleted with them. */
const COPIED_AT = '/copied-at/'

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
  // `personal` is the cache of former versions, which does not say whose copies it holds.
  const isOld = (name) => name === 'personal' || (/^(shell|help)-/.test(name) && name !== SHELL_CACHE && name !== HELP_CACHE)
  for (const name of (await caches.keys()).filter(isOld)) await caches.delete(name)
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
  else if (url.pathname.startsWith(HELP_PICTURES)) event.respondWith(showPicture(event))
})

async function showPage(event) {
  let response
  try {
    response = (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const copy =
      (await findHelp(event.request)) ??
      (await findKeptPage(event.request)) ??
      (await findOwnCopy(OWN_SHIFTS)) ??
      (await findCopy(SHELL_CACHE, OFFLINE))
    if (copy) return copy
    throw error
  }
  // Before the page is shown: the connection may be gone for the next one. Storage may be full or disabled.
  await claimCopies(response.headers.get(MARKER)).catch(() => undefined)
  keepHelp(event, response)
  return response
}

const isHelp = ({ url }) => new URL(url).pathname.startsWith(HELP)
const findHelpCopy = (request) => findCopy(HELP_CACHE, request, { ignoreSearch: true, ignoreVary: true })

async function findHelp(request) {
  if (!isHelp(request)) return undefined
  if (new URL(request.url).pathname !== HELP) return findHelpCopy(request)
  // Online, the server chooses the language.
  const paths = (await (await caches.open(HELP_CACHE)).keys()).map(({ url }) => new URL(url).pathname)
  const list = paths.find((path) => HELP_CHAPTER.exec(path)?.[1] === path)
  return list && findHelpCopy(list)
}

/** Not the results of a search. */
function keepHelp(event, response) {
  if (!isHelp(event.request) || !response.ok || response.redirected || new URL(event.request.url).search) return
  const copy = response.clone()
  event.waitUntil(storeHelp(event.request.url, copy).catch(() => undefined))
}

/** With the other chapters of its language, which are small; pictures only of chapters that were read. */
async function storeHelp(url, response) {
  const cache = await caches.open(HELP_CACHE)
  const [, book] = HELP_CHAPTER.exec(new URL(url).pathname) ?? []
  const text = book && (await response.clone().text())
  await cache.put(url, response)
  if (!book || navigator.connection?.saveData) return
  for (const [, path] of text.matchAll(/ href="(\/help\/[^"#?]*)"/g))
    if (HELP_CHAPTER.exec(path)?.[1] === book && !(await findHelpCopy(path))) await cache.add(path)
}

async function showPicture(event) {
  try {
    const response = await fetch(event.request)
    keepHelp(event, response)
    return response
  } catch (error) {
    const copy = await findHelp(event.request)
    if (copy) return copy
    throw error
  }
}

const findCopy = async (cacheName, request, options) => (await caches.open(cacheName)).match(request, options)
const readOwner = async () => (await findCopy(OWNER_CACHE, OWNER))?.text()
const personOf = (owner) => owner.split('.')[0]

/** A copy of the person who uses the browser now. */
async function findOwnCopy(request, options) {
  const owner = await readOwner()
  return owner && (await caches.has(COPIES + owner)) ? findCopy(COPIES + owner, request, options) : undefined
}

async function deleteCopies() {
  for (const name of await caches.keys()) if (name.startsWith(COPIES)) await caches.delete(name)
}

let claims = Promise.resolve()
/** One after the other: each compares with the one before. Pages without a marker do not know who uses the browser. */
function claimCopies(marker) {
  if (!marker) return claims
  const claim = claims.then(() => setOwner(marker))
  claims = claim.catch(() => undefined)
  return claim
}

async function setOwner(marker) {
  const before = (await readOwner()) ?? ''
  // Nobody is signed in: the person is remembered, since their push messages outlive the session.
  const owner = marker === 'none' ? `${personOf(before)}.` : marker
  if (owner === before) return
  await deleteCopies()
  if (personOf(before) && personOf(before) !== personOf(owner)) await unsubscribe()
  await (await caches.open(OWNER_CACHE)).put(OWNER, new Response(owner))
  if (owner === marker) await caches.open(COPIES + owner)
}

/** Keeps a response that is for the person who uses the browser now; it may have been requested for somebody else. */
async function keepCopy(path, response) {
  const owner = await readOwner()
  if (response.headers.get(MARKER) !== owner) return undefined
  const cache = await caches.open(COPIES + owner)
  await cache.put(path, response)
  return cache
}

/** URLs of assets contain a hash of the content. Those of kept pages are kept with them. */
const findAsset = async (request) => (await findCopy(SHELL_CACHE, request)) ?? (await findOwnCopy(request)) ?? fetch(request)

/** The page with the same query, or else another day of it. */
async function findKeptPage(request) {
  if (!KEPT_PAGE.test(new URL(request.url).pathname)) return undefined
  return (await findOwnCopy(request.url)) ?? findOwnCopy(request.url, { ignoreSearch: true })
}

async function keepPage(path) {
  if (!KEPT_PAGE.test(new URL(path, self.location.origin).pathname)) return
  const response = await fetch(path, { redirect: 'manual' })
  // Redirected to sign in, or no longer allowed.
  if (!response.ok) return deletePage(path)
  const text = await response.clone().text()
  const cache = await keepCopy(path, response)
  if (!cache) return
  for (const [address] of text.matchAll(/\/assets\/[\w.-]+/g))
    if (!SHELL.includes(address) && !(await cache.match(address))) await cache.add(address)
}

async function deletePage(path) {
  const owner = await readOwner()
  if (owner && (await caches.has(COPIES + owner))) await (await caches.open(COPIES + owner)).delete(path)
}

/** Messages of pages say whose page it is: one that was loaded before the worker started did not pass through it. */
self.addEventListener('message', (event) => {
  const { of, keep, refresh } = event.data ?? {}
  if (of) event.waitUntil(answer(event.ports[0], { of, keep, refresh }))
})

async function answer(port, { of, keep, refresh }) {
  await claimCopies(of)
  port?.postMessage('claimed')
  if (keep) await keepPage(keep)
  if (refresh) await copyOwnShifts(refresh)
}

async function copyOwnShifts({ isNews }) {
  const copiedAt = Number(await (await findOwnCopy(COPIED_AT))?.text())
  if (!isNews && Date.now() - copiedAt < REFRESH_MS) return
  const response = await fetch(OWN_SHIFTS, { redirect: 'manual' })
  // Redirected to sign in: the session has ended.
  if (response.type === 'opaqueredirect') await deleteCopies()
  const cache = response.ok ? await keepCopy(OWN_SHIFTS, response) : undefined
  await cache?.put(COPIED_AT, new Response(String(Date.now())))
}

/** Nobody who uses this browser later may read the shifts or get the messages of the person. */
async function signOut() {
  await deleteCopies()
  await caches.delete(OWNER_CACHE)
  await unsubscribe()
}

async function unsubscribe() {
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
