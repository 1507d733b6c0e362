// Service worker, offline copy of the own shifts, and push messages. Every page works without this file.
const WORKER = '/service-worker.js'
const PUSH = '/settings/notifications/push/'
const LATER_MS = 30 * 24 * 3600_000

const signOutForm = document.querySelector('form[action="/accounts/logout/"]')
const csrfToken = signOutForm?.querySelector('[name="csrf_token"]')?.value
const isSignedIn = csrfToken !== undefined
/** Whose page this is: a marker of person and session. Missing on pages that do not know it, such as errors. */
const copiesOf = document.querySelector('meta[name="copies-of"]')?.content

/** Storage may be disabled: then nothing is remembered. */
const remembered = {
  get(name) {
    try {
      return Number(localStorage.getItem(name) ?? 0)
    } catch {
      return 0
    }
  },
  set(name) {
    try {
      localStorage.setItem(name, String(Date.now()))
    } catch {}
  },
}

/** Resolves when nothing of a former person is left. */
async function tellWorker(message) {
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise((resolve) => port1.addEventListener('message', resolve))
  port1.start()
  active.postMessage(message, [port2])
  await answered
}

async function startWorker() {
  await navigator.serviceWorker.register(WORKER)
  if (!copiesOf) return
  // A message on the page means that something has just changed.
  const isNews = document.querySelector('#flashes > *') !== null
  await tellWorker({ of: copiesOf, refresh: isSignedIn && { isNews } })
}

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function getSubscription() {
  const registration = await navigator.serviceWorker.ready
  return registration.pushManager.getSubscription()
}

async function sendSubscription(subscription) {
  const { endpoint, keys } = subscription.toJSON()
  const body = new URLSearchParams({ csrf_token: csrfToken, endpoint, p256dh: keys.p256dh, auth: keys.auth })
  const response = await fetch(PUSH, { method: 'POST', body, redirect: 'manual' })
  // The redirect to the settings page.
  if (response.type !== 'opaqueredirect' && !response.ok) throw new Error(`not subscribed: ${response.status}`)
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { key } = await (await fetch(`${PUSH}key/`)).json()
  const registration = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: key }
  await sendSubscription(await registration.pushManager.subscribe(options))
  return true
}

function showState(name) {
  for (const part of document.querySelectorAll('[data-push-state]')) part.hidden = part.dataset.pushState !== name
}

async function showPush() {
  const card = document.querySelector('[data-push]')
  const offer = document.querySelector('[data-push-offer]')
  if (!isSignedIn || !(card || offer)) return
  if (!canPush()) return showState('unsupported')
  const { permission } = Notification
  const isOn = permission === 'granted' && (await getSubscription()) !== null
  showState(permission === 'denied' ? 'denied' : isOn ? 'on' : 'off')
  if (offer) offer.hidden = permission !== 'default' || Date.now() - remembered.get('push-later') < LATER_MS
}

document.addEventListener('click', async (event) => {
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest('[data-push-later]')) {
    remembered.set('push-later')
    target.closest('[data-push-offer]').hidden = true
  }
  const button = target?.closest('[data-push-on]')
  if (!button) return
  button.disabled = true
  try {
    // The settings page shows the device and what comes by push.
    if (await subscribe()) location.assign('/settings/notifications/#push')
    else await showPush()
  } catch {
    showState('failed')
    document.dispatchEvent(new CustomEvent('toast', { detail: 'failed' }))
  } finally {
    button.disabled = false
  }
})

/** Browsers renew subscriptions, and signing in again needs a new entry: tell the server once per window and session. */
async function renewSubscription() {
  if (!isSignedIn || !canPush() || Notification.permission !== 'granted') return
  if (sessionStorage.getItem('push-renewed') === copiesOf) return
  const subscription = await getSubscription()
  if (!subscription) return
  await sendSubscription(subscription)
  sessionStorage.setItem('push-renewed', copiesOf)
}

if ('serviceWorker' in navigator) {
  // Offline, or storage disabled by the browser: the page works without.
  startWorker()
    .then(renewSubscription)
    .catch(() => undefined)
}
showPush().catch(() => showState('unsupported'))
document.addEventListener('htmx:after:swap', () => showPush().catch(() => undefined))
