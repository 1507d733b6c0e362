// Progressive enhancement of the boards: moves cards by pointer and keys, saves in place and shows changes of others.
const POLL_MS = 8000
const REFRESH_DELAY_MS = 350
const DRAG_PX = 6
/** A busy phone may deliver the click long after the finger was lifted. */
const CLICK_DELAY_MS = 3000
/** Some presses never end with an event, for example on a scroll bar. */
const PRESS_LIMIT_MS = 15_000
const STATES = { requested: '0', confirmed: '1', declined: '2', rejected: '3' }

const board = () => document.querySelector('form[data-board]')
const cardsIn = (root) => [...root.querySelectorAll('[data-card]')]
const moveOf = (card) => card.querySelector('[data-move]')
let isBusy = false
let isLeaving = false
let pressedUntil = 0
let shownTab
let drag
let refreshTimer

function say(text) {
  const region = board()?.querySelector('[data-live]')
  if (!region || !text) return
  region.textContent = ''
  setTimeout(() => {
    region.textContent = text
  }, 60)
}

/** The pressed element must not be replaced: the browser would drop the click. */
const isPressed = () => performance.now() < pressedUntil

const showToast = (name) => document.dispatchEvent(new CustomEvent('toast', { detail: name }))

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_whole, name) => values[name] ?? '')
const hasChanges = () => !!board()?.querySelector('[data-card].changed')

function markChanged(card) {
  const typed = [...card.querySelectorAll('.dispo-fields input')].some((input) =>
    input.type === 'checkbox' ? input.checked !== input.defaultChecked : input.value !== input.defaultValue,
  )
  const isChanged = card.hasAttribute('data-fresh') || moveOf(card).value !== card.dataset.was || typed
  card.classList.toggle('changed', isChanged || (card.dataset.kept === 'true' && moveOf(card).value !== card.dataset.was))
}

/** Moves a card to the state chosen in its menu at once, before the server answers. */
function settle(card) {
  const form = board()
  const { value } = moveOf(card)
  const list =
    [...form.querySelectorAll('[data-list]')].find((one) => one.dataset.list === value) ??
    (value.startsWith('1') ? form.querySelector('[data-column=confirmed] [data-list]') : null)
  if (list && card.parentElement !== list) {
    const hadFocus = card.contains(document.activeElement) ? document.activeElement : undefined
    list.prepend(card)
    hadFocus?.focus({ preventScroll: false })
  }
  const cell = card.closest('td')
  if (cell) cell.className = cell.className.replace(/state-\w+/, `state-${value === '' ? 'none' : value[0]}`)
  markChanged(card)
  const { selectedOptions } = moveOf(card)
  const group = selectedOptions[0]?.parentElement
  const where =
    group?.tagName === 'OPTGROUP' ? `${STATE_NAMES().confirmed}, ${selectedOptions[0].text}` : selectedOptions[0]?.text
  say(fill(form.dataset.moved, { name: card.dataset.name, to: where?.trim() }))
  scheduleRefresh()
}

const STATE_NAMES = () => ({ confirmed: board().querySelector('#confirmed > h2')?.firstChild?.textContent ?? '' })

function moveTo(card, value) {
  const select = moveOf(card)
  const has = (wanted) => [...select.options].some((option) => option.value === wanted)
  const wanted = has(value) ? value : value?.startsWith('1') ? card.dataset.confirm : undefined
  if (wanted === undefined || !has(wanted) || select.value === wanted) return false
  select.value = wanted
  settle(card)
  return true
}

/** Sends only changed fields, to keep requests of large boards small. */
function fieldsOf(form, submitter) {
  const body = new URLSearchParams()
  for (const element of form.elements) {
    if (!element.name || element.disabled || element.tagName === 'BUTTON') continue
    if (element.type === 'checkbox' && !element.checked) continue
    if (element.name.startsWith('card.') && !element.closest('[data-card]')?.classList.contains('changed')) continue
    body.append(element.name, element.value)
  }
  if (submitter?.name) body.append(submitter.name, submitter.value)
  return body
}

function remember() {
  const active = document.activeElement
  const scrolled = ['.board', '.sheet'].map((name) => [name, document.querySelector(name)])
  return {
    id: active?.id || active?.closest?.('[data-card]')?.id,
    selection: active?.selectionStart,
    x: scrollX,
    y: scrollY,
    scrolled: scrolled.map(([name, element]) => [name, element?.scrollLeft ?? 0, element?.scrollTop ?? 0]),
    open: [...document.querySelectorAll('details[data-details][open]')].map((one) => one.dataset.details),
  }
}

function restore({ id, selection, x, y, scrolled, open }) {
  for (const [name, left, top] of scrolled) document.querySelector(name)?.scrollTo(left, top)
  for (const key of open)
    for (const one of document.querySelectorAll('details[data-details]')) one.open ||= one.dataset.details === key
  scrollTo(x, y)
  const element = id ? document.getElementById(id) : null
  element?.focus({ preventScroll: true })
  if (selection != null && element?.setSelectionRange && /text|search/.test(element.type))
    element.setSelectionRange(selection, selection)
}

