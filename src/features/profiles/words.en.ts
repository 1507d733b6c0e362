import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'profiles.email': 'Email address',
  'profiles.email_is': 'You sign in with {email}.',
  'profiles.email_waiting': 'A change to {email} waits for its confirmation. Until then nothing changes.',
  'profiles.change_email': 'Change email address',
  'profiles.new_email': 'New email address',
  'profiles.email_how':
    'We send a link to the new address, which confirms it. The present address gets a message, too. You sign in with the present one until then.',
  'profiles.send_confirmation': 'Send link',
  'profiles.email_same': 'This is your present address.',
  'profiles.email_blocked':
    'The address of your account was changed or a change was stopped. Another change is possible from {time}.',
  'profiles.email_sent': 'We sent a link to {email}. Open it within a day to confirm the address.',
  'profiles.too_many': {
    one: 'Too many changes. Try again in a second.',
    other: 'Too many changes. Try again in {count} seconds.',
  },
  'profiles.no_mail': 'This server sends no mails, so you cannot confirm another address. Ask an administrator to change it.',
  'profiles.withdraw': 'Withdraw',
  'profiles.withdrawn': 'The change was withdrawn. Your address stays as it is.',
  'profiles.confirm_title': 'Confirm your new address',
  'profiles.confirm_text': 'From now on you sign in with {to} instead of {from}.',
  'profiles.confirm': 'Use this address',
  'profiles.confirmed': 'You sign in with {email} now.',
  'profiles.dead_title': 'This link no longer works',
  'profiles.dead_text': 'There is no change that waits.',
  'profiles.dead_confirm':
    'It was used, replaced or stopped, is older than a day, or belongs to another account. Sign in with the account that asked for it, or ask for a new link in your profile.',
  'profiles.dead_stop':
    'The change was stopped already, or it is too long ago. If you did not make it, contact an administrator.',
  'profiles.taken': 'This address belongs to another account by now, or your own was changed. Your address stays as it is.',
  'profiles.revert_taken': 'Your former address belongs to another account by now. Please contact an administrator.',
  'profiles.home': 'To the start page',
  'profiles.stop_title': 'This was not me',
  'profiles.stop_text': 'Somebody wants to change the email address of your account. You can stop this.',
  'profiles.revert_text': 'The email address of your account was changed. You can go back to this address.',
  'profiles.stop_also':
    'All devices are signed out, API tokens and connected applications lose their access, and the address cannot be changed for three days. You get a link to a new password.',
  'profiles.stop': 'Stop the change',
  'profiles.revert': 'Go back to this address',
  'profiles.stopped_title': 'The change was stopped',
  'profiles.reverted_title': 'Your former address is back',
  'profiles.stopped_text':
    'Your account has this address, and all devices are signed out. Set a new password with the link that we sent you.',
  'profiles.sign_in': 'Sign in',

  'profiles.propose': 'Send proposal',
  'profiles.propose_title': 'Propose a change',
  'profiles.propose_text': 'Others manage these data. Somebody looks at your proposal and decides.',
  'profiles.note': 'Note',
  'profiles.note_help': 'For the people who decide, for example why it changes.',
  'profiles.propose_nothing': 'Please change something first.',
  'profiles.propose_waiting': 'Your last proposal still waits for a decision.',
  'profiles.propose_future': 'This date is in the future.',
  'profiles.proposed': 'Your proposal was sent. You are notified when it is decided.',
  'profiles.asks_name': 'Name: {from} → {to}',
  'profiles.asks_birth': 'Date of birth: {from} → {to}',
  'profiles.asks_note': 'Note: {note}',
  'profiles.unreadable': 'A change of the profile whose data are invalid',

  'profiles.picture': 'Picture',
  'profiles.picture_of': 'Picture of {name}',
  'profiles.no_picture': 'You have no picture yet.',
  'profiles.add_picture': 'Add picture',
  'profiles.change_picture': 'Change picture',
  'profiles.picture_who':
    'People who plan your shifts see it, and those who manage people. Hidden data of the file, such as the place of a photo, stay in it.',
  'profiles.picture_file': 'Image',
  'profiles.picture_help': 'PNG, JPEG or WebP, at most 1 MB. It is shown square.',
  'profiles.picture_save': 'Upload picture',
  'profiles.picture_saved': 'Your picture was saved.',
  'profiles.picture_remove': 'Remove picture',
  'profiles.picture_removed': 'Your picture was removed.',
  'profiles.picture_missing': 'Please choose an image first.',
  'profiles.picture_large': 'This image is too large. The limit is 1 MB.',
  'profiles.picture_type': 'Please choose a PNG, JPEG or WebP image.',

  'profiles.mail_confirm_subject': 'Confirm your new address for {site}',
  'profiles.mail_confirm_text': 'You want to sign in at {site} with this address. Confirm that it is yours:',
  'profiles.mail_confirm_action': 'Confirm address',
  'profiles.mail_confirm_note': 'The link works for a day, if you are signed in. If you did not ask for it, ignore this email.',
  'profiles.mail_taken_subject': 'Your address at {site}',
  'profiles.mail_taken_text':
    'Somebody wants to use this address for another account at {site}. It belongs to an account already, so nothing was changed.',
  'profiles.mail_notice_subject': 'The email address of your account at {site} is about to change',
  'profiles.mail_notice_text':
    'Another email address was entered for your account at {site} ({time}). It is used as soon as it is confirmed.',
  'profiles.mail_notice_action': 'This was not me',
  'profiles.mail_notice_note':
    'If this was you, you do not have to do anything. Otherwise the link stops or reverts the change, for {count} hours.',
} as const satisfies Messages
