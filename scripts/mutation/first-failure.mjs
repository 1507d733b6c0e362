// A reporter for `check:mutation`: ends the process at the first test that fails. Otherwise it writes how many tests ran to the pipe.
import { writeSync } from 'node:fs'

export default async function* report(events) {
  let count = 0
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.todo === undefined) process.exit(1)
    if (type === 'test:pass' && data.details.type !== 'suite') count++
  }
  writeSync(3, String(count))
  yield ''
}
