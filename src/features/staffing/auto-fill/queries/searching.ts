import { setImmediate } from 'node:timers/promises'
import { runThread } from '#platform/thread.ts'
import { type NumberedProposal, nameProposal, type Proposal, type ProposalInput } from '../rules/proposal.ts'

/** What the thread is sent: candidates in parts, then the rest. */
export type SearchMessage =
  | { kind: 'candidates'; candidates: ProposalInput['candidates'] }
  | { kind: 'search'; input: Omit<ProposalInput, 'candidates'> }

const CPU_LIMIT_MS = 6_000
const MEMORY_LIMIT_MB = 512
const CANDIDATES_AT_ONCE = 5
const THREAD = new URL('./searching-thread', import.meta.url)

/** Only one search at a time: a server has few cores, and requests come first. */
let queue: Promise<unknown> = Promise.resolve()

/** `isOutOfTime`: the search was ended; the proposal is the best one found until then. */
export type SearchOutcome = Proposal & { isOutOfTime: boolean }

/**
 * Searches in a thread with a limited time of the processor: 100 shifts and 400 people take seconds. A search that takes longer ends with the
 * improved greedy plan.
 */
export function searchProposal(
  input: ProposalInput,
  { cpuLimitMs = CPU_LIMIT_MS, signal }: { cpuLimitMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<SearchOutcome> {
  const search = queue.then(() => searchInThread(input, { cpuLimitMs, signal }))
  queue = search.catch(() => {})
  return search
}

async function searchInThread(
  input: ProposalInput,
  { cpuLimitMs, signal }: { cpuLimitMs: number; signal: AbortSignal | undefined },
): Promise<SearchOutcome> {
  const { candidates, ...rest } = input
  const found = await runThread<NumberedProposal>({
    module: THREAD,
    cpuLimitMs,
    memoryLimitMb: MEMORY_LIMIT_MB,
    signal,
    feed: async (post) => {
      for (let from = 0; from < candidates.length && !signal?.aborted; from += CANDIDATES_AT_ONCE) {
        post({ kind: 'candidates', candidates: candidates.slice(from, from + CANDIDATES_AT_ONCE) } satisfies SearchMessage)
        await setImmediate()
      }
      post({ kind: 'search', input: rest } satisfies SearchMessage)
    },
  })
  const nobody = { total: 0, bound: 0, isOptimal: false, places: input.places.map(() => ({ choices: [], gap: undefined })) }
  return { ...nameProposal(input, found?.value ?? nobody), isOutOfTime: !found?.isFinal }
}
