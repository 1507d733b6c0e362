// Progressive enhancement: without this file every choice needs one more click.
const PREVIEW_DELAY_MS = 400

/** Hides fields of other choices; they stay in the form with their input. */
function showPanels(form, name) {
  const fields = form.querySelectorAll(`[name="${name}"]`)
  if (!fields.length) return
  const field = fields[fields.length - 1]
  const value = field.type === 'checkbox' ? (field.checked ? 'on' : 'off') : field.value
  for (const panel of form.querySelectorAll(`[data-panel="${name}"]`))
    panel.hidden = !panel.dataset.when.split(' ').includes(value)
}

/** Says in the line of a folded part what is chosen in it. */
function sayChosen(form, name) {
  const line = form.querySelector(`[data-chosen="${name}"]`)
  if (!line) return
  const chosen = [...form.querySelectorAll(`select[name="${name}"] option:checked`)].map(({ text }) => text)
  for (const box of form.querySelectorAll(`input[name="${name}"]:checked`))
    chosen.push(box.closest('label').querySelector('span').firstChild.textContent.trim())
  line.textContent = chosen.join(', ')
}

const byName = (form, name) => form.elements.namedItem(name)

/** Copies the input when switching to full times or back. */
function carryTimes(form, prefix, isFull) {
  const date = byName(form, `${prefix}date`)
  if (!date) return
  for (const part of ['meeting', 'start', 'end']) {
    const short = byName(form, `${prefix}${part}`)
    const full = byName(form, `${prefix}${part}_at`)
    if (isFull && !full.value && date.value && short.value) full.value = `${date.value}T${short.value}`
    if (!isFull && !short.value && full.value) short.value = full.value.slice(11, 16)
  }
  const start = byName(form, `${prefix}start_at`)
  if (!isFull && !date.value && start.value) date.value = start.value.slice(0, 10)
}

let lastRequest = 0
let waiting

/** The form that the server renders after a step; undefined if the request fails. */
async function send(form, step) {
  const body = new URLSearchParams(new FormData(form))
  body.set('do', step)
  try {
    const answer = await fetch(form.action, { method: 'POST', body })
    if (!answer.ok || answer.redirected) return undefined
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  } catch {
    return undefined
  }
}

async function refreshPreview(form) {
  const request = ++lastRequest
  const page = await send(form, 'refresh')
  const fresh = page?.getElementById('plan-preview')
  // The input changed since the request; a newer response follows.
  if (!fresh || request !== lastRequest) return
  document.getElementById('plan-preview')?.replaceChildren(...fresh.childNodes)
}

function schedulePreview(form) {
  clearTimeout(waiting)
  waiting = setTimeout(() => refreshPreview(form), PREVIEW_DELAY_MS)
}

const rowsOf = (root) => new Set([...root.querySelectorAll('input[type=hidden][name$="-on"]')].map(({ name }) => name))

async function take(form, button) {
  clearTimeout(waiting)
  const request = ++lastRequest
  const step = button.value
  form.setAttribute('aria-busy', 'true')
  const page = await send(form, step)
  form.removeAttribute('aria-busy')
  const fresh = page?.getElementById('plan-body')
  if (!fresh || request !== lastRequest) {
    if (!fresh) form.requestSubmit(button)
    return
  }
  const body = document.getElementById('plan-body')
  const before = rowsOf(body)
  const opened = [...body.querySelectorAll('details')].map(({ open }) => open)
  const isSameShape = body.querySelectorAll('details').length === fresh.querySelectorAll('details').length
  if (isSameShape) for (const [index, details] of [...fresh.querySelectorAll('details')].entries()) details.open = opened[index]
  body.replaceChildren(...fresh.childNodes)
  document.getElementById('plan-preview')?.replaceChildren(...(page.getElementById('plan-preview')?.childNodes ?? []))
  // Focus the new row, or after removing a row the one before it.
  const added = [...rowsOf(body)].find((name) => !before.has(name))
  const row = added && body.querySelector(`[name="${added}"]`)?.parentElement
  const next = row?.querySelector('input:not([type=hidden]), select') ?? body.querySelector(`button[value="${CSS.escape(step)}"]`)
  if (next) next.focus()
  else body.closest('form').querySelector('.form-actions button')?.focus({ preventScroll: true })
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-step]') : null
  const form = button?.closest('form[data-plan]')
  if (!form) return
  event.preventDefault()
  void take(form, button)
})

for (const kind of ['input', 'change'])
  document.addEventListener(kind, (event) => {
    const field = event.target
    const form = field instanceof Element ? field.closest('form[data-plan]') : null
    if (!form || !field.name) return
    if (kind === 'change') {
      if (field.name.endsWith('-full')) carryTimes(form, field.name.slice(0, -4), field.checked)
      showPanels(form, field.name)
      sayChosen(form, field.name)
    }
    schedulePreview(form)
  })

// The browser restores choices after going back; update what depends on them.
for (const form of document.querySelectorAll('form[data-plan]')) {
  for (const name of new Set([...form.querySelectorAll('[data-panel]')].map(({ dataset }) => dataset.panel)))
    showPanels(form, name)
  for (const { dataset } of form.querySelectorAll('[data-chosen]')) sayChosen(form, dataset.chosen)
}
