/** The last task of each name, until it has ended. */
const last = new Map<string, Promise<unknown>>()

/**
 * Runs the tasks of one name one after another, in the order of their arrival. A task that fails does not stop the next one. Counts for
 * this process only; a task that waits holds nothing, such as a connection to the database.
 */
export async function runInOrder<T>(name: string, task: () => Promise<T>): Promise<T> {
  const running = (last.get(name) ?? Promise.resolve()).then(task)
  const ended = running.catch(() => undefined)
  last.set(name, ended)
  try {
    return await running
  } finally {
    if (last.get(name) === ended) last.delete(name)
  }
}
