type StoredFile = { id: string; name: string; bytes: number }

/** Paths inside of an archive: readable, unique, and without characters that lead out of the folder. */
export function fileNamesOf<File extends StoredFile>(files: readonly File[]): (File & { path: string })[] {
  const taken = new Set<string>()
  return files.map((file) => {
    const safe = file.name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '_') || 'file'
    let path = `files/${safe}`
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `files/${n}-${safe}`
    taken.add(path.toLowerCase())
    return { ...file, path }
  })
}
