import { abroad as abroadDe } from './de/abroad.ts'
import { block as blockDe } from './de/block.ts'
import { board as boardDe } from './de/board.ts'
import { calendar as calendarDe } from './de/calendar.ts'
import { event as eventDe } from './de/event.ts'
import { eventType as eventTypeDe } from './de/event-type.ts'
import { federation as federationDe } from './de/federation.ts'
import { find as findDe } from './de/find.ts'
import { form as formDe } from './de/form.ts'
import { frame as frameDe } from './de/frame.ts'
import { groups as groupsDe } from './de/groups.ts'
import { home as homeDe } from './de/home.ts'
import { instance as instanceDe } from './de/instance.ts'
import { journal as journalDe } from './de/journal.ts'
import { log as logDe } from './de/log.ts'
import { mail as mailDe } from './de/mail.ts'
import { manage as manageDe } from './de/manage.ts'
import { message as messageDe } from './de/message.ts'
import { notification as notificationDe } from './de/notification.ts'
import { oauth as oauthDe } from './de/oauth.ts'
import { participation as participationDe } from './de/participation.ts'
import { people as peopleDe } from './de/people.ts'
import { plan as planDe } from './de/plan.ts'
import { problem as problemDe } from './de/problem.ts'
import { qualification as qualificationDe } from './de/qualification.ts'
import { reset as resetDe } from './de/reset.ts'
import { roster as rosterDe } from './de/roster.ts'
import { security as securityDe } from './de/security.ts'
import { settings as settingsDe } from './de/settings.ts'
import { signIn as signInDe } from './de/sign-in.ts'
import { signup as signupDe } from './de/signup.ts'
import { suggestion as suggestionDe } from './de/suggestion.ts'
import { token as tokenDe } from './de/token.ts'
import { ui as uiDe } from './de/ui.ts'
import { visit as visitDe } from './de/visit.ts'
import { abroad as abroadEn } from './en/abroad.ts'
import { block as blockEn } from './en/block.ts'
import { board as boardEn } from './en/board.ts'
import { calendar as calendarEn } from './en/calendar.ts'
import { event as eventEn } from './en/event.ts'
import { eventType as eventTypeEn } from './en/event-type.ts'
import { federation as federationEn } from './en/federation.ts'
import { find as findEn } from './en/find.ts'
import { form as formEn } from './en/form.ts'
import { frame as frameEn } from './en/frame.ts'
import { groups as groupsEn } from './en/groups.ts'
import { home as homeEn } from './en/home.ts'
import { instance as instanceEn } from './en/instance.ts'
import { journal as journalEn } from './en/journal.ts'
import { log as logEn } from './en/log.ts'
import { mail as mailEn } from './en/mail.ts'
import { manage as manageEn } from './en/manage.ts'
import { message as messageEn } from './en/message.ts'
import { notification as notificationEn } from './en/notification.ts'
import { oauth as oauthEn } from './en/oauth.ts'
import { participation as participationEn } from './en/participation.ts'
import { people as peopleEn } from './en/people.ts'
import { plan as planEn } from './en/plan.ts'
import { problem as problemEn } from './en/problem.ts'
import { qualification as qualificationEn } from './en/qualification.ts'
import { reset as resetEn } from './en/reset.ts'
import { roster as rosterEn } from './en/roster.ts'
import { security as securityEn } from './en/security.ts'
import { settings as settingsEn } from './en/settings.ts'
import { signIn as signInEn } from './en/sign-in.ts'
import { signup as signupEn } from './en/signup.ts'
import { suggestion as suggestionEn } from './en/suggestion.ts'
import { token as tokenEn } from './en/token.ts'
import { ui as uiEn } from './en/ui.ts'
import { visit as visitEn } from './en/visit.ts'
import type { Message, Placeholders, Translation } from './message.ts'

/** One line a room in both languages; a room's keys begin with its name. */
const en = {
  ...boardEn,
  ...calendarEn,
  ...blockEn,
  ...eventEn,
  ...findEn,
  ...abroadEn,
  ...federationEn,
  ...eventTypeEn,
  ...formEn,
  ...frameEn,
  ...homeEn,
  ...messageEn,
  ...notificationEn,
  ...rosterEn,
  ...oauthEn,
  ...participationEn,
  ...planEn,
  ...problemEn,
  ...qualificationEn,
  ...signInEn,
  ...signupEn,
  ...suggestionEn,
  ...settingsEn,
  ...securityEn,
  ...resetEn,
  ...mailEn,
  ...tokenEn,
  ...manageEn,
  ...peopleEn,
  ...groupsEn,
  ...instanceEn,
  ...journalEn,
  ...logEn,
  ...uiEn,
  ...visitEn,
}
const de: Translation<typeof en> = {
  ...boardDe,
  ...calendarDe,
  ...blockDe,
  ...eventDe,
  ...findDe,
  ...abroadDe,
  ...federationDe,
  ...eventTypeDe,
  ...formDe,
  ...frameDe,
  ...homeDe,
  ...messageDe,
  ...notificationDe,
  ...rosterDe,
  ...oauthDe,
  ...participationDe,
  ...planDe,
  ...problemDe,
  ...qualificationDe,
  ...signInDe,
  ...signupDe,
  ...suggestionDe,
  ...settingsDe,
  ...securityDe,
  ...resetDe,
  ...mailDe,
  ...tokenDe,
  ...manageDe,
  ...peopleDe,
  ...groupsDe,
  ...instanceDe,
  ...journalDe,
  ...logDe,
  ...uiDe,
  ...visitDe,
}

/** The rooms as they were written, for the test that compares them. */
export const ROOMS = {
  en: [
    boardEn,
    calendarEn,
    blockEn,
    eventEn,
    findEn,
    eventTypeEn,
    formEn,
    frameEn,
    homeEn,
    messageEn,
    notificationEn,
    rosterEn,
    oauthEn,
    participationEn,
    planEn,
    problemEn,
    qualificationEn,
    signInEn,
    signupEn,
    suggestionEn,
    settingsEn,
    securityEn,
    resetEn,
    mailEn,
    tokenEn,
    manageEn,
    peopleEn,
    groupsEn,
    instanceEn,
    journalEn,
    logEn,
    uiEn,
    visitEn,
    abroadEn,
    federationEn,
  ],
  de: [
    boardDe,
    calendarDe,
    blockDe,
    eventDe,
    findDe,
    eventTypeDe,
    formDe,
    frameDe,
    homeDe,
    messageDe,
    notificationDe,
    rosterDe,
    oauthDe,
    participationDe,
    planDe,
    problemDe,
    qualificationDe,
    signInDe,
    signupDe,
    suggestionDe,
    settingsDe,
    securityDe,
    resetDe,
    mailDe,
    tokenDe,
    manageDe,
    peopleDe,
    groupsDe,
    instanceDe,
    journalDe,
    logDe,
    uiDe,
    visitDe,
    abroadDe,
    federationDe,
  ],
}

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
export type MessageKey = keyof typeof en
export type ParamsOf<K extends MessageKey> = { [P in Placeholders<(typeof en)[K]>]: string | number }

export const catalogues: Record<Language, Readonly<Record<MessageKey, Message>>> = { en, de }

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}
