// What happens after an answer: the row of the list keeps its place, a second tap there is ignored, and keys undo. Pages work without it.

/** Answered rows by id. They keep their place until the page is loaded again. */
const answered = new Map()
/** The row whose button was pressed last. */
let pressed

function describeRow(row, form) {
  const rows = [...row.parentElement.children].filter((one) => one.matches('[data-row]'))
  const at = rows.indexOf(row)
  const idsOf = (some) => some.map(({ id }) => id)
  const { top, height } = row.getBoundingClientRect()
  return {
    id: row.id,
    top,
    height,
    isTableRow: getComputedStyle(row).display === 'table-row',
    copy: row.cloneNode(true),
    formId: form.id,
    following: idsOf(rows.slice(at + 1)),
    preceding: idsOf(rows.slice(0, at).reverse()),
    around: describeAround(row),
  }
}

/** The elements from the page down to the list, without what they contain but their headings. */
function describeAround(row) {
  const around = []
  for (let at = row.parentElement; at && at.id !== 'page'; at = at.parentElement) {
    const shell = at.cloneNode(false)
    const heading = at.querySelector(':scope > header')
    if (heading) shell.append(heading.cloneNode(true))
    around.unshift({ shell, index: [...at.parentElement.children].indexOf(at) })
  }
  return around
}

document.addEventListener('htmx:before:request', (event) => {
  const { target, sourceElement, request } = event.detail.ctx
  if (target?.id !== 'main' || request.method !== 'POST') return
  const row = sourceElement.closest('[data-row]')
  pressed = row ? describeRow(row, sourceElement) : undefined
})

document.addEventListener('htmx:before:swap', (event) => {
  const { ctx, tasks } = event.detail
  const fragment = tasks.find(({ type }) => type === 'main')?.fragment
  if (!fragment || !['main', 'page'].includes(ctx.target?.id)) return
  if (ctx.response?.headers.has('hx-push-url')) {
    // The response is another page, such as the form of a refused sign-up.
    answered.clear()
    pressed = undefined
    return
  }
  if (pressed && ctx.target.id === 'main') rememberAnswer(fragment)
  for (const [id, answer] of answered) keepRow(fragment, id, answer)
})

/** The message of a response that did what was asked becomes the answer of the row, with its undo button. */
function rememberAnswer(fragment) {
  const flash = fragment.querySelector('#flashes > :is(.tone-good, .tone-info)')
  if (!flash) return
  const inToast = flash.querySelector('form[data-undo]')
  const undo = inToast?.cloneNode(true)
  if (undo) undo.id += '-row'
  // A row that is still there has other buttons, and the message may cover its last one.
  if (!fragment.getElementById(pressed.id)) inToast?.remove()
  const seconds = Number(undo?.dataset.seconds ?? 0)
  const answer = { ...pressed, undo, undoUntil: seconds > 0 ? Date.now() + seconds * 1000 : Number.POSITIVE_INFINITY }
  answer.copy = answeredCopy(answer, flash)
  answer.isNew = true
  // The order of answers decides which one keys undo.
  answered.delete(pressed.id)
  answered.set(pressed.id, answer)
  if (seconds > 0) setTimeout(() => document.getElementById(undo.id)?.remove(), seconds * 1000)
}

/** The row as it was, with the answer instead of its buttons, and without what the answer has made outdated. */
function answeredCopy({ copy, formId }, flash) {
  const form = copy.querySelector(`#${CSS.escape(formId)}`)
  const place = form?.closest('.shift-actions') ?? form ?? copy.querySelector('.answered')
  const line = document.createElement('div')
  const tone = ['tone-good', 'tone-info'].find((one) => flash.classList.contains(one))
  line.className = `answered ${tone}`
  const text = document.createElement('p')
  text.append(flash.dataset.short ?? flash.querySelector('p').textContent)
  const icon = flash.querySelector('svg')
  if (icon) text.prepend(icon.cloneNode(true))
  line.append(text)
  if (place) place.replaceWith(line)
  else copy.append(line)
  for (const outdated of copy.querySelectorAll(
    'form, button, a.button, .side-note, .staffing, .badge, .positions, .shift-state, .shift-more',
  ))
    outdated.remove()
  // The shift may stand elsewhere on the page now.
  for (const inside of copy.querySelectorAll('[id]')) inside.removeAttribute('id')
  return copy
}

function keepRow(fragment, id, answer) {
  const undo = Date.now() < answer.undoUntil ? answer.undo?.cloneNode(true) : undefined
  const row = fragment.getElementById(id)
  const { isNew } = answer
  answer.isNew = false
  if (row) {
    if (undo) (row.querySelector('.shift-actions') ?? row).append(undo)
    return
  }
  const copy = answer.copy.cloneNode(true)
  const line = copy.querySelector('.answered')
  if (undo) line.append(undo)
  if (isNew) {
    line.tabIndex = -1
    line.dataset.focus = ''
  }
  const findFirst = (ids) => ids.map((one) => fragment.getElementById(one)).find(Boolean)
  const following = findFirst(answer.following)
  const preceding = findFirst(answer.preceding)
  if (following) following.before(copy)
  else if (preceding) preceding.after(copy)
  else putInList(fragment, answer, copy)
}

