import type { Room } from '../message.ts'

export const participation = {
  'participation.state.0': 'requested',
  'participation.state.1': 'confirmed',
  'participation.state.2': 'declined by user',
  'participation.state.3': 'rejected by responsible',
  'participation.state.4': 'getting dispatched',
  'participation.formerResponsible': 'a former responsible',
} as const satisfies Room
