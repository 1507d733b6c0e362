// Progressive enhancement: shows how far an upload is. Without this file the browser sends the form itself.

/** A bar below the button. */
function addProgress(form) {
  const label = document.createElement('label')
  label.className = 'progress'
  const text = document.createElement('span')
  text.className = 'progress-label'
  text.textContent = form.dataset.upload
  const bar = document.createElement('progress')
  label.append(text, bar)
  form.append(label)
  return { bar, label }
}

function upload(form) {
  const buttons = form.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  const { bar, label } = addProgress(form)
  const reset = () => {
    label.remove()
    for (const button of buttons) button.disabled = false
  }
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  // Asks for the content of the page only, and for the target of a redirect as a header.
  request.setRequestHeader('hx-request', 'true')
  request.setRequestHeader('hx-target', 'main#main')
  request.setRequestHeader('hx-current-url', location.href)
  request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
    if (!lengthComputable) return
    bar.max = total
    bar.value = loaded
    // The server is still checking the files.
    if (loaded === total) bar.removeAttribute('value')
  })
  request.addEventListener('load', () => {
    const target = request.getResponseHeader('hx-redirect')
    if (target) return location.assign(target)
    if (request.status !== 422) {
      // An error besides those of the form: the browser sends it again and shows the page of the server.
      reset()
      return form.submit()
    }
    const main = document.getElementById('main')
    main.innerHTML = request.responseText
    main.querySelector('[data-focus]')?.focus()
  })
  request.addEventListener('error', () => {
    reset()
    document.dispatchEvent(new CustomEvent('toast', { detail: 'offline' }))
  })
  request.send(new FormData(form))
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || !form.matches('form[data-upload]')) return
  event.preventDefault()
  // Keeps the guard against unsaved changes from asking.
  form.removeAttribute('data-guard')
  upload(form)
})
