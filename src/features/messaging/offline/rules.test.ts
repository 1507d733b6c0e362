import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeManifest, makeServiceWorker } from './rules.ts'

const ICONS = { small: '/s.png', large: '/l.png', maskable: '/m.png' }
const base = { language: 'en', shortcut: 'My shifts', icons: ICONS, logo: undefined }

const NAMES: [name: string, short: string][] = [
  ['Turnout', 'Turnout'],
  ['Fire brigade Musterstadt', 'Fire brigade'],
  ['Feuerwehr Musterstadt', 'Feuerwehr'],
  ['Katastrophenschutz', 'Katastrophen'],
  ['THW OV Köln-Ost', 'THW OV'],
]
for (const [name, short] of NAMES)
  test(`the short name of ${name} is ${short}`, () => assert.equal(makeManifest({ ...base, name }).short_name, short))

test('the manifest describes the whole site as an app with a shortcut to own shifts', () =>
  assert.deepEqual(makeManifest({ ...base, name: 'Turnout' }), {
    id: '/',
    name: 'Turnout',
    short_name: 'Turnout',
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf8',
    theme_color: '#0f6e6e',
    icons: [
      { src: '/s.png', sizes: '192x192', type: 'image/png' },
      { src: '/l.png', sizes: '512x512', type: 'image/png' },
      { src: '/m.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [{ name: 'My shifts', url: '/my-shifts/' }],
  }))

/** The header of a PNG with this size. */
function png(width: number, height: number): Buffer {
  const content = Buffer.alloc(24)
  content.writeUInt32BE(width, 16)
  content.writeUInt32BE(height, 20)
  return content
}

const LOGOS: [what: string, contentType: string, content: Buffer, first: string][] = [
  ['a square PNG', 'image/png', png(256, 256), '/logo/1/ 256x256'],
  ['the smallest PNG that can be installed', 'image/png', png(144, 144), '/logo/1/ 144x144'],
  ['a PNG below that size', 'image/png', png(143, 143), '/s.png 192x192'],
  ['a wide PNG', 'image/png', png(400, 200), '/s.png 192x192'],
  ['a small PNG', 'image/png', png(64, 64), '/s.png 192x192'],
  ['a broken PNG', 'image/png', Buffer.alloc(10), '/s.png 192x192'],
  ['a JPEG', 'image/jpeg', png(256, 256), '/s.png 192x192'],
]
for (const [what, contentType, content, first] of LOGOS)
  test(`the first icon with ${what} as logo is ${first}`, () => {
    const { icons } = makeManifest({ ...base, name: 'A', logo: { url: '/logo/1/', contentType, content } })
    assert.equal(`${icons[0]!.src} ${icons[0]!.sizes}`, first)
    assert.ok(icons.some(({ sizes }) => sizes === '512x512'))
  })

test('phones do not show the maskable icon of Turnout instead of a logo', () => {
  const logo = { url: '/logo/1/', contentType: 'image/png', content: png(256, 256) }
  assert.deepEqual(
    makeManifest({ ...base, name: 'A', logo }).icons.map(({ src }) => src),
    ['/logo/1/', '/s.png', '/l.png'],
  )
})

test('the version of the service worker is the start of a SHA-256 hash that can be part of a URL', () =>
  // The hash of nothing is 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU.
  assert.equal(makeServiceWorker('', []).version, '47DEQpj8HBSa'))

test('the service worker gets a new version when a file changes', () => {
  const script = `const VERSION = '%VERSION%'; const SHELL = JSON.parse('%SHELL%')`
  const first = makeServiceWorker(script, ['/a.1.css'])
  const second = makeServiceWorker(script, ['/a.2.css'])
  assert.notEqual(first.version, second.version)
  assert.equal(first.content, `const VERSION = '${first.version}'; const SHELL = JSON.parse('["/a.1.css"]')`)
})
