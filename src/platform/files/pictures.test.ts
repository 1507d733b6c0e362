import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { makePicture, readPicture, SMALL_PNG } from '#test/support/pictures.ts'
import { type PictureLimits, preparePicture } from './pictures.ts'
import { receiveFile } from './upload.ts'

/** The file as it is stored, and all that the store contains. */
async function upload(bytes: Buffer, { name = 'photo.jpg', limits }: { name?: string; limits?: PictureLimits } = {}) {
  const store = makeMemoryStore()
  const received = await receiveFile(store, name, Readable.from([bytes]), () => false)
  const file = await preparePicture(store, received, limits)
  const stored = [...store.content.values()].map((each) => each.bytes)
  return { file, stored, content: file.id === undefined ? undefined : store.content.get(file.id)?.bytes }
}

/** The header of a PNG that claims a size, with some data. */
function claimPng(width: number, height: number, { isInterlaced = false } = {}): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, isInterlaced ? 1 : 0], 8)
  const data = deflateSync(Buffer.alloc(1_000_000))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a picture that is stored', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    test(`is a ${format} as before, smaller, and without the place where it was taken`, async () => {
      const sent = await makePicture({ format, width: 600, height: 300, hasLocation: true })
      assert.ok((await readPicture(sent)).metadata.includes('exif'))
      const { file, stored, content } = await upload(sent, { limits: { maxSide: 200 } })
      const seen = await readPicture(content!)
      assert.deepEqual(seen, { width: 200, height: 100, format, metadata: [], red: 'left' })
      assert.deepEqual([file.type, file.bytes, file.name], [`image/${format}`, content!.length, 'photo.jpg'])
      assert.deepEqual(stored, [content], 'nothing else is kept')
      assert.doesNotMatch(content!.toString('latin1'), /Testphone|at home|GPS/)
    })
  }

  // How the pixels of the file are turned to be seen (EXIF 2.32, 4.6.4).
  for (const [orientation, red] of [
    [1, 'left'],
    [2, 'right'],
    [3, 'right'],
    [4, 'left'],
    [5, 'top'],
    [6, 'top'],
    [7, 'bottom'],
    [8, 'bottom'],
  ] as const) {
    test(`is upright if the phone wrote orientation ${orientation}`, async () => {
      const sent = await makePicture({ width: 400, height: 200, orientation })
      const { content } = await upload(sent, { limits: { maxSide: 100 } })
      const [width, height] = orientation < 5 ? [100, 50] : [50, 100]
      assert.deepEqual(await readPicture(content!), { width, height, format: 'jpeg', metadata: [], red })
    })
  }

  test('keeps its size if it is small', async () => {
    const { content } = await upload(SMALL_PNG, { name: 'dot.png' })
    const { width, height, format } = await readPicture(content!)
    assert.deepEqual([width, height, format], [1, 1, 'png'])
  })

  test('becomes WebP if a PNG is too large for its place', async () => {
    const noise = await makePicture({ format: 'png', width: 300, height: 300, isNoisy: true })
    const { file, content } = await upload(noise, { limits: { maxSide: 300, maxBytes: 100_000 } })
    assert.deepEqual([file.type, content!.length < 100_000], ['image/webp', true])
  })

  test('is the same file if it is no picture', async () => {
    const { file, content } = await upload(Buffer.from('%PDF-1.7'), { name: 'a.pdf' })
    assert.deepEqual([file.type, String(content)], ['application/pdf', '%PDF-1.7'])
  })
})

describe('a picture that cannot be stored leaves nothing behind', async () => {
  const whole = await makePicture({ width: 800, height: 800, isNoisy: true })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>')
  const jpegHead = Buffer.from('ffd8ffe0', 'hex')
  for (const [what, bytes, fault] of [
    ['is cut off', whole.subarray(0, whole.length / 2), 'unreadable'],
    ['is cut off in its header', whole.subarray(0, 100), 'unreadable'],
    ['is something else with the first bytes of a picture', Buffer.concat([jpegHead, svg]), 'unreadable'],
    ['claims 65,000 × 65,000 pixels', claimPng(65_000, 65_000), 'pixels'],
    ['claims more pixels than a number holds', claimPng(2 ** 31 - 1, 2 ** 31 - 1), 'unreadable'],
    ['claims 30 megapixels that are decoded at once', claimPng(6000, 5000, { isInterlaced: true }), 'pixels'],
  ] as const) {
    test(`because it ${what}`, async () => {
      const { file, stored } = await upload(bytes)
      assert.deepEqual([file.fault, file.id, stored], [fault, undefined, []])
    })
  }
})
