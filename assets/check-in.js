// Check-in: marks take effect at once, wait on the device while there is no connection, and are sent later.
// Without this file, the buttons are ordinary forms.
const copiesOf = document.querySelector('meta[name="copies-of"]').content
const CACHE = `copies-${copiesOf}`
const DATABASE = 'check-in'
const STORE = 'marks'
const POLL_MS = 15_000

let root = document.getElementById('check-in')
const words = JSON.parse(root.dataset.words)
const eventId = Number(root.dataset.checkIn)
const userId = Number(root.dataset.user)
const base = `/events/${eventId}/check-in/`
const stateUrl = `${base}state/${location.search}`
const signInUrl = `/accounts/login/?next=${encodeURIComponent(location.pathname + location.search)}`

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_whole, name) => values[name] ?? '')

// ---- Marks that wait: a database of the browser, which survives closing the page and signing out. It holds no names.

let databaseOpened
function openDatabase() {
  databaseOpened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return databaseOpened
}

async function inStore(mode, use) {
  const database = await openDatabase()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode)
    const request = use(transaction.objectStore(STORE))
    transaction.oncomplete = () => resolve(request?.result)
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })
}

const queue = {
  /** In the order in which the buttons were pressed. */
  all: async () => (await inStore('readonly', (store) => store.getAll())).sort((a, b) => a.order - b.order),
  put: (mark) => inStore('readwrite', (store) => store.put(mark)),
  remove: (id) => inStore('readwrite', (store) => store.delete(id)),
}

/** Marks of this person for this event. */
let waiting = []
/** What the server has said last, by the id of the person in the shift. */
let known = {}
let canStore = true
let ofOthers = 0

async function readQueue() {
  try {
    const all = await queue.all()
    waiting = all.filter((mark) => mark.user === userId && mark.event === eventId)
    ofOthers = all.filter((mark) => mark.user !== userId && mark.event === eventId).length
  } catch {
    canStore = false
  }
}

// ---- What the page shows

function readPage() {
  for (const row of root.querySelectorAll('[data-person]')) {
    const { person, mark, arrived, left, noShow, previous } = row.dataset
    known[person] = {
      arrived: arrived ? Number(arrived) : null,
      left: left ? Number(left) : null,
      noShow: noShow === '1',
      mark: mark || null,
      previous: previous ? JSON.parse(previous) : null,
    }
  }
}

/** Repeats `applyMark` of the server, to show the outcome before the server has answered. */
function applyMark(state, { kind, made, to }) {
  if (kind === 'set') return { ...to }
  if (kind === 'no_show') return { arrived: null, left: null, noShow: true }
  if (kind === 'left') return { arrived: state.arrived, left: made, noShow: false }
  if (state.left !== null && state.left <= made) return { arrived: state.arrived ?? made, left: null, noShow: false }
  return { arrived: made, left: state.left, noShow: false }
}

/** What is stored with the marks that wait. */
function shownState(person) {
  let state = known[person] ?? { arrived: null, left: null, noShow: false, mark: null, previous: null }
  let isWaiting = false
  for (const mark of waiting) {
    if (mark.person !== Number(person) || mark.refused) continue
    const { arrived, left, noShow } = state
    state = { ...applyMark(state, mark), mark: mark.id, previous: { arrived, left, noShow } }
    isWaiting = true
  }
  return { ...state, isWaiting }
}

const nameOf = ({ arrived, left, noShow }) => (noShow ? 'no_show' : left !== null ? 'gone' : arrived !== null ? 'there' : 'none')

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: root.dataset.zone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const timeText = (at) => clock.format(at)

function stateText(state) {
  const name = nameOf(state)
  if (name === 'there') return fill(words.there, { time: timeText(state.arrived) })
  if (name === 'gone')
    return state.arrived === null
      ? fill(words.left, { time: timeText(state.left) })
      : fill(words.gone, { from: timeText(state.arrived), to: timeText(state.left) })
  return words[name]
}

/** The local time of the instance, as date fields have it. */
const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: root.dataset.zone, dateStyle: 'short', timeStyle: 'short' })
const wallText = (at) => (at === null ? '' : wall.format(at).replace(' ', 'T'))
function readWall(text) {
  if (!text) return null
  const guess = Date.parse(`${text}Z`)
  const offset = Date.parse(`${wallText(guess)}Z`) - guess
  const at = guess - offset
  // The offset of the moment itself, in case the clock changes in between.
  return guess - (Date.parse(`${wallText(at)}Z`) - at)
}

const setText = (element, text) => {
  if (element && element.textContent !== text) element.textContent = text
}

