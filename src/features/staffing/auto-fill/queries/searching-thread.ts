import { parentPort } from 'node:worker_threads'
import type { ThreadMessage } from '#platform/thread.ts'
import { type Candidate, type NumberedProposal, numberProposal, type Proposal, propose } from '../rules/proposal.ts'
import type { SearchMessage } from './searching.ts'

const port = parentPort!
const candidates: Candidate[] = []

const post = (proposal: Proposal, isFinal: boolean): void =>
  port.postMessage({ isFinal, value: numberProposal(proposal) } satisfies ThreadMessage<NumberedProposal>)

port.on('message', (message: SearchMessage) => {
  if (message.kind === 'candidates') return void candidates.push(...message.candidates)
  post(
    propose({ ...message.input, candidates }, (first) => post(first, false)),
    true,
  )
})
