import { readFileSync } from 'node:fs'
import { weakEtag } from '#platform/http/etag.ts'

const FOLDER = new URL('../../../../../handbook/pictures/', import.meta.url)

/** A picture in the manifest. `npm run handbook` writes it: `page` and `fingerprint` are what the picture shows. */
type PictureEntry = { page: string; width: number; height: number; fingerprint: string }
export type Picture = { content: Buffer; etag: string }

let manifest: Readonly<Record<string, PictureEntry>> | undefined

/** By `LANGUAGE/NAME.webp`, read at first use. */
export function findPictures(): Readonly<Record<string, PictureEntry>> {
  manifest ??= JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Record<string, PictureEntry>
  return manifest
}

export const getPictureEntry = (file: string): PictureEntry | undefined =>
  Object.hasOwn(findPictures(), file) ? findPictures()[file] : undefined

const pictures = new Map<string, Picture>()

/** Undefined if there is no such file: only names of the manifest become part of a path. */
export function getPicture(file: string): Picture | undefined {
  if (!getPictureEntry(file)) return undefined
  let picture = pictures.get(file)
  if (!picture) {
    const content = readFileSync(new URL(file, FOLDER))
    picture = { content, etag: weakEtag(content) }
    pictures.set(file, picture)
  }
  return picture
}