/** Shows the board of a response; `hasMessage`: also its message, instead of the one on the page. */
function show(text, url, hasMessage = false) {
  const next = new DOMParser().parseFromString(text, 'text/html')
  if (!next.querySelector('form[data-board]')) {
    isLeaving = true
    location.assign(url)
    return false
  }
  const kept = remember()
  // After an action the server decides whether the search for people stays open.
  if (hasMessage) kept.open = kept.open.filter((key) => key !== 'add')
  const replaced = hasMessage ? ['flashes', 'page'] : ['page']
  for (const id of replaced) document.getElementById(id).replaceChildren(...next.getElementById(id).childNodes)
  if (hasMessage) document.dispatchEvent(new CustomEvent('toast-shown'))
  start()
  restore(kept)
  return true
}

/** A background request, which does not count as activity of the user. */
const BACKGROUND_REQUEST = { headers: { 'X-Poll': '1' } }

async function ask(url, options) {
  try {
    return await fetch(url, { credentials: 'same-origin', ...options })
  } catch {
    return undefined
  }
}

async function send(submitter) {
  const form = board()
  if (!form || isBusy) return
  clearTimeout(refreshTimer)
  isBusy = true
  form.classList.add('busy')
  if (submitter?.value === 'save') showToast('busy')
  const answer = await ask(form.action, { method: 'POST', body: fieldsOf(form, submitter) })
  // A connection that breaks during the response leaves it open whether the server has saved.
  const text = await answer?.text().catch(() => undefined)
  isBusy = false
  form.classList.remove('busy')
  if (text === undefined) showToast('offline')
  else if (answer.status >= 500 || answer.status === 429) showToast('failed')
  else show(text, answer.url, true)
}

function scheduleRefresh() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void refresh(), REFRESH_DELAY_MS)
}

/** Fetches the board for the unsaved input: places, gaps, counts, and changes that others saved. */
async function refresh() {
  const form = board()
  if (!form) return
  if (isBusy || isPressed() || drag) return scheduleRefresh()
  const before = fieldsOf(form).toString()
  // People who were added have a row before they have an answer.
  const dirty = hasChanges() || !!form.querySelector('[name=added]')
  const answer = dirty
    ? await ask(form.action, { method: 'POST', body: fieldsOf(form, { name: 'do', value: 'look' }) })
    : await ask(location.pathname + location.search, BACKGROUND_REQUEST)
  if (!answer?.ok) return
  const text = await answer.text()
  // The input changed since the request, so the response is outdated.
  if (isBusy || isPressed() || drag || board() !== form || fieldsOf(form).toString() !== before) return scheduleRefresh()
  show(text, answer.url)
}

async function poll() {
  const form = board()
  if (!form || document.hidden || isBusy || drag) return
  const answer = await ask(form.dataset.poll, BACKGROUND_REQUEST)
  if (!answer?.ok || form !== board()) return
  const { state } = await answer.json()
  if (state === form.dataset.state) return
  const text = form.dataset.refreshed
  await refresh()
  say(text)
}

function columns() {
  return [...board().querySelectorAll('[data-column]')].filter(({ dataset }) => dataset.column in STATES)
}

function onKey(event) {
  const card = event.target.closest?.('li[data-card]')
  if (!card || event.target !== card || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const all = columns()
    const at = all.indexOf(card.closest('[data-column]'))
    const next = all[at + (event.key === 'ArrowRight' ? 1 : -1)]
    if (next && moveTo(card, STATES[next.dataset.column])) card.focus()
    event.preventDefault()
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    const all = cardsIn(card.closest('[data-column]'))
    all[all.indexOf(card) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    event.preventDefault()
  } else if (event.key === 'Enter') {
    moveOf(card).focus()
    event.preventDefault()
  }
}

function targetAt(x, y) {
  const element = document.elementFromPoint(x, y)
  const list = element?.closest('[data-list]')
  if (list) return { element: list, value: list.dataset.list }
  const column = element?.closest('[data-column]')
  if (column && column.dataset.column in STATES)
    return { element: column.querySelector('[data-list]') ?? column, value: STATES[column.dataset.column] }
  const tab = element?.closest('.board-tabs a')
  const name = tab?.hash.slice(1)
  return name in STATES ? { element: tab, value: STATES[name] } : undefined
}

function onPointerDown(event) {
  const card = event.target.closest?.('li[data-card]')
  if (!card || event.button !== 0) return
  const isGrip = !!event.target.closest('[data-grip]')
  const isInteractive = !!event.target.closest('select, input, button, summary, details, a, label')
  if (!isGrip && (event.pointerType !== 'mouse' || isInteractive)) return
  if (isGrip) event.preventDefault()
  drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: undefined, target: undefined }
}

