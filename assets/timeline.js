// Progressive enhancement of the timeline: moves shifts by mouse and keys. Without it, each block leads to a form.
const STEP_MS = 15 * 60_000
const DRAG_PX = 4
/** How near to an edge of the grid a dragged block scrolls it. */
const SCROLL_EDGE_PX = 48
const SCROLL_STEP_PX = 14
/** Keys are often pressed several times. */
const PREVIEW_DELAY_MS = 250

/** To the nearest quarter of an hour. The zones of today differ from UTC by whole quarters. */
const snap = (at) => Math.round(at / STEP_MS) * STEP_MS

/** The times after moving the whole shift, or one of its edges, by some milliseconds. A shift lasts at least one step. */
function shiftTimes({ start, end }, edge, by) {
  if (edge === 'start') return { start: Math.min(snap(start + by), end - STEP_MS), end }
  if (edge === 'end') return { start, end: Math.max(snap(end + by), start + STEP_MS) }
  const moved = snap(start + by)
  return { start: moved, end: moved + end - start }
}

/** The times after an arrow key: the next quarter of an hour in that direction. */
function stepTimes({ start, end }, edge, direction) {
  const step = (at) => {
    const next = direction > 0 ? Math.floor(at / STEP_MS) + 1 : Math.ceil(at / STEP_MS) - 1
    return next * STEP_MS
  }
  if (edge === 'end') return { start, end: Math.max(step(end), start + STEP_MS) }
  return { start: step(start), end: step(start) + end - start }
}

const grid = () => document.querySelector('[data-grid][data-editable]')
const panel = () => document.querySelector('[data-grid-panel]')
const storedTimes = (block) => ({ start: Number(block.dataset.start), end: Number(block.dataset.end) })
const isSame = (a, b) => a.start === b.start && a.end === b.end

/** The block that was moved and is not saved, with its times. `isReady`: the panel shows what saving means. */
let pending
let drag
let clickIsDrag = false
let previewTimer
let previewRequest
/** The id of the block that is being saved. Until the answer, nothing else is moved. */
let savedId

const showToast = (name) => document.dispatchEvent(new CustomEvent('toast', { detail: name }))

function say(text) {
  const status = document.querySelector('[data-grid-status]')
  if (status) status.textContent = text
}

function pixelsPerMs() {
  const { from, until } = grid().dataset
  return document.querySelector('[data-grid-lines]').getBoundingClientRect().width / (until - from)
}

function timeText({ start, end }) {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: grid().dataset.zone, hour: '2-digit', minute: '2-digit' })
  return `${format.format(start)}–${format.format(end)}`
}

/** Draws the block at these times, within the hours of the grid. */
function place(block, times) {
  const { from, until, step } = grid().dataset
  const stored = storedTimes(block)
  const within = (at) => Math.min(Math.max(at, Number(from)), Number(until))
  const scale = pixelsPerMs()
  const left = (within(times.start) - Math.floor(within(stored.start) / Number(step)) * Number(step)) * scale
  block.classList.add('moved')
  block.style.marginLeft = `${left}px`
  block.style.width = `${Math.max(12, (within(times.end) - within(times.start)) * scale - 2)}px`
  block.querySelector('[data-time]').textContent = timeText(times)
}

/** Puts the block back to where it is stored. */
function reset(block) {
  block.classList.remove('moved')
  block.style.marginLeft = ''
  block.style.width = ''
  const time = block.querySelector('[data-time]')
  if (block.dataset.timeText) time.textContent = block.dataset.timeText
}

function closePanel() {
  clearTimeout(previewTimer)
  previewRequest?.abort()
  const box = panel()
  if (!box) return
  box.hidden = true
  box.replaceChildren()
}

function cancel({ focus = false } = {}) {
  closePanel()
  savedId = undefined
  if (!pending) return
  const { block } = pending
  pending = undefined
  reset(block)
  if (focus) block.focus({ preventScroll: true })
}

/** Shows the block at its new times, and soon what saving means. */
function propose(block, times) {
  if (savedId) return reset(block)
  if (pending && pending.block !== block) cancel()
  block.dataset.timeText ??= block.querySelector('[data-time]').textContent
  if (isSame(times, storedTimes(block))) return cancel({ focus: document.activeElement === block })
  pending = { block, times, isReady: false }
  place(block, times)
  clearTimeout(previewTimer)
  previewTimer = setTimeout(loadPanel, PREVIEW_DELAY_MS)
}