/** Puts the only row of a list back, with the list and its heading if they are gone. */
function putInList(fragment, { around }, copy) {
  let place = fragment.getElementById('page') ?? fragment
  let level = 0
  for (; level < around.length; level++) {
    const { shell, index } = around[level]
    const next = place.children[index]
    if (next?.tagName !== shell.tagName || next.id !== shell.id || next.className !== shell.className) break
    place = next
  }
  const missing = around.slice(level).map(({ shell }) => shell.cloneNode(true))
  const inner = missing.reduceRight((content, shell) => {
    shell.append(content)
    return shell
  }, copy)
  const index = around[level]?.index ?? 0
  place.insertBefore(inner, place.children[index] ?? null)
}

document.addEventListener('htmx:after:swap', (event) => {
  const target = event.detail.ctx?.target?.id
  if (target !== 'main' && target !== 'page') return
  // Not in the fragment: the content security policy refuses styles that morphing would copy.
  for (const [id, { height, isTableRow }] of answered) {
    const row = document.getElementById(id)
    if (!row) continue
    row.style.minHeight = `${height}px`
    if (isTableRow) row.style.height = `${height}px`
  }
  if (target !== 'main' || !pressed) return
  const row = document.getElementById(pressed.id)
  const moved = row ? row.getBoundingClientRect().top - pressed.top : 0
  if (Math.abs(moved) > 1) scrollBy({ top: moved, behavior: 'instant' })
  pressed = undefined
})

/** A person who is unsure whether the first tap worked taps again within this time after the page has changed. */
const SECOND_TAP_MS = 1000
const NEAR_PX = 48
/** No response within this time, or one that changes no page, such as a file. */
const WAIT_MS = 5000
const STORED = 'tap'
let tap
let guard

const isNear = ({ x, y }, event) => Math.hypot(event.clientX - x, event.clientY - y) < NEAR_PX

/** Capturing on the window, so that nothing else handles an ignored click. */
function onClick(event) {
  // Zero: by keys or by a script.
  if (event.detail === 0) return
  const action = event.target.closest?.('button, input[type=submit], a[href], summary')
  // A page that was loaded again may have a link there on purpose, such as the next step.
  const isAction = action && (!guard?.isLoaded || action.form?.method === 'post')
  if (guard && isAction && Date.now() < guard.until && isNear(guard, event)) {
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  tap = { x: event.clientX, y: event.clientY }
}
window.addEventListener('click', onClick, true)

/** Who types or chooses something knows that the page has changed. */
for (const kind of ['input', 'keydown'])
  window.addEventListener(kind, ({ isTrusted }) => {
    if (isTrusted) endGuard()
  })

// On the window, so that scripts that send the form themselves have said so.
window.addEventListener('submit', (event) => {
  const form = event.target
  const isSent = !event.defaultPrevented || form.matches('[data-hx-post], [data-board]')
  if (form.method !== 'post' || !isSent || !tap) return
  guard = { ...tap, until: Date.now() + WAIT_MS }
  store({ ...tap, at: Date.now() })
})

function store(value) {
  try {
    if (value) sessionStorage.setItem(STORED, JSON.stringify(value))
    else sessionStorage.removeItem(STORED)
  } catch {
    // Storage may be disabled; the next page then accepts every tap.
  }
}

function readStored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED))
  } catch {
    return null
  }
}

/** The page has changed under the finger. */
function startGuard() {
  if (guard) guard.until = Date.now() + SECOND_TAP_MS
  store(undefined)
}
document.addEventListener('htmx:after:swap', (event) => {
  if (['main', 'flashes'].includes(event.detail.ctx?.target?.id)) startGuard()
})
document.addEventListener('toast-shown', startGuard)

/** Nothing was saved and nothing moved: whoever taps again wants to try again. */
function endGuard() {
  guard = undefined
  store(undefined)
}
document.addEventListener('htmx:error', endGuard)
document.addEventListener('toast', ({ detail }) => {
  if (detail !== 'busy') endGuard()
})

const before = readStored()
if (before && Date.now() - before.at < WAIT_MS) guard = { ...before, isLoaded: true, until: Date.now() + SECOND_TAP_MS }
store(undefined)

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)
function showKeys() {
  for (const keys of document.querySelectorAll('[data-keys][hidden]')) {
    if (IS_MAC) keys.querySelector('kbd').textContent = '⌘Z'
    keys.hidden = false
  }
}
showKeys()
for (const kind of ['htmx:after:swap', 'toast-shown']) document.addEventListener(kind, showKeys)

function findUndo() {
  const inToast = document.querySelector('#flashes form[data-undo]')
  const inRows = [...answered.values()].map(({ undo }) => undo && document.getElementById(undo.id))
  return inToast ?? inRows.filter(Boolean).at(-1)
}

// Capturing, because other keys hide a message that was read.
document.addEventListener(
  'keydown',
  (event) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!isUndo || event.target.closest?.('input, select, textarea, [contenteditable]')) return
    const form = findUndo()
    if (!form) return
    event.preventDefault()
    event.stopPropagation()
    form.requestSubmit()
  },
  true,
)