function showPerson(row) {
  const state = shownState(row.dataset.person)
  const name = nameOf(state)
  const badge = row.querySelector('[data-state] .badge')
  badge.className = `badge tone-${words.tones[name]}`
  setText(badge, stateText(state))
  row.dataset.shown = name
  const sync = row.querySelector('[data-sync]')
  setText(sync, state.isWaiting ? words.waiting : row.dataset.saved ? words.saved : '')
  row.classList.toggle('is-waiting', state.isWaiting)
  const how = row.querySelector('[data-how]')
  if (state.isWaiting || known[row.dataset.person]?.bySelf === false || name === 'none') setText(how, '')
  const buttons = row.querySelectorAll('form[data-marks] button')
  if (!buttons.length) return
  const isShown = [name === 'none' || name === 'no_show', name === 'gone', name === 'there', name === 'none']
  buttons.forEach((button, at) => {
    button.hidden = !isShown[at]
  })
  row.querySelector('form[data-undo]').hidden = state.previous === null
  const times = row.querySelector('form[data-times]')
  if (!times.contains(document.activeElement)) {
    times.elements.arrived.value = wallText(state.arrived)
    times.elements.left.value = wallText(state.left)
  }
}

function countText(rows) {
  const names = [...rows].map((row) => row.dataset.shown)
  const count = (wanted) => String(names.filter((name) => name === wanted).length)
  return fill(words.total, { there: count('there'), gone: count('gone'), absent: count('no_show'), all: String(names.length) })
}

function show() {
  for (const row of root.querySelectorAll('[data-person]')) showPerson(row)
  setText(root.querySelector('[data-total]'), countText(root.querySelectorAll('[data-person]')))
  for (const shift of root.querySelectorAll('[data-shift]'))
    setText(shift.querySelector('[data-count]'), countText(shift.querySelectorAll('[data-person]')))
  showRefused()
}

function showRefused() {
  const list = root.querySelector('[data-refused]')
  const refused = waiting.filter((mark) => mark.refused)
  list.hidden = refused.length === 0
  list.replaceChildren(
    ...refused.map((mark) => {
      const line = document.createElement('li')
      line.className = 'ci-refusal tone-bad'
      const name = root.querySelector(`[data-person="${mark.person}"]`)?.dataset.name ?? `#${mark.person}`
      line.append(`${fill(words[`refused_${mark.refused}`] ?? words.refused_unknown, { name })} (${timeText(mark.made)}) `)
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'button quiet small'
      button.textContent = words.dismiss
      button.addEventListener('click', async () => {
        await queue.remove(mark.id)
        await readQueue()
        show()
      })
      line.append(button)
      return line
    }),
  )
}

/** One line about the connection. */
function showStatus(text, { tone = 'info', link } = {}) {
  const status = root.querySelector('[data-status]')
  const others = ofOthers ? fill(words.other_person, { number: String(ofOthers) }) : ''
  const all = [canStore ? '' : words.not_stored, text, others].filter(Boolean).join(' ')
  status.hidden = all === ''
  status.className = `ci-status tone-${canStore ? tone : 'bad'}`
  if (status.dataset.text === all) return
  status.dataset.text = all
  status.textContent = all
  if (link) {
    const a = document.createElement('a')
    a.href = link.href
    a.textContent = link.label
    status.append(' ', a)
  }
}

// ---- Sending

let isSending = false
let sendAgain = false

class SignedOut extends Error {}

async function loadState() {
  const response = await fetch(stateUrl, { redirect: 'manual', headers: { accept: 'application/json' } })
  if (response.type === 'opaqueredirect') throw new SignedOut()
  if (!response.ok) throw Object.assign(new Error(`state: ${response.status}`), { status: response.status })
  return response.json()
}

/** Sends what waits and takes over what others have marked. The state comes first: its token is valid for the session of now. */
async function sync() {
  if (isSending) {
    sendAgain = true
    return
  }
  isSending = true
  try {
    do {
      sendAgain = false
      await syncOnce()
    } while (sendAgain)
  } catch (error) {
    if (error instanceof SignedOut)
      showStatus(words.signed_out, { tone: 'warn', link: { href: signInUrl, label: words.sign_in } })
    else if (error.status) showStatus(words.failed, { tone: 'bad' })
    else showOffline()
  } finally {
    isSending = false
  }
}

function showOffline() {
  const number = waiting.filter((mark) => !mark.refused).length
  showStatus(number ? fill(words.offline_waiting, { number: String(number) }) : words.offline, { tone: 'warn' })
}

async function syncOnce() {
  let state = await loadState()
  // Somebody else has signed in on this device: marks keep the name of the person who made them.
  if (state.user !== userId) return location.reload()
  await readQueue()
  const marks = waiting.filter((mark) => !mark.refused)
  if (marks.length) {
    showStatus(words.sending)
    await send(marks, state.csrf)
    state = await loadState()
  }
  known = state.people
  await keepState(state)
  await readQueue()
  showStatus('')
  if (state.shape !== root.dataset.shape) await loadPage()
  show()
}

