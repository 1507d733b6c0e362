import { z } from 'zod'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { placeText } from '#features/staffing/staffing/views/explanations.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { choiceParameter } from '#platform/http/parameter-kinds.ts'
import { loadProposal } from './queries/proposal.ts'
import { POOLS, type Pool } from './rules/pool.ts'
import type { FilledPlace, LoadedProposal } from './rules/proposal.ts'

const count = z.int().min(0)
const personId = z.int().nullable().describe('null: without an account here')
const proposalRecord = z
  .strictObject({
    id: z.int().describe('The id of the shift'),
    pool: z.enum(POOLS).describe('Whose people were considered: those who requested, or everyone who sees the event'),
    is_optimal: z.boolean().describe('No other proposal is better'),
    places: z.array(
      z.strictObject({
        label: z.string(),
        is_required: z.boolean(),
        count: count.describe('How many people the place needs'),
        people: z.array(
          z.strictObject({
            user: personId,
            display_name: z.string(),
            is_requested: z.boolean(),
            is_available: z.boolean().describe('Said that this time suits them'),
            is_only: z.boolean().describe('Nobody else could take the place'),
            alternatives: z.array(
              z.strictObject({
                user: personId,
                display_name: z.string(),
                is_used: z.boolean().describe('Has a shift at that time, or would exceed a limit'),
              }),
            ),
          }),
        ),
        missing: count.describe('For how many nobody was found'),
        obstacles: z.record(z.string(), count).describe('Why people considered cannot take the place, and how many of them'),
      }),
    ),
  })
  .meta({
    id: 'FillProposal',
    examples: [
      {
        id: 31,
        pool: 'everyone',
        is_optimal: true,
        places: [
          {
            label: 'Boat crew',
            is_required: true,
            count: 2,
            people: [{ user: 7, display_name: 'Ben', is_requested: true, is_available: false, is_only: true, alternatives: [] }],
            missing: 1,
            obstacles: { busy: 3, not_qualified: 12 },
          },
        ],
      },
    ],
  })

type Found = { id: number; proposal: LoadedProposal; reasonContext: ReasonContext }
type Query = { pool?: Pool | undefined; optional?: 'true' | 'false' | undefined }

/** 404 for shifts that the caller does not plan, or that have begun, as the page answers. */
async function getProposal(context: RequestContext, id: number, { pool, optional }: Query): Promise<Found | undefined> {
  const options = { scope: { kind: 'shift' as const, id }, pool, isOptionalFilled: optional === 'true', fixed: [] }
  const proposal = await loadProposal(context, options)
  if (proposal.shifts.length + proposal.skipped.length + proposal.filled === 0) return undefined
  return { id, proposal, reasonContext: await loadReasonContext(context) }
}

function presentPerson({ people }: LoadedProposal, candidateId: number) {
  const { who, name } = people.get(candidateId)!
  return { user: 'kind' in who && who.kind === 'local' ? who.id : null, display_name: name }
}

const presentPlace = ({ proposal, reasonContext }: Found, { place, choices, gap }: FilledPlace) => ({
  label: placeText(reasonContext, place.label),
  is_required: place.isRequired,
  count: place.count,
  people: choices.map(({ candidate, chance, isOnly, alternatives }) => ({
    ...presentPerson(proposal, candidate.id),
    is_requested: chance.isRequested,
    is_available: chance.isAvailable,
    is_only: isOnly,
    alternatives: alternatives.map(({ candidate: other, isUsed }) => ({
      ...presentPerson(proposal, other.id),
      is_used: isUsed,
    })),
  })),
  missing: gap?.count ?? 0,
  obstacles: gap?.obstacles ?? {},
})

export const proposalApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/shifts/{id}/proposal/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Proposal',
    operationId: 'shifts_proposal_retrieve',
    tag: 'shifts',
    summary: 'Who could fill the open places of a shift',
    description:
      'For those who plan the event, for coming shifts. It changes nothing: add the people with `POST /api/shifts/{id}/participations/`. The search can take some seconds.',
    parameters: {
      pool: choiceParameter('Whom to consider; absent: those who requested, or everyone if nobody has.', POOLS),
      optional: choiceParameter('Whether to fill places that are not required, too.', ['true', 'false']),
    },
    record: proposalRecord,
    get: (context, { id }, query) => getProposal(context, id, query),
    present: (found: Found) => ({
      id: found.id,
      pool: found.proposal.pool,
      is_optimal: found.proposal.isOptimal,
      places: found.proposal.places.map((place) => presentPlace(found, place)),
    }),
  }),
]
