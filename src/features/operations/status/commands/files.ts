import { countAttachmentsWithoutFile } from '#features/events/files/queries.ts'
import { compareFiles, deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { TURNOUT } from '#platform/invocation.ts'
import type { Check, Fact } from '../schema.ts'

export const fileCheck: Check = {
  area: 'files',
  isThorough: true,
  find: async ({ db, config, files, now, words }) => {
    const { missing, unused } = await compareFiles(db.read, files, now)
    const waiting = await countAttachmentsWithoutFile(db.read)
    const place = config.filesUrl ? 'FILES_URL' : `DATA_DIR (${config.dataDir})`
    const bad: Fact[] = []
    if (missing.length) bad.push({ state: 'bad', text: words.t('status.files_missing', { count: missing.length, place }) })
    if (unused.length)
      bad.push({
        state: 'bad',
        text: words.t('status.files_unused', { count: unused.length, place }),
        fix: () => deleteUnusedFiles(db.write, files, now),
      })
    if (waiting)
      bad.push({
        state: 'bad',
        text: words.t('status.files_without_content', { count: waiting, command: `${TURNOUT} import-files --media DIR` }),
      })
    return bad.length ? bad : [{ state: 'good', text: words.t('status.files_good') }]
  },
}
