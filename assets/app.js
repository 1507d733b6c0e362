// Comfort only: every page works without this file.
const script = document.currentScript
const COPIED = script?.dataset.copied ?? 'Copied'

function reveal(root) {
  for (const hidden of root.querySelectorAll('[data-copy][hidden], [data-dismiss][hidden], [data-themes][hidden]'))
    hidden.hidden = false
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy)
  if (!field) return
  field.select()
  // The clipboard is closed on plain http; the selected text can still be copied by hand.
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
    // Storage may be closed; the choice then lasts for this page.
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

// Phones show one column of a board; its tab is the part of the address after #.
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

const changed = new Set()
document.addEventListener('input', (event) => {
  const form = event.target instanceof Element ? event.target.closest('form[data-guard]') : null
  if (form) changed.add(form)
})
document.addEventListener('submit', (event) => changed.delete(event.target))
window.addEventListener('beforeunload', (event) => {
  for (const form of changed) if (form.isConnected) event.preventDefault()
})

document.addEventListener('htmx:after:swap', () => {
  reveal(document)
  showTheme(readTheme())
  markTabs()
})
reveal(document)
markTabs()
showTheme(readTheme())
document.querySelector('[data-focus]')?.focus()