function onPointerMove(event) {
  if (!drag || event.pointerId !== drag.id) return
  const { clientX: x, clientY: y } = event
  if (!drag.ghost) {
    if (Math.hypot(x - drag.x, y - drag.y) < DRAG_PX) return
    drag.ghost = document.createElement('div')
    drag.ghost.className = 'dispo-ghost'
    drag.ghost.textContent = drag.card.dataset.name
    document.body.append(drag.ghost)
    drag.card.classList.add('dragged')
    getSelection()?.removeAllRanges()
  }
  event.preventDefault()
  drag.ghost.style.transform = `translate(${x + 8}px, ${y + 8}px)`
  const target = targetAt(x, y)
  if (target?.element !== drag.target?.element) {
    drag.target?.element.classList.remove('target')
    target?.element.classList.add('target')
  }
  drag.target = target
  const edge = 48
  if (y < edge + 60) scrollBy(0, -12)
  else if (y > innerHeight - edge) scrollBy(0, 12)
}

function onPointerEnd(event) {
  if (!drag || event.pointerId !== drag.id) return
  const { card, ghost, target } = drag
  drag = undefined
  ghost?.remove()
  card.classList.remove('dragged')
  target?.element.classList.remove('target')
  if (!ghost) return
  // A drag ends without a click.
  pressedUntil = 0
  if (target && event.type === 'pointerup') moveTo(card, target.value)
}

/** Phones show one column, selected by the URL fragment, also after an update in place. */
function showTab() {
  const form = board()
  const all = form ? [...form.querySelectorAll('[data-column]')] : []
  if (!all.length) return
  const named = (name) => all.find(({ id }) => id === name)
  const wanted = named(location.hash.slice(1)) ?? named(shownTab) ?? all.find((one) => one.classList.contains('first'))
  shownTab = wanted.id
  form.dataset.tab = wanted.id
  for (const one of all) one.classList.toggle('current', one === wanted)
  for (const link of form.querySelectorAll('.board-tabs a')) {
    if (link.hash === `#${wanted.id}`) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

function start() {
  const form = board()
  if (!form) return
  for (const hidden of form.querySelectorAll('[data-grip], [data-help]')) hidden.hidden = false
  // A quick drag would start a fling, and browsers swallow the next tap to stop it.
  for (const grip of form.querySelectorAll('[data-grip]'))
    grip.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false })
  for (const close of document.querySelectorAll('#main [data-dismiss][hidden]')) close.hidden = false
  for (const card of form.querySelectorAll('li[data-card]')) {
    card.tabIndex = 0
    // Cards that the server marks as changed stay changed, although their fields equal the defaults here.
    if (card.classList.contains('changed')) card.dataset.kept = 'true'
  }
  showTab()
}

document.addEventListener('change', (event) => {
  const card = event.target.closest?.('form[data-board] [data-card]')
  if (!card) return
  if (event.target.matches('[data-move]')) settle(card)
  else {
    markChanged(card)
    if (card.classList.contains('changed')) scheduleRefresh()
  }
})
document.addEventListener('input', (event) => {
  const card = event.target.closest?.('form[data-board] li[data-card]')
  if (card && !event.target.matches('[data-move]')) card.classList.add('changed')
})
document.addEventListener('submit', (event) => {
  if (!event.target.matches('form[data-board]')) return
  event.preventDefault()
  void send(event.submitter)
})
document.addEventListener('click', (event) => {
  if (event.target.closest?.('[data-discard]')) isLeaving = true
  const tab = event.target.closest?.('form[data-board] .board-tabs a')
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  history.replaceState(history.state, '', tab.hash)
  showTab()
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.id === 'find-placeholder') {
    event.preventDefault()
    void send(board().querySelector('button[value=add-placeholder]'))
  } else onKey(event)
})
document.addEventListener('pointerdown', () => {
  pressedUntil = performance.now() + PRESS_LIMIT_MS
})
document.addEventListener('pointerup', () => {
  pressedUntil = performance.now() + CLICK_DELAY_MS
})
// Choosing an option of a select ends with `change`, in some browsers without a click.
for (const end of ['click', 'change', 'pointercancel']) {
  document.addEventListener(end, () => {
    pressedUntil = 0
  })
}
document.addEventListener('pointerdown', onPointerDown)
document.addEventListener('pointermove', onPointerMove, { passive: false })
document.addEventListener('pointerup', onPointerEnd)
document.addEventListener('pointercancel', onPointerEnd)
window.addEventListener('hashchange', showTab)
window.addEventListener('focus', () => void poll())
document.addEventListener('visibilitychange', () => void poll())
window.addEventListener('beforeunload', (event) => {
  if (!isLeaving && hasChanges()) event.preventDefault()
})
setInterval(() => void poll(), POLL_MS)
start()
