// Progressive enhancement: every page works without this file.
const script = document.currentScript
const COPIED = script?.dataset.copied ?? 'Copied'

function reveal(root) {
  for (const hidden of root.querySelectorAll('[data-copy][hidden], [data-dismiss][hidden], [data-themes][hidden]'))
    hidden.hidden = false
}

/** Messages of the script itself: the server renders one template for each, in the language of the page. */
function showToast(name) {
  const place = document.getElementById('flashes')
  const template = document.querySelector(`template[data-toast="${name}"]`)
  if (!place || !template) return
  place.replaceChildren(template.content.cloneNode(true))
  startToast()
}

let toastShownAt = 0
let undoTimer
function startToast() {
  reveal(document.getElementById('flashes') ?? document)
  toastShownAt = Date.now()
  clearTimeout(undoTimer)
  const undo = document.querySelector('#flashes form[data-seconds]')
  // The server accepts it only for some time.
  if (undo) undoTimer = setTimeout(() => removeUndo(undo), undo.dataset.seconds * 1000)
}

/** Not while it has the focus, which would be lost. */
function removeUndo(undo) {
  if (undo.contains(document.activeElement)) undo.addEventListener('focusout', () => undo.remove(), { once: true })
  else undo.remove()
}

/** A message of success makes room as soon as the user goes on, but not before it could be read. */
const READING_MS = 5000
function hideReadToast(event) {
  if (Date.now() - toastShownAt < READING_MS || event.target.closest?.('#flashes')) return
  for (const flash of document.querySelectorAll('#flashes > :is(.tone-good, .tone-info):not([data-busy])')) flash.remove()
}
// Not on pointerdown: the page becomes shorter without the message, and the pressed element would move away before the click.
document.addEventListener('click', hideReadToast)
document.addEventListener('keydown', (event) => {
  // The user may be on the way to a button of the message, or about to press its keys.
  if (!['Tab', 'Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) hideReadToast(event)
})

const BUSY_DELAY_MS = 500
let busyTimer
/** Says “Saving …” unless the response comes at once. */
function startBusy() {
  clearTimeout(busyTimer)
  busyTimer = setTimeout(() => showToast('busy'), BUSY_DELAY_MS)
}
function endBusy() {
  clearTimeout(busyTimer)
  for (const flash of document.querySelectorAll('#flashes > [data-busy]')) flash.remove()
}

// Other scripts show messages by this event.
document.addEventListener('toast', ({ detail }) => {
  endBusy()
  if (detail === 'busy') startBusy()
  else showToast(detail)
})
document.addEventListener('toast-shown', () => {
  clearTimeout(busyTimer)
  startToast()
  // Pages without parts do not load it.
  window.htmx?.process(document.getElementById('flashes'))
})

async function copy(button) {
  const field = document.getElementById(button.dataset.copy)
  if (!field) return
  field.select()
  // The clipboard is not available over plain http; the selected text can still be copied by hand.
  if (!navigator.clipboard) return
  await navigator.clipboard.writeText(field.value)
  const label = button.querySelector('span') ?? button
  const before = label.textContent
  label.textContent = COPIED
  setTimeout(() => {
    label.textContent = before
  }, 2000)
}

function showTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  for (const choice of document.querySelectorAll('[data-theme-choice]')) {
    choice.setAttribute('aria-pressed', String(choice.dataset.themeChoice === (theme ?? 'auto')))
  }
}

function readTheme() {
  try {
    return localStorage.getItem('theme') ?? 'auto'
  } catch {
    return 'auto'
  }
}

function rememberTheme(theme) {
  try {
    if (theme === 'auto') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Storage may be disabled; the choice then applies to this page only.
  }
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null
  const copyButton = target?.closest('[data-copy]')
  if (copyButton) void copy(copyButton)
  target?.closest('[data-dismiss]')?.closest('[data-flash]')?.remove()
  const choice = target?.closest('[data-theme-choice]')
  if (choice) {
    rememberTheme(choice.dataset.themeChoice)
    showTheme(choice.dataset.themeChoice)
  }
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(target)) menu.open = false
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

// Phones show one column of a board; the URL fragment selects its tab.
function markTabs() {
  for (const tabs of document.querySelectorAll('.board-tabs')) {
    const links = [...tabs.querySelectorAll('a')]
    const current = links.find((link) => link.hash === location.hash) ?? links[0]
    for (const link of links) {
      if (link === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
}
window.addEventListener('hashchange', markTabs)

// A link to a shift opens its row, and the list that it is folded in.
function openTarget() {
  const target = /^#shift-\d+$/.test(location.hash) && document.querySelector(location.hash)
  if (!target) return
  for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true
  target.scrollIntoView()
}
window.addEventListener('hashchange', openTarget)
openTarget()

const changed = new Set()
document.addEventListener('input', (event) => {
  const form = event.target instanceof Element ? event.target.closest('form[data-guard]') : null
  if (form) changed.add(form)
})
document.addEventListener('submit', (event) => {
  const form = event.target
  const tooLarge = form.querySelector('input[data-max-bytes]:invalid')
  if (tooLarge?.validity.customError) {
    event.preventDefault()
    return tooLarge.focus()
  }
  // Forms with `data-hx-post`, boards and uploads send the request themselves and report a failure.
  const isSentByBrowser =
    form.method === 'post' && !event.defaultPrevented && !form.matches('[data-hx-post], [data-board], [data-upload]')
  if (isSentByBrowser && navigator.onLine === false) {
    // The error page of the browser would replace the input.
    event.preventDefault()
    return showToast('offline')
  }
  changed.delete(form)
  if (isSentByBrowser) startBusy()
})
// Going back shows the page as it was left.
window.addEventListener('pageshow', endBusy)
window.addEventListener('beforeunload', (event) => {
  for (const form of changed) if (form.isConnected) event.preventDefault()
})

/** True if the browser finds nothing wrong, and a group of choices has a chosen one. */
const isCorrected = (field) => {
  const controls = [...field.querySelectorAll('input, select, textarea')]
  if (!controls.every((control) => control.validity.valid)) return false
  return !field.matches('.group') || controls.some((control) => control.checked)
}

/** Shows the error of a file that is too large at once; the server would say so only after the upload. */
function checkFileSize(input) {
  const isTooLarge = [...input.files].some(({ size }) => size > Number(input.dataset.maxBytes))
  const field = input.closest('.field')
  const template = field?.querySelector('template[data-too-large]')
  if (!template) return
  input.setCustomValidity(isTooLarge ? template.content.textContent : '')
  if (!isTooLarge) return
  field.querySelector('.field-error')?.remove()
  field.classList.add('wrong')
  input.setAttribute('aria-invalid', 'true')
  const error = template.content.firstElementChild.cloneNode(true)
  error.setAttribute('role', 'alert')
  const described = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== error.id)
  input.setAttribute('aria-describedby', [error.id, ...described].join(' '))
  input.after(error)
}
document.addEventListener('change', ({ target }) => {
  if (target.matches?.('input[data-max-bytes]')) checkFileSize(target)
})

// Remove an error from its field and from the summary when the field is corrected.
document.addEventListener('change', ({ target }) => {
  const field = target instanceof Element ? target.closest('.field.wrong') : null
  if (!field || !isCorrected(field)) return
  field.classList.remove('wrong')
  field.querySelector('.field-error')?.remove()
  for (const control of field.querySelectorAll('[aria-invalid]')) {
    control.removeAttribute('aria-invalid')
    const summary = control.closest('form')?.querySelector('.error-summary')
    summary?.querySelector(`a[href="#${control.id}"]`)?.closest('li').remove()
    if (summary && !summary.querySelector('li')) summary.remove()
  }
})

// Omit empty filters from the URL.
document.addEventListener('formdata', ({ target, formData }) => {
  if (target.method !== 'get') return
  for (const name of new Set(formData.keys())) if (formData.getAll(name).every((value) => value === '')) formData.delete(name)
})

// Ids of the elements around the pressed button, since the response may remove the button.
let pressedIn = []
document.addEventListener('htmx:before:request', (event) => {
  const { ctx } = event.detail
  if (ctx.target?.id !== 'main') return
  startBusy()
  pressedIn = []
  for (let at = ctx.sourceElement.parentElement; at; at = at.parentElement) if (at.id) pressedIn.push(at.id)
})

/** Restores the keyboard focus: to the element marked by the response, or next to the pressed button. */
function restoreFocus() {
  const wanted = document.querySelector('#page [data-focus]')
  if (wanted) return wanted.focus()
  const active = document.activeElement
  if (active && active !== document.body && active.isConnected) return
  for (const id of pressedIn) {
    const place = document.getElementById(id)
    const next = place?.querySelector('form button, a.button')
    if (next && id !== 'main' && id !== 'page') return next.focus({ preventScroll: true })
  }
  document.getElementById('main')?.focus({ preventScroll: true })
}

// Polls pages that request it while they are visible; an unchanged page costs the server a 304.
const POLL_INTERVAL_MS = 20_000
let pollTimer
let lastPollAt = Date.now()

function schedulePoll() {
  clearTimeout(pollTimer)
  if (document.hidden || !document.getElementById('page')?.dataset.live) return
  // Jitter, so that clients do not poll at the same time.
  pollTimer = setTimeout(pollPage, POLL_INTERVAL_MS * (0.75 + Math.random() / 2))
}

/** Do not update the page while a form is being filled in. */
const isBusy = () => changed.size > 0 || document.activeElement?.matches('#page :is(input, select, textarea)')

async function pollPage() {
  const page = document.getElementById('page')
  if (!page?.dataset.live || document.hidden) return
  lastPollAt = Date.now()
  if (!isBusy() && navigator.onLine !== false) {
    const headers = { 'If-None-Match': page.dataset.live, 'X-Poll': '1' }
    await htmx.ajax('GET', location.pathname + location.search, { target: page, swap: 'innerMorph', headers })
  }
  schedulePoll()
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) clearTimeout(pollTimer)
  else if (Date.now() - lastPollAt > POLL_INTERVAL_MS / 2) void pollPage()
  else schedulePoll()
})
document.addEventListener('htmx:config:request', (event) => {
  if (event.detail.ctx.target?.id === 'page') event.detail.ctx.request.cache = 'no-store'
})
document.addEventListener('htmx:after:request', (event) => {
  const { target, response, hx } = event.detail.ctx
  if (target?.id !== 'page' || hx?.redirect) return
  if (response.status === 200) target.dataset.live = response.headers.get('etag') ?? ''
  else event.preventDefault()
  // Deleted or no longer visible: reload to show the error page.
  if (response.status === 403 || response.status === 404) location.reload()
})

// A button that is pressed sends its request here; polling fails silently and is repeated.
document.addEventListener('htmx:error', (event) => {
  const { ctx } = event.detail
  if (ctx?.request?.method !== 'POST') return
  endBusy()
  // Without a response, the request failed on the way.
  showToast(ctx.response ? 'failed' : 'offline')
})
document.addEventListener('htmx:after:request', (event) => {
  const { target, response } = event.detail.ctx
  if (target?.id !== 'main' || response.status < 500 || response.headers.has('hx-retarget')) return
  // Not a page of ours, for example the error of a proxy.
  event.preventDefault()
  endBusy()
  showToast('failed')
})

document.addEventListener('htmx:after:swap', (event) => {
  reveal(document)
  showTheme(readTheme())
  markTabs()
  const swapped = event.detail.ctx?.target
  // The selector, if the response was directed to another place, as problems are.
  const target = typeof swapped === 'string' ? swapped.replace('#', '') : swapped?.id
  if (target === 'main' || target === 'flashes') {
    clearTimeout(busyTimer)
    startToast()
  }
  if (target === 'main') {
    restoreFocus()
    schedulePoll()
  }
})
schedulePoll()
startToast()
reveal(document)
markTabs()
showTheme(readTheme())
document.querySelector('[data-focus]')?.focus()
// On phones the tabs are wider than the window; scroll to the current one.
for (const tabs of document.querySelectorAll('.section-nav, .tabs')) {
  const current = tabs.querySelector('[aria-current]')
  if (current) tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2
}
