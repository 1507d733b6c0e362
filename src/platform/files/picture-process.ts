// A process of its own: reads a picture from standard input and writes it upright, smaller and without metadata to standard output.
// A picture that is made to harm can end this process, and what it has allocated is freed with it.
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { EXIT_CODES } from './picture-exits.ts'

/** 48, 50 and 64 megapixels are common in phones. */
const MAX_PIXELS = 70_000_000
/** Of pictures that are held in memory completely while they are decoded. */
const MAX_PIXELS_AT_ONCE = 25_000_000
const TIMEOUT_S = 30
const QUALITY = 82

const isDecodedAtOnce = ({ format, isProgressive }: Metadata): boolean => format === 'webp' || isProgressive === true

function encode(picture: Sharp, format: string | undefined): Sharp {
  if (format === 'png') return picture.png({ compressionLevel: 9 })
  if (format === 'webp') return picture.webp({ quality: QUALITY })
  return picture.jpeg({ quality: QUALITY })
}

type Limits = { maxSide: number; maxBytes: number }

/** Metadata is not written unless it is asked for; the orientation that it contains is applied before. */
async function rewrite(bytes: Buffer, { maxSide, maxBytes }: Limits): Promise<Buffer | keyof typeof EXIT_CODES> {
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS })
  // Reads the header only.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata()
  const limit = isDecodedAtOnce(header) ? MAX_PIXELS_AT_ONCE : MAX_PIXELS
  if (header.width * header.height > limit) return 'pixels'
  const resized = () =>
    open()
      .timeout({ seconds: TIMEOUT_S })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
  const written = await encode(resized(), header.format).toBuffer()
  // Photographs are large as PNG. WebP keeps transparent parts as well.
  return written.length > maxBytes ? encode(resized(), 'webp').toBuffer() : written
}

const { values } = parseArgs({ options: { side: { type: 'string' }, bytes: { type: 'string' } } })
sharp.cache(false)
sharp.concurrency(1)
// No other decoder is needed, and each can have faults.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })
const limits = { maxSide: Number(values.side), maxBytes: Number(values.bytes) }
const result = await rewrite(await buffer(process.stdin), limits).catch(() => 'unreadable' as const)
if (typeof result === 'string') process.exitCode = EXIT_CODES[result]
else process.stdout.end(result)
