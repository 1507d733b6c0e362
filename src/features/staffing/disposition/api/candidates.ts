import { z } from 'zod'
import { codedText, placeOption } from '#features/staffing/eligibility/schema.ts'
import { warningText } from '#features/staffing/staffing/views/reasons.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { listEndpoint } from '#platform/http/endpoint.ts'
import { searchParameter } from '#platform/http/parameter-kinds.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { type Candidate, findCandidates } from '../queries/candidates.ts'
import { getBoardShift } from '../queries/shift-board.ts'
import { cardReasonText } from '../views/card.ts'

const TYPES = { local: 'LocalUserParticipant', guest: 'GuestParticipant', visitor: 'FederatedParticipant' } as const

const candidateRecord = z
  .strictObject({
    type: z.enum(['LocalUserParticipant', 'GuestParticipant', 'FederatedParticipant']),
    id: z.int().describe('Of the user, guest or visitor'),
    user: z.int().nullable().describe('null for guests and visitors'),
    display_name: z.string(),
    participation: z.int().nullable(),
    state: z
      .strictObject({ value: z.int().min(0).max(4), label: z.string() })
      .nullable()
      .describe('In this shift'),
    verdict: z
      .enum(['fits', 'busy', 'unfit'])
      .describe('`busy`: confirmed elsewhere at that time, and nothing else speaks against it'),
    reasons: z.array(codedText).describe('Everything that speaks against the person; empty for `fits`'),
    warnings: z.array(codedText),
    places: z.array(placeOption).describe('Teams or units that the person fits'),
  })
  .meta({
    id: 'Candidate',
    examples: [
      {
        type: 'LocalUserParticipant',
        id: 7,
        user: 7,
        display_name: 'Ben',
        participation: null,
        state: null,
        verdict: 'unfit',
        reasons: [{ code: 'not_qualified', detail: 'Lacks Medic' }],
        warnings: [],
        places: [],
      },
    ],
  })

export const candidatesEndpoint = listEndpoint({
  path: '/api/shifts/{id}/candidates/',
  access: scope('CONFIDENTIAL_READ'),
  name: 'Candidates',
  operationId: 'shifts_candidates_list',
  tag: 'participations',
  summary: 'People whom planners can assign to a shift, and whether they fit',
  description:
    'For people who may change the event. Active people in the list of profiles, guests of the event, and visitors who take part in it, by name.',
  parameters: { search: searchParameter('name, and e-mail address for people who may view all profiles') },
  item: candidateRecord,
  find: async (context, { search }, page, { id }) => {
    const found = requireFound(await getBoardShift(context, id))
    if (!found.mayChange) throw new Problem('permission_denied')
    return findCandidates(context, found.shift, search ?? [], page)
  },
  present: presentCandidate,
})

function presentCandidate(candidate: Candidate, { words }: RequestContext) {
  const { kind, id, name, participation_id, state, candidacy, reasons, reasonContext } = candidate
  const isBusy = reasons.length > 0 && reasons.every(({ code }) => code === 'conflict')
  return {
    type: TYPES[kind],
    id,
    user: kind === 'local' ? id : null,
    display_name: name,
    participation: participation_id,
    state: state === null ? null : { value: state, label: words.t(`participation.state.${state}`) },
    verdict: reasons.length === 0 ? 'fits' : isBusy ? 'busy' : 'unfit',
    reasons: reasons.map((reason) => ({ code: reason.code, detail: cardReasonText(reasonContext, reason) })),
    warnings: candidacy.warnings.map((warning) => ({ code: warning.code, detail: warningText(reasonContext, warning) })),
    places: candidacy.wish?.options.map(({ value, title }) => ({ wish: value, title })) ?? [],
  }
}
