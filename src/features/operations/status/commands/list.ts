import { AREAS, type Area, type AreaFacts, type Check, type CheckInput, type Fact } from '../schema.ts'
import { backupCheck } from './backup.ts'
import { databaseCheck, versionCheck } from './database.ts'
import { diskCheck } from './disk.ts'
import { extensionCheck } from './extensions.ts'
import { fileCheck } from './files.ts'
import { errorCheck, jobCheck } from './jobs.ts'
import { mailCheck } from './mail.ts'
import { certificateCheck, partnerCheck } from './partners.ts'
import { recordCheck } from './records.ts'
import { settingsCheck } from './settings.ts'

/** What the page of the system status and `doctor` say is from this list. */
export const CHECKS: readonly Check[] = [
  mailCheck,
  backupCheck,
  diskCheck,
  jobCheck,
  databaseCheck,
  partnerCheck,
  certificateCheck,
  settingsCheck,
  extensionCheck,
  fileCheck,
  recordCheck,
  errorCheck,
  versionCheck,
]

/** A check that fails is a finding, and the others go on. */
async function perform({ find }: Check, input: CheckInput): Promise<readonly Fact[]> {
  try {
    return await find(input)
  } catch (error) {
    return [{ state: 'bad', text: input.words.t('status.check_failed', { reason: (error as Error).message }) }]
  }
}

/** One after the other: the database has more to do than this. */
export async function performChecks(input: CheckInput, { isThorough }: { isThorough: boolean }): Promise<AreaFacts[]> {
  const found = new Map<Area, Fact[]>()
  for (const check of CHECKS) {
    if (check.isThorough && !isThorough) continue
    found.set(check.area, [...(found.get(check.area) ?? []), ...(await perform(check, input))])
  }
  return AREAS.flatMap((area) => {
    const facts = found.get(area) ?? []
    return facts.length ? [{ area, facts }] : []
  })
}
