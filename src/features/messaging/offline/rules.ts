import { hash } from 'node:crypto'

type Icon = { src: string; sizes: string; type: string; purpose?: string }
type Logo = { url: string; contentType: string; content: Buffer }

/** Systems cut longer names below an icon. */
const MAX_SHORT_NAME_LENGTH = 12

/** Web app manifest (W3C): what a phone shows for the installed site. */
export function makeManifest({
  name,
  language,
  shortcut,
  icons,
  logo,
}: {
  name: string
  language: string
  shortcut: string
  icons: { small: string; large: string; maskable: string }
  logo: Logo | undefined
}) {
  const ownIcon = logo && toIcon(logo)
  const defaults: Icon[] = [
    { src: icons.small, sizes: '192x192', type: 'image/png' },
    { src: icons.large, sizes: '512x512', type: 'image/png' },
    { src: icons.maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ]
  return {
    id: '/',
    name,
    short_name: shortName(name),
    lang: language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf8',
    theme_color: '#0f6e6e',
    icons: ownIcon ? [ownIcon, ...defaults.filter(({ purpose }) => !purpose)] : defaults,
    shortcuts: [{ name: shortcut, url: '/my-shifts/' }],
  }
}

/** As many whole words as fit. */
function shortName(name: string): string {
  const words = name.split(/\s+/)
  let short = words[0] ?? ''
  for (const word of words.slice(1)) {
    if ([...`${short} ${word}`].length > MAX_SHORT_NAME_LENGTH) break
    short = `${short} ${word}`
  }
  return [...short].slice(0, MAX_SHORT_NAME_LENGTH).join('')
}

const MIN_ICON_SIZE = 144

/** The logo of the organisation, if it is a square PNG that is large enough to be installed. */
function toIcon({ url, contentType, content }: Logo): Icon | undefined {
  if (contentType !== 'image/png' || content.length < 24) return undefined
  // The header of a PNG: 16 bytes, then width and height.
  const width = content.readUInt32BE(16)
  const height = content.readUInt32BE(20)
  if (width !== height || width < MIN_ICON_SIZE) return undefined
  return { src: url, sizes: `${width}x${height}`, type: contentType }
}

/** The script with the files to keep. The version changes with every file, because their URLs contain hashes. */
export function makeServiceWorker(script: string, shell: readonly string[]): { content: string; version: string } {
  const version = hash('sha256', `${script}${shell.join()}`, 'base64url').slice(0, 12)
  return { content: script.replace('%VERSION%', version).replace('%SHELL%', JSON.stringify(shell)), version }
}
