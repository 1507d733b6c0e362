// Passkeys of the browser (WebAuthn). Forms with `data-passkey` are sent after the browser has answered; without this file they stay
// hidden, and the page offers other ways.

const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const withBytes = (list = []) => list.map((each) => ({ ...each, id: toBytes(each.id) }))

/** For browsers without the methods for JSON. */
function readOptions(isNew, json) {
  const parse = isNew ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  if (PublicKeyCredential[parse]) return PublicKeyCredential[parse](json)
  const options = { ...json, challenge: toBytes(json.challenge) }
  if (!isNew) return { ...options, allowCredentials: withBytes(json.allowCredentials) }
  return {
    ...options,
    user: { ...json.user, id: toBytes(json.user.id) },
    excludeCredentials: withBytes(json.excludeCredentials),
  }
}

function writeAnswer(credential) {
  if (credential.toJSON) return JSON.stringify(credential.toJSON())
  const { id, rawId, type, response } = credential
  const shared = { id, rawId: toText(rawId), type, clientExtensionResults: credential.getClientExtensionResults() }
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
  const answer = Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, toText(response[part])]))
  return JSON.stringify({ ...shared, response: { ...answer, transports: response.getTransports?.() } })
}

async function requestOptions(form) {
  const body = new URLSearchParams({ csrf_token: form.elements.csrf_token.value })
  const answer = await fetch(form.dataset.options, { method: 'POST', body, headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`${answer.status}`)
  return answer.json()
}

/** Asks the browser, and puts its answer into the form. */
async function fill(form, more = {}) {
  const isNew = form.dataset.passkey === 'create'
  const { publicKey, state } = await requestOptions(form)
  const options = { publicKey: readOptions(isNew, publicKey), ...more }
  const credential = await (isNew ? navigator.credentials.create(options) : navigator.credentials.get(options))
  form.elements.state.value = state
  form.elements.response.value = writeAnswer(credential)
}

let waiting

/** Offers passkeys in the list of the e-mail field. A challenge is valid for five minutes, so it is renewed before. */
async function offerInField(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  while (!document.hidden) {
    waiting = new AbortController()
    const { signal } = waiting
    const renewal = setTimeout(() => waiting.abort('renew'), 4 * 60_000)
    try {
      await fill(form, { mediation: 'conditional', signal })
      form.submit()
      return
    } catch {
      if (signal.reason !== 'renew') return
    } finally {
      clearTimeout(renewal)
    }
  }
}

function explain(form, error) {
  const place = form.querySelector('[data-passkey-error]')
  const { cancelled, failed, known } = place.dataset
  if (error.name === 'InvalidStateError') place.textContent = known ?? failed
  else place.textContent = error.name === 'NotAllowedError' || error.name === 'AbortError' ? cancelled : failed
  place.hidden = false
  place.focus()
}

const isSupported = window.PublicKeyCredential !== undefined && window.isSecureContext

for (const form of isSupported ? document.querySelectorAll('form[data-passkey]') : []) {
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    if (button.disabled) return
    button.disabled = true
    waiting?.abort('button')
    try {
      await fill(form)
      form.submit()
    } catch (error) {
      explain(form, error)
    } finally {
      button.disabled = false
    }
  })
  if (form.dataset.inField !== undefined) void offerInField(form)
}
for (const note of document.querySelectorAll('[data-passkey-missing]')) note.hidden = isSupported

// A form that was interrupted by the question who is there goes on by itself.
for (const form of document.querySelectorAll('form[data-continue]')) form.submit()