/** The form of the page with the times of the shift. It says who is affected, and saves. */
async function loadPanel() {
  if (!pending) return
  const { block, times } = pending
  previewRequest?.abort()
  previewRequest = new AbortController()
  const { signal } = previewRequest
  const url = new URL(block.href)
  url.searchParams.set('start', times.start)
  url.searchParams.set('end', times.end)
  let form
  let failure = 'failed'
  try {
    const response = await fetch(url, { signal, headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    form = response.ok ? page.querySelector('[data-move]') : undefined
  } catch {
    if (signal.aborted) return
    failure = 'offline'
  }
  if (signal.aborted) return
  if (!form) {
    cancel({ focus: true })
    return showToast(failure)
  }
  const fromGrid = Object.assign(document.createElement('input'), { type: 'hidden', name: 'in', value: 'grid' })
  form.querySelector('form').append(fromGrid)
  const box = panel()
  box.replaceChildren(form)
  box.hidden = false
  htmx.process(box)
  pending.isReady = true
  if (pending.isAwaited) form.querySelector('.form-actions button').focus()
  say(form.querySelector('.grid-move-text').textContent.replace(/\s+/g, ' ').trim())
}

function save() {
  const form = panel()?.querySelector('form')
  if (pending?.isReady && form) form.requestSubmit()
  // Nothing is saved before the planner has seen whom it affects.
  else if (pending) pending.isAwaited = true
}

function startDrag(event) {
  const block = event.target.closest?.('.grid-block')
  // On touch screens a finger scrolls; a tap leads to the form.
  if (!block || !grid()?.contains(block) || event.button !== 0 || event.pointerType === 'touch') return
  const times = pending?.block === block ? pending.times : storedTimes(block)
  drag = {
    block,
    times,
    edge: event.target.closest('[data-edge]')?.dataset.edge,
    x: event.clientX,
    scrolled: grid().scrollLeft,
    pointerId: event.pointerId,
    isMoving: false,
  }
}

function moveDrag(event) {
  if (!drag || event.pointerId !== drag.pointerId) return
  const box = grid()
  if (!drag.isMoving && Math.abs(event.clientX - drag.x) < DRAG_PX) return
  if (!drag.isMoving) {
    drag.isMoving = true
    drag.block.setPointerCapture(drag.pointerId)
    drag.block.dataset.timeText ??= drag.block.querySelector('[data-time]').textContent
    box.classList.add('dragging')
    if (pending && pending.block !== drag.block) cancel()
    else closePanel()
  }
  const { left, right } = box.getBoundingClientRect()
  if (event.clientX > right - SCROLL_EDGE_PX) box.scrollLeft += SCROLL_STEP_PX
  if (event.clientX < left + SCROLL_EDGE_PX) box.scrollLeft -= SCROLL_STEP_PX
  const pixels = event.clientX - drag.x + box.scrollLeft - drag.scrolled
  drag.wished = shiftTimes(drag.times, drag.edge, pixels / pixelsPerMs())
  place(drag.block, drag.wished)
}

function endDrag({ isCancelled = false } = {}) {
  if (!drag) return
  const { block, isMoving, wished, times } = drag
  drag = undefined
  if (!isMoving) return
  grid()?.classList.remove('dragging')
  // The browser sends a click after the drag, which would follow the link.
  clickIsDrag = true
  setTimeout(() => {
    clickIsDrag = false
  })
  propose(block, isCancelled ? times : wished)
}

document.addEventListener('pointerdown', startDrag)
document.addEventListener('pointermove', moveDrag)
document.addEventListener('pointerup', () => endDrag())
document.addEventListener('pointercancel', () => endDrag({ isCancelled: true }))
document.addEventListener('dragstart', (event) => {
  if (event.target.closest?.('.grid-block')) event.preventDefault()
})

document.addEventListener('click', (event) => {
  const block = event.target.closest?.('[data-grid][data-editable] .grid-block')
  if (block && (clickIsDrag || pending?.block === block)) return event.preventDefault()
  if (!event.target.closest?.('[data-grid-panel] a[href]')) return
  const { pathname } = new URL(event.target.closest('a').href)
  // Cancelling leads back to the grid, which is open.
  if (pathname !== location.pathname) return
  event.preventDefault()
  cancel({ focus: true })
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (drag) return endDrag({ isCancelled: true })
    if (pending) cancel({ focus: true })
    return
  }
  const block = event.target.closest?.('[data-grid][data-editable] .grid-block')
  if (!block || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'Enter' && pending?.block === block) {
    event.preventDefault()
    return save()
  }
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!direction) return
  event.preventDefault()
  const times = pending?.block === block ? pending.times : storedTimes(block)
  propose(block, stepTimes(times, event.shiftKey ? 'end' : undefined, direction))
})

const isFromPanel = (event) => event.detail.ctx?.sourceElement?.closest?.('[data-grid-panel]')

document.addEventListener('htmx:before:request', (event) => {
  if (isFromPanel(event)) savedId = pending?.block.id
})
document.addEventListener('htmx:error', (event) => {
  if (isFromPanel(event)) cancel({ focus: true })
})
document.addEventListener('htmx:after:request', (event) => {
  // An error message replaces only the toasts, so the page still shows the block at its new times.
  if (isFromPanel(event) && event.detail.ctx.response?.status >= 400 && event.detail.ctx.response.status !== 422)
    cancel({ focus: true })
})
document.addEventListener('htmx:after:swap', (event) => {
  if (event.detail.ctx?.target?.id !== 'main') return
  // Morphing keeps the elements, so what the script has set must go.
  pending = undefined
  closePanel()
  for (const block of document.querySelectorAll('.grid-block')) delete block.dataset.timeText
  start()
  const saved = savedId && document.getElementById(savedId)
  savedId = undefined
  saved?.focus({ preventScroll: true })
})

/** Scrolls to the hour before now, or else before the first shift that begins in the visible hours. No hour is cut. */
function scrollToStart() {
  const box = document.querySelector('[data-grid]')
  const mark = box?.querySelector('.grid-now') ?? box?.querySelector('.grid-block:not(.before)')
  if (!mark) return
  const head = box.querySelector('tbody th').offsetWidth
  const left = box.scrollLeft + mark.getBoundingClientRect().left - box.getBoundingClientRect().left - head - SCROLL_EDGE_PX
  const hours = [...box.querySelectorAll('.grid-hours th:not(:first-child)')].map((hour) => hour.offsetLeft - head)
  box.scrollLeft = hours.findLast((hour) => hour <= left) ?? 0
}

/** The edges and the help for dragging are of use only with this script, and the help only where something can be dragged. */
function start() {
  const box = grid()
  if (!box) return
  box.classList.add('ready')
  const canDrag = matchMedia('(any-pointer: fine)').matches
  for (const [name, isShown] of [
    ['form', !canDrag],
    ['drag', canDrag],
  ])
    for (const help of document.querySelectorAll(`[data-help-${name}]`)) help.hidden = !isShown
}
start()
scrollToStart()
