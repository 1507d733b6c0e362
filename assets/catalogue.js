// Progressive enhancement: every page works without this file.

// Shows the head count of a block while typing.
for (const form of document.querySelectorAll('form[data-live]')) {
  let waiting
  let lastRequest = 0
  const refresh = async () => {
    const request = ++lastRequest
    const body = new URLSearchParams(new FormData(form))
    body.delete('add_part')
    body.set('step', 'check')
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } }).catch(() => undefined)
    if (!answer?.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.getElementById(form.dataset.live)
    // Ignore the response if a newer request was sent.
    if (fresh && request === lastRequest) document.getElementById(form.dataset.live)?.replaceChildren(...fresh.childNodes)
  }
  form.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(refresh, 300)
  })
  // A closed list shows its selection.
  form.addEventListener('change', (event) => {
    const chooser = event.target.closest?.('.chooser')
    const summary = chooser?.querySelector('summary span')
    if (!summary) return
    const chosen = [...chooser.querySelectorAll('input:checked')].map((box) => box.closest('label').textContent.trim())
    if (chosen.length) summary.textContent = chosen.join(', ')
  })
}

// Loads a file into the field that also accepts pasted text.
for (const place of document.querySelectorAll('[data-file-into]')) {
  place.hidden = false
  const file = place.querySelector('input[type="file"]')
  file?.removeAttribute('name')
  file?.addEventListener('change', async () => {
    const target = document.getElementById(place.dataset.fileInto)
    if (target && file.files?.[0]) target.value = await file.files[0].text()
  })
}
