import { makeBlockMappers, makeEventTypeMappers, makeQualificationMappers } from './catalogue-mappers.ts'
import {
  COMMENT_MAPPER,
  EVENT_MAPPER,
  makeEventQualificationMapper,
  makeParticipationMapper,
  SHIFT_MAPPER,
} from './event-mappers.ts'
import { FILE_MAPPERS } from './file-mappers.ts'
import type { TableMapper } from './import-context.ts'
import { makeJournalMapper } from './journal-mapper.ts'
import { NOTIFICATION_MAPPER } from './notification-mapper.ts'
import { GUEST_MAPPERS, HOST_MAPPER, makeShareMappers, PARTNER_MAPPERS } from './partner-mappers.ts'
import { makeObjectPermissionMapper } from './permission-mappers.ts'
import { PROVIDER_MAPPERS } from './provider-mappers.ts'
import { makeQuestionMappers } from './question-mappers.ts'
import { makeResourceMappers } from './resource-mappers.ts'
import { PAGE_MAPPER, SETTING_MAPPER } from './settings-mapper.ts'
import { makeApplicationMapper, makeRefreshTokenMapper, makeTokenMapper, type TokenLookups } from './token-mappers.ts'
import { makeUserMappers, type UserLookups } from './user-mappers.ts'

/** Read from the source before the first row is mapped. */
export type SourceLookups = TokenLookups &
  UserLookups & {
    /** Event types that are not visible for all groups. */
    restrictedTypes: ReadonlySet<number>
    /** Participations that rank below another one of the same person in the same shift. */
    duplicates: ReadonlySet<number>
    /** Event ids by the id of the share. */
    eventOfShare: ReadonlyMap<number, number>
    /** Shift ids by the id of the allocation of resources. */
    shiftOfAllocation: ReadonlyMap<number, number>
    /** When the last shift of an event ends, by the id of the event. */
    endOfEvent: ReadonlyMap<number, string>
    /** Shift ids by the id of the questionnaire. */
    shiftOfQuestionnaire: ReadonlyMap<number, number>
    /** By the id of the application. */
    clientIds: ReadonlyMap<number, string>
  }

/** In an order in which rows come after the rows they refer to. */
export const makeMappers = (lookups: SourceLookups): TableMapper[] => [
  ...makeQualificationMappers(),
  ...makeUserMappers(lookups),
  ...PROVIDER_MAPPERS,
  ...makeEventTypeMappers(lookups.restrictedTypes),
  ...makeBlockMappers(),
  EVENT_MAPPER,
  makeObjectPermissionMapper('guardian_groupobjectpermission', lookups.names),
  makeObjectPermissionMapper('guardian_userobjectpermission', lookups.names),
  SHIFT_MAPPER,
  makeEventQualificationMapper(lookups.endOfEvent),
  ...PARTNER_MAPPERS,
  ...makeShareMappers(lookups.eventOfShare),
  ...GUEST_MAPPERS,
  makeParticipationMapper(lookups.duplicates),
  COMMENT_MAPPER,
  NOTIFICATION_MAPPER,
  makeApplicationMapper(lookups),
  HOST_MAPPER,
  makeTokenMapper(lookups),
  makeRefreshTokenMapper(lookups, lookups.clientIds),
  makeJournalMapper(lookups.names),
  SETTING_MAPPER,
  PAGE_MAPPER,
  ...makeResourceMappers(lookups.shiftOfAllocation),
  ...makeQuestionMappers(lookups.shiftOfQuestionnaire),
  ...FILE_MAPPERS,
]
