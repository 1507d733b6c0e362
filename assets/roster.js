// The button is for those who do not know their browser's shortcut; without a script it stays away.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
