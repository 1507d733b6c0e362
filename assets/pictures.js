// Progressive enhancement: makes pictures smaller before they are uploaded. Drawing them drops the place where they were taken. The server
// does the same with every picture, so without this file, or with a picture that this browser cannot read, only the upload takes longer.

/** HEIC, too: some browsers can read it, the server cannot. */
const PICTURE = /^image\/(jpeg|png|webp|heic|heif)$/
const QUALITY = 0.85
/** Small files are uploaded quickly; the server does the rest. */
const SMALL_BYTES = 300_000

const isShrunk = ({ type, size }) => PICTURE.test(type) && (size > SMALL_BYTES || /hei[cf]$/.test(type))

/** A file with the same name; undefined if this browser cannot read or write it. */
async function shrink(file, maxSide) {
  // Applies the orientation.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const type = /png|webp/.test(file.type) ? file.type : 'image/jpeg'
  const blob = await new Promise((done) => canvas.toBlob(done, type, QUALITY))
  if (!blob || blob.type !== type || (blob.size >= file.size && type === file.type)) return undefined
  const name = type === file.type ? file.name : file.name.replace(/(\.hei[cf])?$/i, '.jpg')
  return new File([blob], name, { type, lastModified: file.lastModified })
}

async function shrinkAll(input) {
  const maxSide = Number(input.dataset.maxSide)
  const chosen = [...input.files]
  const files = new DataTransfer()
  for (const file of chosen) files.items.add((isShrunk(file) && (await shrink(file, maxSide).catch(() => undefined))) || file)
  // Another file was chosen meanwhile.
  if (chosen.length !== input.files.length || chosen.some((file, index) => file !== input.files[index])) return
  input.files = files.files
}

const prepared = new WeakSet()

// Before the check of the size, which is that of the smaller picture.
document.addEventListener(
  'change',
  (event) => {
    const input = event.target
    if (!input.matches?.('input[type="file"][data-max-side]') || prepared.delete(input)) return
    if (![...input.files].some(isShrunk)) return
    event.stopImmediatePropagation()
    input.setAttribute('aria-busy', 'true')
    const done = () => {
      input.removeAttribute('aria-busy')
      prepared.add(input)
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }
    shrinkAll(input).then(done, done)
  },
  true,
)
