import type { participation as english } from '../en/participation.ts'
import type { Translation } from '../message.ts'

export const participation: Translation<typeof english> = {
  'participation.state.0': 'angefragt',
  'participation.state.1': 'bestätigt',
  'participation.state.2': 'abgesagt durch helfende Person',
  'participation.state.3': 'abgelehnt durch verantwortliche Person',
  'participation.state.4': 'in Zuteilung',
  'participation.formerResponsible': 'eine frühere verantwortliche Person',
}
