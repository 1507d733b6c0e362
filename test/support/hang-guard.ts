// Loaded into each test process with --import. Ends a process that hangs, so that the run ends and says which file it was. The limit
// is far above the slowest file on a loaded machine; it measures nothing.
const LIMIT_MS = 35 * 60_000

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(`This process hangs and is ended after ${LIMIT_MS / 60_000} minutes. It waits for: ${open}\n`)
  process.exit(1)
}, LIMIT_MS).unref()
