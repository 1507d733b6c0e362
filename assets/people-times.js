// Arrow keys move between the buttons of the table, so that Tab leaves it; without this script every button is a stop of Tab.
// In a month, where only the chosen day has buttons, a click on any other cell chooses it.
const cells = document.querySelector('[data-cells]')
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }

/** The next button in that direction; cells of days that are over have none. */
function findNext(cell, [down, right]) {
  const { rows } = cells.tBodies[0]
  let row = cell.parentElement.sectionRowIndex + down
  let column = cell.cellIndex + right
  while (rows[row]?.cells[column] && column > 0) {
    const button = rows[row].cells[column].querySelector('button')
    if (button) return button
    row += down
    column += right
  }
  return undefined
}

/** What the button of the cell would send; undefined if its day is over. */
function findValue(cell) {
  const head = cells.tHead.rows[0].cells[cell.cellIndex]
  if (!head.dataset.day || head.hasAttribute('data-over')) return undefined
  return `${cell.parentElement.id.replace('person-', '')}.${head.dataset.day}`
}

function choose(cell) {
  const value = findValue(cell)
  if (!value) return
  const form = cells.closest('form')
  const field = document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'at', value })
  form.append(field)
  form.requestSubmit()
  // The page may be shown again from the memory of the browser.
  field.remove()
}

if (cells) {
  const buttons = cells.querySelectorAll('tbody button')
  for (const [index, button] of buttons.entries()) button.tabIndex = index === 0 ? 0 : -1
  cells.addEventListener('keydown', (event) => {
    const step = KEYS[event.key]
    const cell = event.target.closest('td')
    if (!step || !cell || event.ctrlKey || event.metaKey || event.altKey) return
    const next = findNext(cell, step)
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  cells.addEventListener('focusin', ({ target }) => {
    if (target.tagName !== 'BUTTON' || target.tabIndex === 0) return
    for (const button of buttons) button.tabIndex = -1
    target.tabIndex = 0
  })
  if (cells.classList.contains('pt-month')) {
    cells.classList.add('pt-clickable')
    cells.addEventListener('click', ({ target }) => {
      const cell = target.closest('tbody td')
      if (cell && !target.closest('button')) choose(cell)
    })
  }
}

// Phones show the days as a strip, which begins at the first of them.
const days = document.querySelector('.pt-days')
const chosenDay = days?.querySelector('[aria-current]')
if (chosenDay) days.scrollLeft = chosenDay.offsetLeft - days.offsetLeft - (days.clientWidth - chosenDay.clientWidth) / 2
