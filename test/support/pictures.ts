import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

/** One white pixel. */
export const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
)

/** As a phone writes it: who made the camera, and the place. */
const EXIF = {
  IFD0: { Make: 'Testphone', ImageDescription: 'at home' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '49/1 24/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '8/1 41/1 10/1' },
}

type Picture = {
  format?: 'jpeg' | 'png' | 'webp'
  width: number
  height: number
  /** As in EXIF, 1 to 8. */
  orientation?: number
  hasLocation?: boolean
  isProgressive?: boolean
  /** Hard to compress, so the file is large. */
  isNoisy?: boolean
}

/** The left half is red and the right half is blue, as it is stored; or noise. */
export async function makePicture(picture: Picture): Promise<Buffer> {
  const { format = 'jpeg', width, height, orientation, hasLocation, isProgressive = false, isNoisy } = picture
  const raw = { width, height, channels: 3 as const }
  const half = await sharp({ create: { ...raw, width: Math.ceil(width / 2), background: 'red' } })
    .png()
    .toBuffer()
  const plain = isNoisy
    ? sharp(randomBytes(width * height * 3), { raw })
    : sharp({ create: { ...raw, background: 'blue' } }).composite([{ input: half, left: 0, top: 0 }])
  const described = hasLocation ? plain.withExif(EXIF) : plain
  const turned = orientation ? described.withMetadata({ orientation, ...(hasLocation ? { exif: EXIF } : {}) }) : described
  if (format === 'jpeg') return turned.jpeg({ quality: 90, progressive: isProgressive }).toBuffer()
  return turned.toFormat(format, { progressive: isProgressive }).toBuffer()
}

type Seen = {
  width: number
  height: number
  format: string
  /** Names of metadata that the file contains. */
  metadata: string[]
  /** The side that is red. */
  red: 'left' | 'right' | 'top' | 'bottom' | undefined
}

/** What a program sees that ignores the orientation in the metadata. */
export async function readPicture(bytes: Buffer): Promise<Seen> {
  const { width, height, format, ...header } = await sharp(bytes).metadata()
  const metadata = (['exif', 'iptc', 'xmp', 'icc', 'orientation', 'comments'] as const).filter(
    (name) => header[name] !== undefined,
  )
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isRed = (x: number, y: number) => data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3]! > 128
  const sides = { left: isRed(0.1, 0.5), right: isRed(0.9, 0.5), top: isRed(0.5, 0.1), bottom: isRed(0.5, 0.9) }
  const red = Object.entries(sides).filter(([, value]) => value)
  // Where the colours meet, one of the other sides is red as well.
  const main = red.find(([name]) => {
    const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' }[name] as keyof typeof sides
    return !sides[opposite]
  })
  return { width, height, format: String(format), metadata, red: main?.[0] as Seen['red'] }
}
