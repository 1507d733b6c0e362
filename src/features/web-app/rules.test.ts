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

/** The header of a PNG with this size. */
function png(width: number, height: number): Buffer {
  const content = Buffer.alloc(24)
  content.writeUInt32BE(width, 16)
  content.writeUInt32BE(height, 20)
  return content
}

const LOGOS: [what: string, contentType: string, content: Buffer, first: string][] = [
  ['a square PNG', 'image/png', png(256, 256), '/logo/1/ 256x256'],
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

test('the service worker gets a new version when a file changes', () => {
  const script = `const VERSION = '%VERSION%'; const SHELL = JSON.parse('%SHELL%')`
  const first = makeServiceWorker(script, ['/a.1.css'])
  const second = makeServiceWorker(script, ['/a.2.css'])
  assert.notEqual(first.version, second.version)
  assert.equal(first.content, `const VERSION = '${first.version}'; const SHELL = JSON.parse('["/a.1.css"]')`)
})
