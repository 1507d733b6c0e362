import type { Room } from '../message.ts'

export const signIn = {
  'sign-in.title': 'Sign in',
  'sign-in.email': 'E-mail',
  'sign-in.password': 'Password',
  'sign-in.submit': 'Sign in',
  'sign-in.wrong': 'This e-mail address and password do not belong together. Please check both.',
  'sign-in.account_limit':
    'A wrong password was given too often for this address. Try again at {time}, or use a device on which you have signed in before.',
  'sign-in.address_limit': {
    one: 'Too many attempts have failed from your network. Try again in a second.',
    other: 'Too many attempts have failed from your network. Try again in {count} seconds.',
  },
  'sign-in.signed_out': 'You are signed out.',
  'sign-in.name': 'Your name',
  'sign-in.email_help': 'You will sign in with it.',
  'sign-in.password_help': 'At least {count} characters. Three or four unrelated words are easy to remember and hard to guess.',
  'sign-in.password_again': 'The same password again',
  'sign-in.password_differs': 'The two passwords are not the same.',
  'sign-in.name_missing': 'Please enter your name.',
  'sign-in.name_long': 'This name is too long.',
  'sign-in.email_missing': 'Please enter your e-mail address.',
  'sign-in.email_invalid': 'Please enter a complete e-mail address, such as ann@example.org.',
  'sign-in.email_taken': 'Somebody has an account with this e-mail address already.',
  'sign-in.password_missing': 'Please enter your password.',
  'sign-in.password_short': 'Please choose a password of at least {count} characters.',
  'sign-in.password_long': 'This password is too long.',
  'sign-in.password_digits': 'A password of digits alone is easy to guess. Please add words.',
  'sign-in.password_pattern': 'Rows of the same or neighbouring keys are easy to guess. Please choose something else.',
  'sign-in.password_common': 'This is one of the passwords that are tried first. Please choose something else.',
  'sign-in.password_similar': 'This password is too close to your name or e-mail address. Please choose something else.',
  'sign-in.first_title': 'Become the administrator',
  'sign-in.first_intro':
    'This instance has no administrator yet. Create your account here; you can then invite others and set everything up.',
  'sign-in.first_submit': 'Create account and sign in',
  'sign-in.first_done': 'Welcome, {name}. You administer this instance now.',
  'sign-in.dead_title': 'This link does not work any more',
  'sign-in.dead_text':
    'It was used already, is older than a day, or there is an administrator by now. As long as there is none, every start of the server prints a new link.',
} as const satisfies Room
