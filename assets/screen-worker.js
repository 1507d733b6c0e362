// Keeps a screen of an extension and its two files for times without a connection, and nothing else.
const NAME = 'screen'
const FILES = ['./', 'screen.js', 'screen.css']
self.addEventListener('install', (event) =>
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  ),
)
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const isOwn = FILES.some((file) => new URL(file, self.location).href === event.request.url)
  if (event.request.method === 'GET' && isOwn) event.respondWith(answer(event.request))
})
async function answer(request) {
  const cache = await caches.open(NAME)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch {
    return (await cache.match(request)) ?? Response.error()
  }
}
