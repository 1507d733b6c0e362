import { join } from 'node:path'
import { makeS3Store, parseS3Url } from './s3-store.ts'
import { type FileStore, INCOMING, makeFolderStore } from './store.ts'

/** The store of an installation: a bucket if `FILES_URL` names one, else a folder of its data directory. */
export function openFileStore({ dataDir, filesUrl }: { dataDir: string; filesUrl?: string | undefined }): FileStore {
  const bucket = filesUrl === undefined ? undefined : parseS3Url(filesUrl)
  return bucket ? makeS3Store({ bucket, spoolFolder: join(dataDir, 'files', INCOMING) }) : makeFolderStore(join(dataDir, 'files'))
}