async function send(marks, csrf) {
  const sent = marks.map(({ id, person, kind, base: seen, made, to }) => ({ id, person, kind, base: seen, made, to }))
  const content = JSON.stringify({ sent: Date.now(), marks: sent })
  const body = new URLSearchParams({ csrf_token: csrf, content })
  const response = await fetch(`${base}marks/`, { method: 'POST', body, redirect: 'manual' })
  if (response.type === 'opaqueredirect') throw new SignedOut()
  if (!response.ok) throw Object.assign(new Error(`marks: ${response.status}`), { status: response.status })
  for (const { id, outcome, reason } of (await response.json()).marks) {
    const mark = marks.find((one) => one.id === id)
    if (outcome === 'refused') await queue.put({ ...mark, refused: reason })
    else await queue.remove(id)
    const row = root.querySelector(`[data-person="${mark.person}"]`)
    if (row && outcome !== 'refused') row.dataset.saved = '1'
  }
}

/** The last known state, for opening the page without a connection. Deleted with the copy of the page at sign-out. */
async function keepState(state) {
  // The service worker makes it, and deletes it when somebody else signs in.
  if (!('caches' in window && (await caches.has(CACHE)))) return
  const { csrf: _csrf, ...kept } = state
  await (await caches.open(CACHE)).put(stateUrl, new Response(JSON.stringify(kept)))
}

async function readKeptState() {
  if (!('caches' in window && (await caches.has(CACHE)))) return
  const found = await (await caches.open(CACHE)).match(stateUrl)
  if (found) known = (await found.json()).people
}

/** Other people or conflicts: the list as the server shows it now. */
async function loadPage() {
  if (root.contains(document.activeElement) && document.activeElement.matches('input, select')) return
  const response = await fetch(location.pathname + location.search, { redirect: 'manual' })
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = page.getElementById('check-in')
  if (!fresh) return
  const query = root.querySelector('#ci-search')?.value ?? ''
  root.replaceWith(fresh)
  root = fresh
  const search = root.querySelector('#ci-search')
  if (search) search.value = query
  reveal()
  filter()
  await keepPage()
}

/** The service worker keeps a copy of this page, for opening it without a connection. */
async function keepPage() {
  if (!('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ of: copiesOf, keep: location.pathname + location.search })
}

// ---- Buttons

async function addMark(person, kind, to) {
  const state = shownState(person)
  const order = (waiting.at(-1)?.order ?? 0) + 1
  const mark = {
    id: newId(),
    user: userId,
    event: eventId,
    person: Number(person),
    kind,
    base: state.mark,
    made: Date.now(),
    order,
    ...(to && { to }),
  }
  await queue.put(mark)
  waiting.push(mark)
  delete root.querySelector(`[data-person="${person}"]`)?.dataset.saved
  show()
  if (navigator.onLine === false) showOffline()
  else void sync()
}

/** Random, as RFC 9562 wants it; `crypto.randomUUID` exists on secure pages only. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6] & 15) | 64
  bytes[8] = (bytes[8] & 63) | 128
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target
    if (!canStore || !root.contains(form) || !form.matches('[data-marks], [data-undo], [data-times]')) return
    const person = form.closest('[data-person]').dataset.person
    event.preventDefault()
    event.stopPropagation()
    if (form.matches('[data-marks]')) return void addMark(person, event.submitter?.value ?? 'arrived')
    if (form.matches('[data-undo]')) {
      const { previous } = shownState(person)
      return previous && void addMark(person, 'set', previous)
    }
    const to = { arrived: readWall(form.elements.arrived.value), left: readWall(form.elements.left.value), noShow: false }
    if (to.arrived !== null && to.left !== null && to.left < to.arrived) {
      form.elements.left.setCustomValidity(fill(words.refused_order, { name: form.closest('[data-person]').dataset.name }))
      form.elements.left.reportValidity()
      form.elements.left.setCustomValidity('')
      return
    }
    form.closest('details').open = false
    return void addMark(person, 'set', to)
  },
  true,
)

function filter() {
  const text = (root.querySelector('#ci-search')?.value ?? '').trim().toLocaleLowerCase()
  for (const row of root.querySelectorAll('[data-person]')) row.hidden = !row.dataset.name.toLocaleLowerCase().includes(text)
}
document.addEventListener('input', ({ target }) => {
  if (target.id === 'ci-search') filter()
})
function reveal() {
  const search = root.querySelector('[data-search]')
  if (search) search.hidden = false
}

// ---- Start

window.addEventListener('online', () => void sync())
window.addEventListener('offline', showOffline)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void sync()
})
setInterval(() => {
  if (!document.hidden) void sync()
}, POLL_MS)

async function start() {
  reveal()
  readPage()
  await readQueue()
  // A page from the cache is older than what the server has said since.
  if (navigator.onLine === false) await readKeptState()
  show()
  await sync()
  // Only a page that came from the server is kept again.
  if (navigator.onLine !== false) await keepPage()
}
start().catch(() => undefined)
