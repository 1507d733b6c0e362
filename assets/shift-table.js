// Progressive enhancement of the shift table: keys, choosing several rows, pasting into cells. Without this file everything has a button.
const table = () => document.querySelector('[data-shift-table]')
const rowsOf = () => [...(table()?.querySelectorAll('tr[data-row-number]') ?? [])]
const cellsOf = (row) => [...row.querySelectorAll('[data-cell]')]
const cellOf = (row, name) => row.querySelector(`[data-cell="${name}"]`)

/** The planning script notices the change and asks for a fresh summary. */
function setValue(field, value) {
  if (field.readOnly) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function neighbour(field, down) {
  const rows = rowsOf()
  const at = rows.indexOf(field.closest('tr'))
  for (let index = at + down; index >= 0 && index < rows.length; index += down) {
    const found = cellOf(rows[index], field.dataset.cell)
    if (found) return found
  }
  return undefined
}

function focusCell(field) {
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** Arrows to the left and right stay in a text until its edge. */
function isAtEdge(field, right) {
  if (!(field instanceof HTMLInputElement)) return true
  const edge = right ? field.value.length : 0
  const isAll = field.selectionStart === 0 && field.selectionEnd === field.value.length
  return isAll || (field.selectionStart === edge && field.selectionEnd === edge)
}

document.addEventListener('keydown', (event) => {
  const field = event.target instanceof Element ? event.target.closest('[data-cell]') : null
  if (!field || event.altKey || event.isComposing) return
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'd') return
    const above = neighbour(field, -1)
    if (!above) return
    event.preventDefault()
    setValue(field, above.value)
    return
  }
  const isSelect = field instanceof HTMLSelectElement
  const down = event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (down !== 0 && !(isSelect && event.key !== 'Enter')) {
    event.preventDefault()
    const next = neighbour(field, down)
    if (next) focusCell(next)
    return
  }
  const side = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (side === 0 || isSelect || event.shiftKey || !isAtEdge(field, side > 0)) return
  const cells = cellsOf(field.closest('tr'))
  const next = cells[cells.indexOf(field) + side]
  if (!next) return
  event.preventDefault()
  focusCell(next)
})

const isEmptyNewRow = (row) => !row.querySelector('input[name$="-id"]') && cellsOf(row).every(({ value }) => value === '')

/** The server reads headings and columns, and adds the rows. */
function pasteByServer(text) {
  const area = document.querySelector('textarea[data-paste]')
  const button = document.querySelector('button[data-step][value="paste"]')
  if (!area || !button) return
  area.value = text
  button.click()
}

document.addEventListener('paste', (event) => {
  const field = event.target instanceof Element ? event.target.closest('input[data-cell]') : null
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (!field || !/[\t\n]./.test(text)) return
  event.preventDefault()
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const rows = rowsOf()
  const from = rows.indexOf(field.closest('tr'))
  // Quoted cells contain line breaks, which only the server reads.
  if (isEmptyNewRow(rows[from]) || from + lines.length > rows.length || text.includes('"')) {
    pasteByServer(text)
    return
  }
  for (const [index, line] of lines.entries()) {
    const cells = cellsOf(rows[from + index])
    const first = cells.findIndex(({ dataset }) => dataset.cell === field.dataset.cell)
    if (first === -1) continue
    for (const [column, value] of line.split('\t').entries()) {
      const cell = cells[first + column]
      if (cell instanceof HTMLInputElement) setValue(cell, value.trim())
    }
  }
})

let lastPicked

document.addEventListener('click', (event) => {
  const box = event.target
  if (!(box instanceof HTMLInputElement)) return
  if (box.matches('[data-pick-all]')) {
    for (const row of rowsOf()) row.querySelector('[data-pick]').checked = box.checked && !isEmptyNewRow(row)
    return
  }
  if (!box.matches('[data-pick]')) return
  const picks = [...table().querySelectorAll('[data-pick]')]
  const [one, other] = [picks.indexOf(lastPicked), picks.indexOf(box)]
  if (event.shiftKey && one !== -1)
    for (const pick of picks.slice(Math.min(one, other), Math.max(one, other) + 1)) pick.checked = box.checked
  lastPicked = box
})

/** Steps replace the table, with a new box for all rows. */
const showPickAll = () => {
  for (const box of document.querySelectorAll('[data-pick-all]')) box.hidden = false
}
showPickAll()
new MutationObserver(showPickAll).observe(document.getElementById('plan-body') ?? document.body, { childList: true })
