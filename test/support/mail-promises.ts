// Texts that tell readers that a mail will come. Where no mail is sent, no page may contain one.

const PROMISES: Record<'en' | 'de', RegExp> = {
  en: /\b(gets?|sends?|sent|told|receives?|confirmed|confirms?|stands?|come|request\w*)\b[^.!?]*\b(e-?mails?|mails?|inbox|mailbox)\b|\b(e-?mails?|mails?)\b[^.!?]*\b(on (its|their) way|sent|arrives?)\b|\bwe (send|sent|have (also )?sent)\b|\b(check|look into) your (inbox|mailbox)|\bby e-?mail\b|\blink\b[^.!?]*\b(is on its way|is sent)\b/i,
  de: /\b(bekomm\w*|schick\w*|send\w*|gesendet|erf[äa]hrt|bestätig\w*|steht|kommen|fordere)\b[^.!?]*\b(E-Mails?|Mails?|Postfach)\b|\b(E-Mails?|Mails?)\b[^.!?]*\b(unterwegs|gesendet|geschickt|bekomm\w*)\b|\bWir (schicken|haben)\b[^.!?]*\b(geschickt|Link)\b|\bper E-Mail\b|\bLink\b[^.!?]*\bgeht an die Adresse\b/i,
}
const DENIALS: Record<'en' | 'de', RegExp> = {
  en: /\b(no|without|not|none|nobody|stop|cannot)\b[^.!?]*mail/i,
  de: /\b(kein\w*|nicht|ohne|niemand\w*|stopp\w*)\b[^.!?]*mail/i,
}

/** Sentences that promise a mail. */
export const findPromises = (text: string, language: 'en' | 'de'): string[] =>
  text
    .split(/(?<=[.!?:])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => PROMISES[language].test(sentence) && !DENIALS[language].test(sentence))

/** What a reader sees: without markup, scripts and hidden values, one line per element. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<\/(p|li|h\d|td|th|dt|dd|label|button|option|div|legend|summary|small|caption)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
