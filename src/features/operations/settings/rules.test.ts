import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectImageType } from './rules.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const CASES: [what: string, bytes: Uint8Array, expected: string | undefined][] = [
  ['PNG', bytes('\x89PNG\r\n\x1a\nrest'), 'image/png'],
  ['PNG that was sent as text', bytes('\x89PNG\n\x1a\nrest'), undefined],
  ['JPEG', bytes('\xff\xd8\xff\xe0rest'), 'image/jpeg'],
  ['WebP', bytes('RIFF\x01\x02\x03\x04WEBPVP8 '), 'image/webp'],
  ['sound in the same container', bytes('RIFF\x01\x02\x03\x04WAVEfmt '), undefined],
  ['another container', bytes('XXXX\x01\x02\x03\x04WEBPVP8 '), undefined],
  ['nothing', bytes(''), undefined],
  ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
]
for (const [what, content, expected] of CASES) {
  test(`${what} is detected as ${expected}`, () => assert.equal(detectImageType(content), expected))
}
